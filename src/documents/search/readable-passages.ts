import type { Visibility } from '@latchkey/ranking/index-reader';
import type { PostingList } from '@latchkey/ranking/posting-block';
import { parseJson } from '@latchkey/text/parse-json';
import { HAS_NEW_RULE } from '../document.entity.js';
import {
  sqlHasSets,
  sqlIsClosed,
  withEveryone,
} from '../../knowledge-bases/access-rules/readable.js';
import type { IndexReadStore } from './index-store.js';
import type { RemovedPassage } from './index-writer.js';
import { PostingCache } from './posting-cache.js';
import { ReadableSets } from './readable-sets.js';
import { type RuledPassageRow, RuledPassages } from './ruled-passages.js';

/** How many knowledge bases a thread remembers, each with four bytes a passage. */
const MAX_REMEMBERED = 16;
/** Of one statement, so that what was read before a deadline is not read again. */
const BATCH = 20_000;
/** Transactions of an index that are read at a time. */
const CHANGES = 50;

interface StateRow {
  /** Of all rules. */
  readonly accessVersion: number;
  /** Of which document has which rule. */
  readonly version: number;
  /** Of the last change of the index; null for none. */
  readonly serial: number | null;
  readonly closed: boolean | 0 | 1;
  readonly hasSets: boolean | 0 | 1;
}

interface ChangeRow {
  readonly serial: number;
  readonly added: string;
  readonly removed: string;
}

/** As far as a thread has read. */
interface Remembered {
  passages: RuledPassages;
  version: number;
  serial: number;
  /** The number from which on it is read in full; undefined once it has been. */
  next: number | undefined;
  /** Others may read at the same time: whoever comes second reads again. */
  step: number;
}

/** By knowledge base; the least recently used first. */
const remembered = new Map<string, Remembered>();
const readableSets = new ReadableSets();
const postingCache = new PostingCache();

const NOTHING: StateRow = {
  accessVersion: 0,
  version: 0,
  serial: null,
  closed: false,
  hasSets: false,
};

const isBehind = (state: StateRow, one: Remembered): boolean =>
  (state.serial ?? 0) < one.serial || state.version < one.version;

/** Whether a passage `p` is of content of its document `d` that nobody reads any more. */
const IS_CLOSED = `d.state <> 'active' OR p.version <= d.closed_version
  OR p.version < COALESCE(d.version, 0)`;

const COLUMNS = `CAST(p.number AS float8) AS number, s.tokens, COALESCE(s.language, '') AS language,
  d.access_set_id AS "setId", ${IS_CLOSED} AS "isClosed"`;

/**
 * The passages of a knowledge base that rules let somebody read. Which passages have which set of rules is
 * remembered by the thread, for all readers: what the index and the rules of documents have changed since is
 * read further.
 */
export class ReadablePassages {
  private state: Promise<StateRow> | undefined;
  private sets: Promise<Set<string | null>> | undefined;
  /** What `postings` may take from the cache. */
  private known: { readonly one: Remembered; readonly serial: number } | undefined;

  constructor(
    private readonly store: IndexReadStore,
    private readonly kbId: string,
    private readonly principals: readonly string[],
  ) {}

  /** Also after the deadline: without it nothing could be found. */
  async hasRules(): Promise<boolean> {
    const { closed, hasSets } = await this.currentState();
    return Boolean(closed) || Boolean(hasSets);
  }

  /** The sets by which documents are readable; null stands for no rule. Also after the deadline. */
  setIds(): Promise<Set<string | null>> {
    this.sets ??= this.readSets();
    return this.sets;
  }

  /** Reads anew what has changed since it was called before. */
  async visibility(): Promise<Visibility> {
    // Before the passages: a change that comes between is noticed by the next search.
    if (this.known) [this.state, this.sets] = [undefined, undefined];
    const state = await this.currentState();
    const setIds = await this.setIds();
    const one = await this.upTo(state);
    this.known = { one, serial: state.serial ?? 0 };
    return one.passages.of(setIds);
  }

  /**
   * The postings of each stem, of those that the thread remembers.
   *
   * @param read reads the postings of stems from given numbers on, and maybe some before them
   */
  async postings(
    stems: readonly string[],
    read: (stems: readonly string[], from: readonly number[]) => Promise<PostingList[]>,
  ): Promise<PostingList[]> {
    const { known, kbId } = this;
    if (!known) {
      return read(
        stems,
        stems.map(() => 0),
      );
    }
    const { one, serial } = known;
    const { step } = one;
    const isCurrent = () =>
      remembered.get(kbId) === one && one.step === step && one.serial === serial;
    return postingCache.get(kbId, stems, read, isCurrent);
  }

  private currentState(): Promise<StateRow> {
    this.state ??= this.readState();
    return this.state;
  }

  private async readState(): Promise<StateRow> {
    const { ofIndex } = this.store.dialect;
    const [state = NOTHING] = await this.store.query<StateRow>(
      `SELECT CAST(kb.access_version AS float8) AS "accessVersion",
         CAST(kb.document_rules_version AS float8) AS version,
         (SELECT CAST(max(serial) AS float8) FROM search_changes WHERE ${ofIndex}) AS serial,
         ${sqlIsClosed('$1')} AS closed, ${sqlHasSets('$1')} AS "hasSets"
       FROM knowledge_bases kb WHERE kb.id = $1`,
      [this.kbId],
    );
    return state;
  }

