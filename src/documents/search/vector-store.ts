import type { DataSource, EntityManager } from 'typeorm';
import {
  type StoredWindows,
  storeWindows,
  type WindowVector,
} from '@latchkey/embeddings/window-vectors';
import type { PassageForWindows } from '@latchkey/embeddings/windows';
import { isPostgres } from '../../platform/database/dialect.js';
import type { MayContinue } from '../../platform/jobs/job-lock.js';
import type { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { EnginePlace } from './engine/engine-place.js';
import { EnginePlaces } from './engine/engine-places.js';
import type { PassageBytes, SearchEngine } from './engine/search-engine.js';
import { LAST_WRITTEN } from '../passage.entity.js';
import type { IndexDialect } from './index-store.js';
import type { PostingPlace } from './index-writer.js';
import { POSTGRES } from './postgres/postgres-dialect.js';
import { SQLITE } from './sqlite/sqlite-dialect.js';
import type { PassageRange } from './vector-backlog.js';

export type PassageWithoutVectors = PassageForWindows & { readonly number: number };

export interface PassageVectors {
  readonly number: number;
  readonly windows: readonly WindowVector[];
}

export type StoredSentences = Omit<StoredWindows, 'codes'>;

type StoredVectors = ReturnType<typeof storeWindows> & PassageBytes;

/** Codes have two bits per number; those of an older format had one, and count as missing. */
const MISSING = `
  SELECT p.number, d.title, p.heading, p.text
  FROM passages p JOIN documents d ON d.id = p.document_id AND d.state = 'active'
  WHERE p.kb_id = $1 AND p.number > $2 AND p.number <= $3 AND NOT EXISTS (
    SELECT 1 FROM passage_vectors v WHERE v.passage_number = p.number AND v.model = $4
      AND length(v.codes) * 4 >= length(v.vectors) - 4 * v.windows)
  ORDER BY p.number LIMIT $5`;

const sentences = (isIn: string) => `
  SELECT p.id, v.sentence_places AS places, v.sentence_vectors AS vectors
  FROM passages p JOIN passage_vectors v ON v.passage_number = p.number
  WHERE ${isIn} AND v.model = $2 AND v.sentence_vectors IS NOT NULL`;

/** Another question may have stored more sentences in the meantime, which are kept. */
const SET_SENTENCES = `
  UPDATE passage_vectors SET sentence_places = $1, sentence_vectors = $2
  WHERE passage_number = (SELECT number FROM passages WHERE id = $3) AND model = $4
    AND COALESCE(length(sentence_places), 0) < $5`;

/** Removes vectors of another model. The new row gets a new serial number, so that readers notice it. */
const REMOVE = `DELETE FROM passage_vectors WHERE passage_number = $1`;

const store = (lock: string) => `
  INSERT INTO passage_vectors (passage_number, kb_id, model, windows, codes, places, vectors)
  SELECT number, kb_id, $1, $2, $3, $4, $5 FROM passages WHERE number = $6 ${lock}
  ON CONFLICT (passage_number) DO UPDATE SET windows = passage_vectors.windows
  RETURNING passage_number`;

const PLACE = `
  SELECT vectors, in_engine AS "inEngine" FROM vector_counts WHERE kb_id = $1 AND model = $2`;

/** Has no effect for a deleted knowledge base. */
const setPlace = (lock: string) => `
  INSERT INTO vector_counts (kb_id, model, vectors, in_engine)
  SELECT id, $1, 0, $2 FROM knowledge_bases WHERE id = $3 AND state = 'active' ${lock}
  ON CONFLICT (kb_id, model) DO UPDATE SET in_engine = excluded.in_engine`;

const storedAfter = (vectorsAfter: string) => `
  SELECT v.serial, v.passage_number AS number, v.windows, v.vectors FROM passage_vectors v
  WHERE ${vectorsAfter} ORDER BY v.kb_id, v.model, v.serial LIMIT $4`;

/** Selects the passages that PassagePurge has not removed and will not remove. */
const kept = (isIn: string) => `
  WITH p AS MATERIALIZED (SELECT number, document_id, version FROM passages WHERE ${isIn})
  SELECT p.number FROM p JOIN documents document ON document.id = p.document_id
  WHERE document.state = 'active' AND (p.version = document.version OR p.version > ${LAST_WRITTEN})`;

/** The number of passages whose vectors are copied, or held in memory, at a time. */
const COPIED = 250;

/**
 * Stores the vectors of passages in the database. If a search engine has those of a knowledge base, it
 * proposes the nearest ones, which are then compared here. The engine gets vectors before the database.
 */
export class VectorStore {
  readonly places: EnginePlaces;
  private readonly postgres: boolean;
  private readonly dialect: IndexDialect;

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly engine: SearchEngine | undefined,
  ) {
    this.places = new EnginePlaces(dataSource, unitOfWork);
    this.postgres = isPostgres(dataSource);
    this.dialect = this.postgres ? POSTGRES : SQLITE;
  }

  /** Finds the first passages of the range without vectors of the model. */
  missing(model: string, { kbId, after, end }: PassageRange, limit: number) {
    return this.dataSource.query<PassageWithoutVectors[]>(this.sql(MISSING), [
      kbId,
      after,
      end,
      model,
      limit,
    ]);
  }

  /** @throws SearchUnavailableError if new vectors could not be stored */
  async requireEngine(kbId: string): Promise<void> {
    await this.engine?.requireVectors(kbId, await this.places.findWritten(kbId));
  }

  /** Whether a failure to store vectors may concern this knowledge base alone. */
  async isApart(kbId: string): Promise<boolean> {
    return (await this.places.findWritten(kbId)).includes('own');
  }

  /** Stores vectors; skips passages that were removed in the meantime. */
  async store(model: string, kbId: string, passages: readonly PassageVectors[]): Promise<void> {
    const stored = passages.map(({ number, windows }) => ({
      number,
      windows: windows.length,
      ...storeWindows(windows),
    }));
    for (let isStored = false; !isStored;) {
      const places = this.engine ? await this.places.findWritten(kbId) : [];
      isStored = await this.storeIn(places, model, kbId, stored);
    }
  }

  /**
   * @returns false if a move has begun or ended in the meantime, so that the vectors belong in other
   *   places of the engine
   */
  private async storeIn(
    places: readonly EnginePlace[],
    model: string,
    kbId: string,
    stored: readonly StoredVectors[],
  ): Promise<boolean> {
    const insert = this.sql(store(this.postgres ? 'FOR SHARE' : ''));
    const inEngine = (await this.engine?.vectors.put(kbId, model, stored, places)) ?? false;
    const isIn = await this.unitOfWork.run(async (manager) => {
      if (inEngine && String(await this.places.keepWritten(manager, kbId)) !== String(places)) {
        return false;
      }
      const [place] = await manager.query<{ vectors: number; inEngine: unknown }[]>(
        this.sql(PLACE),
        [kbId, model],
      );
      let isStored = false;
      for (const { number, windows, codes, places, vectors } of stored) {
        await manager.query(this.sql(REMOVE), [number]);
        const bytes = [codes, places, vectors].map((some) => Buffer.from(some));
        const values = [model, windows, ...bytes, number];
        const rows = await manager.query<unknown[]>(insert, values);
        isStored ||= rows.length > 0;
      }
      const isFirst = (place?.vectors ?? 0) === 0;
      // Runs after the passages, since others lock those before this row.
      if (isStored && (inEngine ? isFirst : place?.inEngine)) {
        await this.setPlace(manager, inEngine, kbId, model);
      }
      return true;
    });
    if (!isIn || !inEngine) return isIn;
    const numbers = stored.map(({ number }) => number);
    await this.removeGone(kbId, numbers, places);
    await this.engine?.vectors.remove(kbId, numbers, places, model);
    return true;
  }

  /**
   * Makes the engine, or the memory of each process, search the vectors of a knowledge base. Questions
   * are still answered in the meantime. Idempotent.
   *
   * @param mayContinue throws if the move must stop
   * @returns whether the engine supports vectors
   */
  async move(kbId: string, to: PostingPlace, mayContinue: MayContinue): Promise<boolean> {
    const models = await this.dataSource.query<{ model: string }[]>(
      this.sql('SELECT model FROM vector_counts WHERE kb_id = $1'),
      [kbId],
    );
    for (const { model } of models) {
      const places = await this.places.findWritten(kbId);
      const isThere =
        to === 'engine' && (await this.copyToEngine(kbId, model, places, mayContinue));
      if (isThere) await mayContinue();
      await this.unitOfWork.run((manager) => this.setPlace(manager, isThere, kbId, model));
      if (to === 'engine' && !isThere) return false;
    }
    return true;
  }

  /** Copies the vectors in the engine to another place in it; returns false if it must stop. */
  async copy(kbId: string, to: EnginePlace, mayContinue: MayContinue): Promise<boolean> {
    const models = await this.dataSource.query<{ model: string }[]>(
      this.sql('SELECT model FROM vector_counts WHERE kb_id = $1 AND in_engine AND vectors > 0'),
      [kbId],
    );
    for (const { model } of models) {
      if (!(await this.copyToEngine(kbId, model, [to], mayContinue))) return false;
    }
    return true;
  }

  /**
   * Vectors added in the meantime are there too: services write to the engine wherever vectors are
   * searched.
   */
  private async copyToEngine(
    kbId: string,
    model: string,
    to: readonly EnginePlace[],
    mayContinue: MayContinue,
  ): Promise<boolean> {
    for (let after: number | undefined = 0; after !== undefined;) {
      if (!(await mayContinue())) return false;
      const rows: (PassageBytes & { readonly serial: number })[] = await this.dataSource.query(
        this.sql(storedAfter(this.dialect.vectorsAfter)),
        [kbId, model, after, COPIED],
      );
      if (!(await this.engine?.vectors.put(kbId, model, rows, to))) return false;
      await this.removeGone(
        kbId,
        rows.map(({ number }) => number),
        to,
      );
      after = rows.length < COPIED ? undefined : rows.at(-1)?.serial;
    }
    return true;
  }

  /**
   * Removes vectors from the engine whose passages were deleted or replaced before or during the write.
   * For passages removed after this check, the removal itself finds the vectors.
   */
  private async removeGone(
    kbId: string,
    numbers: readonly number[],
    places: readonly EnginePlace[],
  ): Promise<void> {
    const { isIn, list } = this.dialect;
    const rows = await this.dataSource.query<{ number: number }[]>(
      this.sql(kept(isIn('number', '$1'))),
      [list(numbers)],
    );
    const present = new Set(rows.map(({ number }) => number));
    const gone = numbers.filter((number) => !present.has(number));
    if (gone.length > 0) await this.engine?.vectors.remove(kbId, gone, places);
  }

  /** Removes the own index of a deleted knowledge base. */
  async dropOwn(kbId: string): Promise<void> {
    if (this.engine && (await this.places.mayHaveOwn(kbId))) await this.engine.leave(kbId, 'own');
  }

  /** Finds the stored sentences of passages, by the id of the passage. */
  async findSentences(
    model: string,
    passageIds: readonly string[],
  ): Promise<Map<string, StoredSentences>> {
    const { isIn, list } = this.dialect;
    const rows = await this.dataSource.query<(StoredSentences & { readonly id: string })[]>(
      this.sql(sentences(isIn('p.id', '$1'))),
      [list(passageIds), model],
    );
    return new Map(rows.map(({ id, ...stored }) => [id, stored]));
  }

  /**
   * Stores the sentences of passages, by the id of the passage, unless as many are stored; skips passages that
   * were removed.
   */
  storeSentences(model: string, passages: ReadonlyMap<string, StoredSentences>): Promise<void> {
    // In one order, or two questions could wait for each other.
    const sorted = [...passages].toSorted(([id], [other]) => (id < other ? -1 : 1));
    return this.unitOfWork.run(async (manager) => {
      for (const [id, { places, vectors }] of sorted) {
        const bytes = [places, vectors].map((some) => Buffer.from(some));
        await manager.query(this.sql(SET_SENTENCES), [...bytes, id, model, places.length]);
      }
    });
  }

  /** On PostgreSQL the count is updated at the commit, so its row may not exist yet. */
  private async setPlace(
    manager: EntityManager,
    inEngine: boolean,
    kbId: string,
    model: string,
  ): Promise<void> {
    // better-sqlite3 does not accept booleans.
    const value = this.postgres ? inEngine : Number(inEngine);
    const statement = setPlace(this.postgres ? 'FOR KEY SHARE' : '');
    await manager.query(this.sql(statement), [model, value, kbId]);
  }

  /** Each statement must use its parameters in order. */
  private sql(statement: string): string {
    return this.postgres ? statement : statement.replace(/\$\d/g, '?');
  }
}
