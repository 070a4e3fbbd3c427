import { CODE_ROWS, CodeIndexCache, type CodeRow } from '@latchkey/embeddings/code-index-cache';
import type { StoredWindows } from '@latchkey/embeddings/window-vectors';
import { MATCHED_FIRST } from '@latchkey/ranking/bounds';
import { type Fingerprint, readFingerprint } from '@latchkey/ranking/fingerprint';
import {
  type IndexReader,
  type IndexStatistics,
  IS_VISIBLE,
  type LanguageRow,
  type LoadedPassage,
  PASSAGE_COLUMNS,
  type PostingEngine,
  toStatistics,
  type Visibility,
  type WindowIndex,
} from '@latchkey/ranking/index-reader';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { Numbers } from '@latchkey/ranking/number-values';
import { type PostingBlock, type PostingList, readBlocks } from '@latchkey/ranking/posting-block';
import type { DateOrigin, SearchScope } from '@latchkey/ranking/search-index';
import type { SimilarWord, SimilarWordLimits } from '@latchkey/ranking/spelling';
import { createWindowIndex } from '@latchkey/ranking/windows-by-codes';
import { parseJson } from '@latchkey/text/parse-json';
import type { SearchPlace } from '../../knowledge-bases/knowledge-base.entity.js';
import { IN_ENGINE, type IndexReadStore } from './index-store.js';
import { readPlace } from './engine/engine-place.js';
import type { EngineIn, KnowledgeBaseEngine } from './engine/search-engine.js';
import { arePostingsMissing, notConfigured } from './engine/search-unavailable-error.js';
import { ReadablePassages } from './readable-passages.js';
import { sqlIsValid } from './validity.js';

type WindowRow = Omit<StoredWindows, 'codes'> & { readonly number: number };
type Moment = Date | string;
type PassageRow = Omit<
  LoadedPassage,
  'metadata' | 'locator' | 'cells' | 'date' | 'contentDate' | 'updatedAt' | 'validUntil'
> & {
  readonly date: string | null;
  readonly dateFrom: DateOrigin | null;
  readonly contentDate: Moment;
  readonly updatedAt: Moment;
  readonly validUntil: Moment | null;
  readonly metadata: unknown;
  readonly locator: unknown;
  readonly cells: unknown;
};

/** Shared by all knowledge bases in this thread. */
const codeIndexes = new CodeIndexCache();

/** Reads the index of a knowledge base, with the same statements on both databases. */
export class StoredIndexReader implements IndexReader {
  private readonly readable: ReadablePassages;
  private knownPlace: Promise<SearchPlace | undefined> | undefined;

  constructor(
    private readonly store: IndexReadStore,
    private readonly kbId: string,
    private readonly scope: SearchScope,
    private readonly searchEngine: EngineIn | undefined,
  ) {
    this.readable = new ReadablePassages(store, kbId, scope);
  }

  hasRules(): Promise<boolean> {
    return this.readable.hasRules();
  }

  isStale(): boolean {
    return this.readable.isStale();
  }

  async statistics(): Promise<IndexStatistics> {
    this.readable.begin();
    const { ofIndex } = this.store.dialect;
    return toStatistics(
      await this.read<LanguageRow>(
        `SELECT language, CAST(passages AS float8) AS passages, CAST(tokens AS float8) AS tokens
         FROM search_languages WHERE ${ofIndex} AND passages > 0`,
        [this.kbId],
      ),
    );
  }

  visibility(filter: MetadataFilter | undefined): Promise<Visibility> {
    this.readable.begin();
    return this.readable.seen(filter);
  }

  async frequencies(stems: readonly string[]): Promise<Map<string, number>> {
    const { ofIndex, byTerm, isIn, list, interruptible } = this.store.dialect;
    const rows = await this.read<{ term: string; frequency: number }>(
      `SELECT term, CAST(sum(postings) AS float8) AS frequency FROM search_blocks ${byTerm}
       WHERE ${ofIndex} AND ${isIn('term', '$2')} AND ${interruptible('first')} GROUP BY term`,
      [this.kbId, list(stems)],
    );
    return new Map(rows.map(({ term, frequency }) => [term, frequency]));
  }

  async engine(): Promise<PostingEngine | undefined> {
    if (!this.searchEngine || (await this.place()) === undefined) return undefined;
    return this.engineInPlace(this.searchEngine);
  }

  private async engineInPlace(engine: EngineIn): Promise<KnowledgeBaseEngine> {
    return engine(readPlace(await this.place()));
  }

  /** Returns the place in the engine; undefined if the database has the postings. */
  private place(): Promise<SearchPlace | undefined> {
    this.knownPlace ??= this.readPlace();
    return this.knownPlace;
  }

  private async readPlace(): Promise<SearchPlace | undefined> {
    const [row] = await this.read<{ place: SearchPlace }>(
      `SELECT (SELECT search_place FROM knowledge_bases WHERE id = $1) AS place FROM search_blocks
       WHERE ${this.store.dialect.ofIndex} AND term = $2`,
      [this.kbId, IN_ENGINE],
    );
    return row?.place;
  }