  private async readSets(): Promise<Set<string | null>> {
    const { closed, hasSets, accessVersion } = await this.currentState();
    const { isIn, list } = this.store.dialect;
    const readers = withEveryone(this.principals);
    const read = () =>
      this.store.query<{ id: string }>(
        `SELECT set_id AS id FROM access_entries WHERE kb_id = $1 AND ${isIn('principal', '$2')}
         GROUP BY set_id HAVING min(effect) = 'allow' AND max(effect) = 'allow'`,
        [this.kbId, list(readers)],
      );
    const rows = hasSets
      ? await readableSets.of(JSON.stringify([this.kbId, ...readers]), accessVersion, read)
      : [];
    return new Set([...rows.map(({ id }) => id), ...(closed ? [] : [null])]);
  }

  private async upTo(state: StateRow): Promise<Remembered> {
    const one = remembered.get(this.kbId) ?? this.nothing(state);
    remembered.delete(this.kbId);
    remembered.set(this.kbId, one);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > MAX_REMEMBERED) remembered.delete(oldest);
    for (;;) {
      const { step } = one;
      const apply = await this.readFurther(one, state);
      if (!apply) return one;
      if (one.step !== step) continue;
      apply();
      one.step++;
    }
  }

  private nothing({ version, serial }: StateRow): Remembered {
    postingCache.changed(this.kbId, 0);
    return { passages: new RuledPassages(), version, serial: serial ?? 0, next: 0, step: 0 };
  }

  /** @returns undefined when there is nothing more */
  private async readFurther(one: Remembered, state: StateRow): Promise<(() => void) | undefined> {
    const { next } = one;
    const serial = state.serial ?? 0;
    if (next !== undefined) {
      const rows = await this.rowsFrom(next);
      return () => {
        one.passages.add(rows);
        one.next = rows.length < BATCH ? undefined : (rows.at(-1)?.number ?? 0) + 1;
      };
    }
    const readAgain = (current: StateRow) => () => {
      Object.assign(one, { ...this.nothing(current), step: one.step });
    };
    if (isBehind(state, one)) {
      // Another search has read further, or the server that took over lacks the last commits.
      const known = { ...one };
      const current = await this.readState();
      if (isBehind(current, known)) return readAgain(current);
    }
    if (one.serial < serial) {
      const changes = await this.changesAfter(one.serial);
      // Older ones are not kept, or the index was made anew.
      if (changes[0]?.serial !== one.serial + 1) return readAgain(state);
      const removed = changes.flatMap((change) => parseJson(change.removed) as RemovedPassage[]);
      const added = changes.flatMap((change) => parseJson(change.added) as number[]);
      const rows = await this.rowsOf(added);
      return () => {
        one.passages.remove(removed);
        one.passages.add(rows);
        one.serial = changes.at(-1)?.serial ?? serial;
        const numbers = [...added, ...removed.map(([number]) => number)];
        postingCache.changed(this.kbId, Math.min(...numbers));
      };
    }
    if (one.version < state.version) {
      const rows = await this.rowsRuledAfter(one.version);
      if (rows.length === BATCH) return readAgain(state);
      return () => {
        one.passages.add(rows);
        one.version = state.version;
      };
    }
    return undefined;
  }

  private rowsFrom(number: number) {
    const { interruptible } = this.store.dialect;
    return this.store.queryUntilDeadline<RuledPassageRow>(
      `SELECT ${COLUMNS} FROM passages p JOIN documents d ON d.id = p.document_id
         JOIN search_passages s ON s.passage_number = p.number
       WHERE p.kb_id = $1 AND p.number >= $2 AND ${interruptible('p.number')}
       ORDER BY p.number LIMIT ${BATCH}`,
      [this.kbId, number],
    );
  }

  private changesAfter(serial: number) {
    const { ofIndex } = this.store.dialect;
    return this.store.queryUntilDeadline<ChangeRow>(
      `SELECT CAST(serial AS float8) AS serial, added, removed FROM search_changes
       WHERE ${ofIndex} AND serial > $2 ORDER BY serial LIMIT ${CHANGES}`,
      [this.kbId, serial],
    );
  }

  private rowsOf(numbers: readonly number[]) {
    const { isIn, list, join } = this.store.dialect;
    return this.store.queryUntilDeadline<RuledPassageRow>(
      `WITH p AS MATERIALIZED (
         SELECT number, document_id, version FROM passages WHERE ${isIn('number', '$1')})
       SELECT ${COLUMNS} FROM p ${join} documents d ON d.id = p.document_id
         ${join} search_passages s ON s.passage_number = p.number`,
      [list(numbers)],
    );
  }

  private rowsRuledAfter(version: number) {
    const { join, interruptible } = this.store.dialect;
    return this.store.queryUntilDeadline<RuledPassageRow>(
      `SELECT ${COLUMNS} FROM documents d ${join} passages p ON p.document_id = d.id
         ${join} search_passages s ON s.passage_number = p.number
       WHERE d.kb_id = $1 AND d.${HAS_NEW_RULE} AND d.rules_version > $2
         AND ${interruptible('p.number')} LIMIT ${BATCH}`,
      [this.kbId, version],
    );
  }
}
