import type Database from 'better-sqlite3';
import { FILTERED_HITS, SIMILAR_WORDS, TITLE_WEIGHT, WIDE_WINDOW, WINDOW } from '../bounds.js';
import { type Filter, meets } from '../metadata-filter.js';
import type { Hit } from '../rank.js';
import type { FoundPassage, Hits, IndexReader, Wanted } from '../search-passages.js';
import { vectorBytes } from '../vector.js';
import { type Codes, readCodes } from '../word-codes.js';
import { matchAny } from './index-content.js';

export const HITS = `SELECT rowid AS number, -bm25(passages, ${TITLE_WEIGHT}, 1, 1) AS score
  FROM passages WHERE passages MATCH ? ORDER BY score DESC, rowid LIMIT ?`;

const HITS_WITH_CODES = `
  SELECT h.number, h.score, c.codes FROM (${HITS}) h CROSS JOIN codes c ON c.number = h.number
  ORDER BY h.score DESC, h.number`;

const PASSAGE = `
  SELECT c.number, c.id AS chunkId, d.id AS documentId, d.title AS documentTitle,
    d.external_id AS externalId, d.source_url AS sourceUrl, d.metadata, c.heading, c.page, c.text
  FROM live.chunks c
  JOIN live.documents d ON d.id = c.document_id AND d.version = c.version AND d.state = 'active'
  WHERE c.number = ?`;

const METADATA = `
  SELECT d.metadata FROM live.chunks c JOIN live.documents d
    ON d.id = c.document_id AND d.version = c.version AND d.state = 'active'
  WHERE c.number = ?`;

const SIMILAR = `
  SELECT w.word FROM (
    SELECT word AS id, count(*) AS shared FROM spellings
    WHERE key IN (SELECT value FROM json_each(?)) GROUP BY word) s
  CROSS JOIN words w ON w.id = s.id ORDER BY s.shared DESC, w.word LIMIT ${SIMILAR_WORDS}`;

const NEAREST = `
  SELECT chunk_number FROM live.chunk_vectors
  WHERE kb_id = ? AND model = ? AND length(vector) = length(?)
  ORDER BY vec_distance_cosine(vector, ?), chunk_number`;

/** As SQLite takes it. */
const NO_LIMIT = -1;

type Row = Omit<FoundPassage, 'metadata'> & { metadata: string };
type Scored = Pick<Hit, 'number' | 'score'>;

export class SqliteIndexReader implements IndexReader {
  private readonly hits;
  private readonly hitsWithCodes;
  private readonly has;
  private readonly count;
  private readonly codes;
  private readonly passage;
  private readonly metadata;
  private readonly similar;
  private nearestNumbers?: Database.Statement<[string, string, Buffer, Buffer], number>;

  constructor(
    private readonly index: Database.Database,
    private readonly kbId: string,
  ) {
    this.hits = index.prepare<[string, number], Scored>(HITS);
    this.hitsWithCodes = index.prepare<[string, number], Scored & { codes: Uint8Array }>(
      HITS_WITH_CODES,
    );
    this.has = index.prepare<[string]>('SELECT 1 FROM passages WHERE passages MATCH ? LIMIT 1');
    this.count = index
      .prepare<[string], number>('SELECT count(*) FROM passages WHERE passages MATCH ?')
      .pluck();
    this.codes = index
      .prepare<[number], Uint8Array>('SELECT codes FROM codes WHERE number = ?')
      .pluck();
    this.passage = index.prepare<[number], Row>(PASSAGE);
    this.metadata = index.prepare<[number], string>(METADATA).pluck();
    this.similar = index.prepare<[string], string>(SIMILAR).pluck();
  }

  find({ terms, reach, filter, onlyKnown }: Wanted): Hits {
    const unknown = onlyKnown
      ? [...new Set(terms)].filter((term) => !this.has.get(matchAny([term])))
      : [];
    if (unknown.length > 0) return { unknown, hits: [], more: false };
    const match = matchAny(terms);
    if (reach === 'near' && !filter) {
      const found = this.hitsWithCodes.all(match, WINDOW);
      const hits = found.map(({ codes, ...hit }) => ({ ...hit, codes: readCodes(codes) }));
      return { unknown, hits, more: found.length === WINDOW };
    }
    const hits: Hit[] = [];
    const window = reach === 'near' ? WINDOW : WIDE_WINDOW;
    const limit = reach === 'near' ? FILTERED_HITS : NO_LIMIT;
    let looked = 0;
    for (const hit of this.hits.iterate(match, limit)) {
      looked++;
      if (!this.meets(hit.number, filter)) continue;
      hits.push({ ...hit, codes: this.codesOf(hit.number) });
      if (hits.length === window) break;
    }
    const more = reach === 'near' && (looked === limit || hits.length === window);
    return { unknown, hits, more };
  }

  nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: Filter,
  ): Pick<Hit, 'number' | 'codes'>[] {
    const bytes = vectorBytes(vector);
    const near: Pick<Hit, 'number' | 'codes'>[] = [];
    // Prepared when it is needed: without vectors it could not be.
    this.nearestNumbers ??= this.index
      .prepare<[string, string, Buffer, Buffer], number>(NEAREST)
      .pluck();
    for (const number of this.nearestNumbers.iterate(this.kbId, model, bytes, bytes)) {
      if (!this.meets(number, filter)) continue;
      near.push({ number, codes: this.codesOf(number) });
      if (near.length === limit) break;
    }
    return near;
  }

  similarWords(keys: readonly string[]): string[] {
    return this.similar.all(JSON.stringify(keys));
  }

  frequencies(terms: readonly string[]): Map<string, number> {
    return new Map(terms.map((term) => [term, this.count.get(matchAny([term])) ?? 0]));
  }

  load(numbers: readonly number[]): FoundPassage[] {
    return numbers.flatMap((number) => {
      const row = this.passage.get(number);
      return row
        ? [{ ...row, metadata: JSON.parse(row.metadata) as FoundPassage['metadata'] }]
        : [];
    });
  }

  /** Whether a passage may be shown, and its document meets the filter. */
  private meets(number: number, filter: Filter | undefined): boolean {
    const metadata = this.metadata.get(number);
    if (metadata === undefined) return false;
    return !filter || meets(JSON.parse(metadata) as Record<string, unknown>, filter);
  }

  private codesOf(number: number): Codes | undefined {
    const codes = this.codes.get(number);
    return codes && readCodes(codes);
  }
}