  postings(stems: readonly string[]): Promise<PostingList[]> {
    return this.readable.postings(stems, (some, from) => this.postingsFrom(some, from));
  }

  private async postingsFrom(
    stems: readonly string[],
    from: readonly number[],
  ): Promise<PostingList[]> {
    const { blocksFrom, ofIndex, isIn, list, interruptible } = this.store.dialect;
    const isWhole = from.every((number) => number === 0);
    const rows = await this.read<PostingBlock & { readonly term: string }>(
      isWhole
        ? `SELECT term, first, block AS bytes FROM search_blocks
           WHERE ${ofIndex} AND ${isIn('term', '$2')} AND ${interruptible('first')}
           ORDER BY term, first`
        : `SELECT b.term, b.first, b.block AS bytes FROM ${blocksFrom}
           WHERE ${interruptible('b.first')} ORDER BY b.term, b.first`,
      [this.kbId, list(stems), ...(isWhole ? [] : [list(from)])],
    );
    if (rows.some(({ bytes }) => bytes.length === 0)) throw notConfigured(this.kbId);
    const blocks = Map.groupBy(rows, ({ term }) => term);
    return stems.map((stem) => readBlocks(blocks.get(stem) ?? []));
  }

  async fingerprints(numbers: readonly number[]): Promise<Map<number, Fingerprint>> {
    const { isIn, list } = this.store.dialect;
    const rows = await this.read<{ number: number; codes: Uint8Array }>(
      `SELECT passage_number AS number, codes FROM search_passages WHERE ${isIn('passage_number', '$1')}`,
      [list(numbers)],
    );
    return new Map(rows.map(({ number, codes }) => [number, readFingerprint(codes)]));
  }

  similarWords(keys: readonly string[], { minShared, limit }: SimilarWordLimits) {
    const { ofIndex, isIn, list, interruptible } = this.store.dialect;
    return this.read<SimilarWord>(
      `WITH candidate AS MATERIALIZED (
         SELECT word, count(*) AS shared FROM search_spellings
         WHERE ${ofIndex} AND ${isIn('key', '$2')} AND ${interruptible('unicode(word) << 3')}
         GROUP BY word HAVING count(*) >= $3 ORDER BY count(*) DESC, word LIMIT $4)
       SELECT w.word, w.term AS stem FROM candidate s JOIN search_words w ON w.word = s.word
       WHERE ${ofIndex} ORDER BY s.shared DESC, w.word, w.term`,
      [this.kbId, list(keys), minShared, limit],
    );
  }

  hasWord(): boolean {
    return true;
  }

  async visible(
    numbers: readonly number[],
    filter: MetadataFilter | undefined,
  ): Promise<Set<number>> {
    const { join, list, interruptible } = this.store.dialect;
    const { matches, values } = await this.condition(filter, [list(numbers)]);
    return this.numbers(
      `${this.given('$2', 'number, document_id, version')}
       SELECT p.number FROM p ${join} documents d ON d.id = p.document_id AND ${IS_VISIBLE}
       WHERE d.kb_id = $1 AND ${interruptible('p.number')} AND ${matches}`,
      values,
    );
  }

  async matching(filter: MetadataFilter | undefined): Promise<Numbers> {
    return (await this.readable.visibility(filter)).numbers;
  }

  async knownMatching(filter: MetadataFilter): Promise<Numbers | undefined> {
    const known = (await this.readable.known(filter))?.numbers;
    // Each question would send all these numbers to the engine.
    return this.searchEngine && known && known.size >= MATCHED_FIRST ? undefined : known;
  }

  async windowIndex(model: string): Promise<WindowIndex> {
    if (this.searchEngine && (await this.hasVectorsInEngine(model))) {
      const engine = await this.engineInPlace(this.searchEngine);
      return {
        nearest: async (vector, limit, allowed) => {
          try {
            return await engine.nearest(model, vector, limit, allowed);
          } catch (error) {
            // Vectors of deleted passages disappear from the engine before the database.
            if (!arePostingsMissing(error) || (await this.hasIndexedVectors(model))) throw error;
            return [];
          }
        },
        missing: (numbers) => this.withoutVector(model, numbers),
      };
    }
    const { interruptible, vectorsAfter } = this.store.dialect;
    const codes = await codeIndexes.get(`${this.kbId} ${model}`, (after) =>
      this.read<CodeRow>(
        `SELECT CAST(v.serial AS float8) AS serial, v.passage_number AS number, v.windows, v.codes
         FROM passage_vectors v
         WHERE ${vectorsAfter} AND ${interruptible('v.serial')}
         ORDER BY v.kb_id, v.model, v.serial LIMIT $4`,
        [this.kbId, model, after, CODE_ROWS],
      ),
    );
    return createWindowIndex(codes);
  }

  private async hasVectorsInEngine(model: string): Promise<boolean> {
    const rows = await this.read(
      'SELECT 1 AS found FROM vector_counts WHERE kb_id = $1 AND model = $2 AND in_engine AND vectors > 0',
      [this.kbId, model],
    );
    return rows.length > 0;
  }

