import type { Pool, QueryResultRow } from 'pg';
import { FILTERED_HITS, WIDE_WINDOW, WINDOW } from '../bounds.js';
import type { Filter } from '../metadata-filter.js';
import type { Hit } from '../rank.js';
import type { FoundPassage, Hits, IndexReader, Wanted } from '../search-passages.js';
import { likeness, readVector, vectorSigns } from '../vector.js';
import { readCodes } from '../word-codes.js';
import { metadataPath } from './metadata-path.js';
import { FREQUENCIES, NEAREST, PASSAGES, SEARCH, SIMILAR } from './statements.js';

/** A hit with what all of them have in common; without one where there is none to show. */
interface Row {
  number: number | null;
  score: number;
  codes: Uint8Array | null;
  more: boolean;
  unknown: string[] | null;
}

interface Near {
  number: number;
  vector: Uint8Array;
  codes: Uint8Array | null;
}

export class PostgresIndexReader implements IndexReader {
  constructor(
    private readonly pool: Pool,
    private readonly kbId: string,
  ) {}

  async find({ terms, reach, filter, onlyKnown }: Wanted): Promise<Hits> {
    const times = new Map<string, number>();
    for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1);
    const rows = await this.ask<Row>('search', SEARCH, [
      this.kbId,
      [...times.keys()],
      [...times.values()],
      reach === 'wide' ? null : filter ? FILTERED_HITS : WINDOW,
      reach === 'wide' ? WIDE_WINDOW : WINDOW,
      filter ? metadataPath(filter) : null,
      onlyKnown,
    ]);
    const hits = rows.flatMap(({ number, score, codes }): Hit[] =>
      number === null ? [] : [{ number, score, codes: codes ? readCodes(codes) : undefined }],
    );
    return {
      hits,
      more: reach === 'near' && (rows[0]?.more === true || hits.length === WINDOW),
      unknown: (onlyKnown && rows[0]?.unknown) || [],
    };
  }

  async nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: Filter,
  ): Promise<Pick<Hit, 'number' | 'codes'>[]> {
    const rows = await this.ask<Near>('nearest', NEAREST, [
      this.kbId,
      model,
      vectorSigns(vector),
      limit,
      filter ? metadataPath(filter) : null,
    ]);
    return rows
      .map((row) => ({ ...row, likeness: likeness(vector, readVector(row.vector)) }))
      .sort((one, other) => other.likeness - one.likeness || one.number - other.number)
      .map(({ number, codes }) => ({ number, codes: codes ? readCodes(codes) : undefined }));
  }

  async similarWords(keys: readonly string[]): Promise<string[]> {
    const rows = await this.ask<{ word: string }>('similar words', SIMILAR, [this.kbId, keys]);
    return rows.map(({ word }) => word);
  }

  async frequencies(terms: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.ask<{ term: string; frequency: number }>('frequencies', FREQUENCIES, [
      this.kbId,
      terms,
    ]);
    return new Map(rows.map(({ term, frequency }) => [term, frequency]));
  }

  load(numbers: readonly number[]): Promise<FoundPassage[]> {
    return this.ask<FoundPassage>('passages', PASSAGES, [numbers]);
  }

  /** Prepared, once for each connection: planning takes longer than searching a small index. */
  private async ask<T extends object>(name: string, text: string, values: unknown[]): Promise<T[]> {
    return (await this.pool.query<T & QueryResultRow>({ name, text, values })).rows;
  }
}
