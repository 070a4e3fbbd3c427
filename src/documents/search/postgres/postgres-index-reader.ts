import { type Fingerprint, readFingerprint } from '@latchkey/ranking/fingerprint';
import {
  type IndexReader,
  type IndexStatistics,
  type LanguageRow,
  type LoadedPassage,
  type NearestHit,
  toStatistics,
} from '@latchkey/ranking/index-reader';
import type { Filter } from '@latchkey/ranking/metadata-filter';
import { type PostingBlock, type PostingList, readBlocks } from '@latchkey/ranking/posting-block';
import type { SimilarWord, SimilarWordLimits } from '@latchkey/ranking/spelling';
import { cosineSimilarity, readVector, vectorSigns, vectorText } from '@latchkey/embeddings/vector';
import { metadataPath } from './metadata-path.js';
import type { SearchConnection } from './search-connection.js';
import * as statements from './read-statements.js';

interface HitRow {
  readonly number: number;
  readonly fingerprint: Uint8Array | null;
}

/** A vector that is stored as bytes, or the similarity that pgvector has computed. */
interface NearRow extends HitRow {
  readonly vector: Uint8Array | null;
  readonly similarity: number;
}

interface FrequencyRow {
  readonly term: string;
  readonly frequency: number;
}

type TermRow<Row> = Row & { readonly term: string };

const EMPTY: IndexStatistics = { passages: 0, tokens: 0, languages: [] };

export class PostgresIndexReader implements IndexReader {
  constructor(
    private readonly connection: SearchConnection,
    private readonly kbId: string,
  ) {}

  async statistics(): Promise<IndexStatistics> {
    const [row = EMPTY] = await this.query<IndexStatistics>(statements.STATISTICS, [this.kbId]);
    return { ...row, languages: row.languages.map((language) => language || null) };
  }

  async statisticsOf(filter: Filter): Promise<IndexStatistics> {
    return toStatistics(
      await this.query<LanguageRow>(statements.STATISTICS_OF_MATCHING, [
        this.kbId,
        metadataPath(filter),
      ]),
    );
  }

  async frequencies(stems: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.query<FrequencyRow>(statements.FREQUENCIES, [this.kbId, stems]);
    return new Map(rows.map(({ term, frequency }) => [term, frequency]));
  }

  async postings(stems: readonly string[]): Promise<PostingList[]> {
    const rows = await this.query<TermRow<PostingBlock>>(statements.POSTINGS, [this.kbId, stems]);
    const blocks = Map.groupBy(rows, ({ term }) => term);
    return stems.map((stem) => readBlocks(blocks.get(stem) ?? []));
  }

  async fingerprints(numbers: readonly number[]): Promise<Map<number, Fingerprint>> {
    const rows = await this.query<HitRow>(statements.FINGERPRINTS, [numbers]);
    return new Map(
      rows.flatMap(({ number, fingerprint }) => {
        const found = readFingerprint(fingerprint);
        return found ? [[number, found] as const] : [];
      }),
    );
  }

  similarWords(
    keys: readonly string[],
    { minShared, limit }: SimilarWordLimits,
  ): Promise<SimilarWord[]> {
    const values = [this.kbId, keys, minShared, limit];
    return this.query<SimilarWord>(statements.SIMILAR_WORDS_BY_KEYS, values);
  }

  hasWord(): boolean {
    return true;
  }

  async hasFewerDocuments(count: number): Promise<boolean> {
    const [row] = await this.query<{ count: number }>(statements.COUNT_DOCUMENTS, [
      this.kbId,
      count,
    ]);
    return Number(row?.count) < count;
  }

  async visible(numbers: readonly number[], filter: Filter | undefined): Promise<Set<number>> {
    const path = filter ? metadataPath(filter) : null;
    const rows = await this.query<{ number: number }>(statements.VISIBLE, [numbers, path]);
    return new Set(rows.map(({ number }) => number));
  }

  async matching(filter: Filter): Promise<Set<number>> {
    const rows = await this.query<{ number: number }>(statements.MATCHING, [
      this.kbId,
      metadataPath(filter),
    ]);
    return new Set(rows.map(({ number }) => number));
  }

  async nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    filter?: Filter,
  ): Promise<NearestHit[]> {
    const values = [this.kbId, model, vectorSigns(vector), limit, filter && metadataPath(filter)];
    const rows = (await this.hasEmbeddingColumn())
      ? await this.query<NearRow>(statements.NEAREST_BY_PGVECTOR, [...values, vectorText(vector)])
      : await this.query<NearRow>(statements.NEAREST, values);
    return rows
      .map((row) => ({
        ...row,
        similarity: row.vector ? cosineSimilarity(vector, readVector(row.vector)) : row.similarity,
      }))
      .sort((one, other) => other.similarity - one.similarity || one.number - other.number)
      .slice(0, limit)
      .map((row) => ({ number: row.number, fingerprint: readFingerprint(row.fingerprint) }));
  }

  async withVectors(model: string, numbers: readonly number[]): Promise<Set<number>> {
    const statement = (await this.hasEmbeddingColumn())
      ? statements.WITH_VECTORS_BY_PGVECTOR
      : statements.WITH_VECTORS;
    const rows = await this.query<{ number: number }>(statement, [numbers, model]);
    return new Set(rows.map(({ number }) => number));
  }

  private async hasEmbeddingColumn(): Promise<boolean> {
    const [row] = await this.query<{ hasColumn: boolean }>(statements.HAS_EMBEDDING_COLUMN, []);
    return row?.hasColumn ?? false;
  }

  load(numbers: readonly number[]): Promise<LoadedPassage[]> {
    return this.connection.query<LoadedPassage>(statements.PASSAGES, [numbers]);
  }

  private query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return this.connection.queryUntilDeadline<Row>(text, values);
  }
}