  private async hasIndexedVectors(model: string): Promise<boolean> {
    const { join } = this.store.dialect;
    const rows = await this.read(
      `SELECT 1 AS found FROM passage_vectors v
       ${join} search_passages s ON s.passage_number = v.passage_number
       WHERE v.kb_id = $1 AND v.model = $2 LIMIT 1`,
      [this.kbId, model],
    );
    return rows.length > 0;
  }

  private async withoutVector(model: string, numbers: readonly number[]): Promise<Set<number>> {
    const { isIn, list } = this.store.dialect;
    const embedded = await this.numbers(
      `SELECT passage_number AS number FROM passage_vectors
       WHERE ${isIn('passage_number', '$1')} AND model = $2`,
      [list(numbers), model],
    );
    return new Set(numbers.filter((number) => !embedded.has(number)));
  }

  forgetWindows(model: string): void {
    codeIndexes.forget(`${this.kbId} ${model}`);
  }

  async windows(model: string, numbers: readonly number[]): Promise<Map<number, WindowRow>> {
    const { isIn, list } = this.store.dialect;
    const rows = await this.read<WindowRow>(
      `SELECT passage_number AS number, places, vectors FROM passage_vectors
       WHERE ${isIn('passage_number', '$1')} AND model = $2`,
      [list(numbers), model],
    );
    return new Map(rows.map((row) => [row.number, row]));
  }

  /** Compares the counts of the index and of the vectors, which is the same work for any number. */
  async lacksVectors(model: string): Promise<boolean> {
    const { ofIndex } = this.store.dialect;
    const [row] = await this.read<{ passages: number | null; vectors: number | null }>(
      `SELECT CAST(sum(passages) AS float8) AS passages,
         (SELECT CAST(vectors AS float8) FROM vector_counts WHERE kb_id = $1 AND model = $2) AS vectors
       FROM search_languages WHERE ${ofIndex}`,
      [this.kbId, model],
    );
    return (row?.vectors ?? 0) < (row?.passages ?? 0);
  }

  /**
   * Loads passages in one statement, so that a document replaced meanwhile gives either its old
   * passages or its new ones.
   */
  async load(
    numbers: readonly number[],
    filter: MetadataFilter | undefined,
  ): Promise<LoadedPassage[]> {
    const { join, list } = this.store.dialect;
    const { matches, values } = await this.condition(filter, [list(numbers)]);
    const rows = await this.store.query<PassageRow>(
      `${this.given('$2', '*')} SELECT ${PASSAGE_COLUMNS}
       FROM p ${join} documents d ON d.id = p.document_id AND ${IS_VISIBLE}
       WHERE d.kb_id = $1 AND ${matches}`,
      values,
    );
    return rows.map(({ metadata, locator, cells, date, dateFrom, contentDate, ...row }) => ({
      ...row,
      date: date !== null && dateFrom !== null ? { value: date, from: dateFrom } : null,
      contentDate: toInstant(contentDate).slice(0, 10),
      updatedAt: toInstant(row.updatedAt),
      validUntil: row.validUntil && toInstant(row.validUntil),
      metadata: parsed(metadata) as LoadedPassage['metadata'],
      locator: parsed(locator) as LoadedPassage['locator'],
      cells: parsed(cells) as LoadedPassage['cells'],
    }));
  }

  /**
   * Builds a subquery that selects the passages before they are joined with their documents. Otherwise
   * a server without statistics, as after an import, reads all passages of these documents and compares
   * each with each number.
   */
  private given(numbers: string, columns: string): string {
    const { isIn } = this.store.dialect;
    return `WITH p AS MATERIALIZED (SELECT ${columns} FROM passages WHERE ${isIn('number', numbers)})`;
  }

  /** @param given the parameters from `$2` on; `$1` is the knowledge base */
  private async condition(filter: MetadataFilter | undefined, given: readonly unknown[]) {
    const { dialect } = this.store;
    const values = [this.kbId, ...given];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const setIds = await this.readable.setIds();
    const sets = bind(dialect.list([...setIds].filter((id) => id !== null)));
    const isOpen = setIds.has(null) ? 'd.access_set_id IS NULL OR ' : '';
    const isReadable = `${isOpen}${dialect.isIn('d.access_set_id', sets)}`;
    const matches = filter ? ` AND ${dialect.matches(filter, bind)}` : '';
    const isValid = this.scope.includesInvalid ? 'TRUE' : sqlIsValid('d', dialect.now);
    return { matches: `(${isReadable}) AND ${isValid}${matches}`, values };
  }

  private async numbers(sql: string, values: unknown[]): Promise<Set<number>> {
    const rows = await this.read<{ number: number }>(sql, values);
    return new Set(rows.map(({ number }) => number));
  }

  private async read<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
    return this.store.queryUntilDeadline<Row>(sql, values);
  }
}

/** SQLite returns JSON as text. */
const parsed = (json: unknown): unknown => (typeof json === 'string' ? parseJson(json) : json);

/** SQLite has moments of UTC as text. */
const toInstant = (moment: Moment): string =>
  typeof moment === 'string' ? `${moment.replace(' ', 'T')}Z` : moment.toISOString();
