import { readFingerprint } from '../fingerprint.js';
import { MAX_TERMS, TOO_FREQUENT } from '../bounds.js';
import type { Filter } from '../metadata-filter.js';
import type { Hit } from '../rank.js';
import type { FoundPassage, IndexReader, NearestHit, SearchOptions } from '../search-passages.js';
import { countPostings, type TermSelection } from '../term-selection.js';
import { likeness, readVector, vectorSigns } from '../vector.js';
import { metadataPath } from './metadata-path.js';
import type { SearchConnection } from './search-connection.js';
import {
  COUNT_DOCUMENTS,
  COUNT_PASSAGES,
  FREQUENCIES,
  HAS_DOCUMENT,
  NEAREST,
  PASSAGES,
  search,
  SIMILAR,
} from './statements.js';

/** How many times as much a posting costs that is looked up for one chunk, not read in order. */
const LOOKUP_COST = 5;
/** Postings that are counted of each term. */
const MAX_COUNTED = 200_000;
/** The same, where there are more terms than will be used. */
const MAX_COUNTED_ROUGHLY = 500;

interface NearestRow {
  number: number;
  fingerprint: Uint8Array | null;
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
    const [row] = await this.ask<{ chunks: number | string }>(COUNT_PASSAGES, [this.kbId]);
    return Math.min(limit, Number(row?.chunks ?? 0));
  }

  async similarWords(keys: readonly string[]): Promise<string[]> {
    const rows = await this.ask<{ word: string }>(SIMILAR, [this.kbId, keys]);
    return rows.map(({ word }) => word);
  }

  async hasFewerDocuments(count: number): Promise<boolean> {
    const [row] = await this.ask<{ count: number }>(COUNT_DOCUMENTS, [this.kbId, count]);
    return Number(row?.count) < count;
  }

  async hasDocument(filter: Filter): Promise<boolean> {
    return (await this.ask(HAS_DOCUMENT, [this.kbId, metadataPath(filter)])).length > 0;
  }

  async find({ terms, candidateWindow, onlyVisible, filter }: SearchOptions): Promise<Hit[]> {
    const { selective, common } = cheapest(terms);
    const all = [...selective, ...common];
    const order = filter && (filter.documentsFirst ? 'documents first' : 'hits first');
    const statement = search({
      hasCommon: common.length > 0,
      filter: order,
      isBounded: !onlyVisible && order !== 'hits first',
    });
    const rows = await this.ask<NearestRow & { score: number }>(statement, [
      this.kbId,
      all.map(({ stem }) => stem),
      all.map(({ times }) => times),
      all.map(({ frequency }) => frequency),
      all.map((_, index) => index < selective.length),
      candidateWindow,
      ...(filter ? [metadataPath(filter.filter)] : []),
    ]);
    return rows.map((row) => ({ ...row, fingerprint: fingerprintOf(row) }));
  }

  async nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: Filter,
  ): Promise<NearestHit[]> {
    const rows = await this.ask<NearestRow & { vector: Uint8Array }>(NEAREST, [
      this.kbId,
      model,
      vectorSigns(vector),
      limit,
      filter ? metadataPath(filter) : null,
    ]);
    return rows
      .map((row) => ({ ...row, likeness: likeness(vector, readVector(row.vector)) }))
      .sort((one, other) => other.likeness - one.likeness || one.number - other.number)
      .map((row) => ({ number: row.number, fingerprint: fingerprintOf(row) }));
  }

  load(numbers: readonly number[]): Promise<FoundPassage[]> {
    return this.connection.query<FoundPassage>(PASSAGES, [numbers]);
  }

  private async count(stems: readonly string[], limit: number) {
    const rows = await this.ask<{ term: string; frequency: number }>(FREQUENCIES, [
      this.kbId,
      stems,
      limit,
    ]);
    return new Map(rows.map(({ term, frequency }) => [term, frequency]));
  }

  private ask<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return this.connection.queryUntilDeadline<Row>(text, values);
  }
}

/** Reading all postings can be cheaper than looking up those of the candidates one by one. */
function cheapest({ selective, common }: TermSelection): TermSelection {
  const lookups = countPostings(selective) * common.length;
  return lookups * LOOKUP_COST < countPostings(common)
    ? { selective, common }
    : { selective: [...selective, ...common], common: [] };
}

const fingerprintOf = ({ fingerprint }: NearestRow) =>
  fingerprint ? readFingerprint(fingerprint) : undefined;
