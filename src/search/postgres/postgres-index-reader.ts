import { MAX_TERMS, TOO_FREQUENT } from '../bounds.js';
import { readFingerprint } from '../fingerprint.js';
import type { IndexReader, LoadedPassage, NearestHit, SearchOptions } from '../index-reader.js';
import type { Filter } from '../metadata-filter.js';
import type { Hit } from '../rank.js';
import { countPostings, type TermSelection } from '../term-selection.js';
import { cosineSimilarity, readVector, vectorSigns } from '../vector.js';
import { metadataPath } from './metadata-path.js';
import type { SearchConnection } from './search-connection.js';
import * as statements from './read-statements.js';

/** What looking up one posting costs, compared to reading one in order. */
const LOOKUP_COST = 5;
/** Up to how many postings of each term are counted. */
const MAX_COUNTED = 200_000;
/** The same in a first pass, where there are more terms than will be searched. */
const MAX_COUNTED_ROUGHLY = 500;

interface HitRow {
  readonly number: number;
  readonly fingerprint: Uint8Array | null;
}

export class PostgresIndexReader implements IndexReader {
  readonly heavyPostings = 50_000;

  constructor(
    private readonly connection: SearchConnection,
    private readonly kbId: string,
  ) {}

  async frequencies(stems: readonly string[]): Promise<Map<string, number>> {
    if (stems.length <= MAX_TERMS) return this.count(stems, MAX_COUNTED);
    const rough = await this.count(stems, MAX_COUNTED_ROUGHLY);
    const frequent = [...rough].filter(([, frequency]) => frequency === MAX_COUNTED_ROUGHLY);
    const others = rough.size - frequent.length;
    const counted = frequent.slice(0, Math.max(0, MAX_TERMS - others)).map(([stem]) => stem);
    const exact = await this.count(counted, MAX_COUNTED);
    for (const [stem] of frequent) rough.set(stem, exact.get(stem) ?? TOO_FREQUENT);
    return rough;
  }

  async countPassages(limit: number): Promise<number> {
    const [row] = await this.query<{ chunks: number | string }>(statements.COUNT_PASSAGES, [
      this.kbId,
    ]);
    return Math.min(limit, Number(row?.chunks ?? 0));
  }

  async similarWords(keys: readonly string[]): Promise<string[]> {
    const rows = await this.query<{ word: string }>(statements.SIMILAR_WORDS_BY_KEYS, [
      this.kbId,
      keys,
    ]);
    return rows.map(({ word }) => word);
  }

  async hasFewerDocuments(count: number): Promise<boolean> {
    const [row] = await this.query<{ count: number }>(statements.COUNT_DOCUMENTS, [
      this.kbId,
      count,
    ]);
    return Number(row?.count) < count;
  }

  async hasDocument(filter: Filter): Promise<boolean> {
    const rows = await this.query(statements.HAS_DOCUMENT, [this.kbId, metadataPath(filter)]);
    return rows.length > 0;
  }

  async find({ terms, candidateWindow, onlyVisible, filter }: SearchOptions): Promise<Hit[]> {
    const { selective, common } = cheapest(terms);
    const all = [...selective, ...common];
    const order = filter && (filter.documentsFirst ? 'documents first' : 'hits first');
    const statement = statements.bm25({
      hasCommon: common.length > 0,
      filter: order,
      isBounded: !onlyVisible && order !== 'hits first',
    });
    const rows = await this.query<HitRow & { score: number }>(statement, [
      this.kbId,
      all.map(({ stem }) => stem),
      all.map(({ times }) => times),
      all.map(({ frequency }) => frequency),
      all.map((_, index) => index < selective.length),
      candidateWindow,
      ...(filter ? [metadataPath(filter.filter)] : []),
    ]);
    return rows.map((row) => ({ ...row, fingerprint: readFingerprint(row.fingerprint) }));
  }

  async nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: Filter,
  ): Promise<NearestHit[]> {
    const rows = await this.query<HitRow & { vector: Uint8Array }>(statements.NEAREST, [
      this.kbId,
      model,
      vectorSigns(vector),
      limit,
      filter ? metadataPath(filter) : null,
    ]);
    return rows
      .map((row) => ({ ...row, similarity: cosineSimilarity(vector, readVector(row.vector)) }))
      .sort((one, other) => other.similarity - one.similarity || one.number - other.number)
      .map((row) => ({ number: row.number, fingerprint: readFingerprint(row.fingerprint) }));
  }

  load(numbers: readonly number[]): Promise<LoadedPassage[]> {
    return this.connection.query<LoadedPassage>(statements.PASSAGES, [numbers]);
  }

  private async count(stems: readonly string[], limit: number) {
    const rows = await this.query<{ term: string; frequency: number }>(statements.FREQUENCIES, [
      this.kbId,
      stems,
      limit,
    ]);
    return new Map(rows.map(({ term, frequency }) => [term, frequency]));
  }

  private query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return this.connection.queryUntilDeadline<Row>(text, values);
  }
}

/**
 * Makes all terms selective where reading all their postings in order is cheaper than looking up
 * those of the common terms candidate by candidate.
 */
function cheapest({ selective, common }: TermSelection): TermSelection {
  const lookups = countPostings(selective) * common.length;
  return lookups * LOOKUP_COST < countPostings(common)
    ? { selective, common }
    : { selective: [...selective, ...common], common: [] };
}
