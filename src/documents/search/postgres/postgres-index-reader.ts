import { type Fingerprint, readFingerprint } from '@latchkey/ranking/fingerprint';
import {
  type IndexReader,
  type IndexStatistics,
  type LanguageRow,
  type LoadedPassage,
  toStatistics,
} from '@latchkey/ranking/index-reader';
import type { Filter } from '@latchkey/ranking/metadata-filter';
import { type PostingBlock, type PostingList, readBlocks } from '@latchkey/ranking/posting-block';
import type { SimilarWord, SimilarWordLimits } from '@latchkey/ranking/spelling';
import type { CodeIndex } from '@latchkey/embeddings/code-index';
import { CODE_ROWS, CodeIndexCache, type CodeRow } from '@latchkey/embeddings/code-index-cache';
import type { StoredWindows } from '@latchkey/embeddings/window-vectors';
import { metadataPath } from './metadata-path.js';
import type { SearchConnection } from './search-connection.js';
import * as statements from './read-statements.js';

interface HitRow {
  readonly number: number;
  readonly fingerprint: Uint8Array | null;
}

type WindowRow = Omit<StoredWindows, 'codes'> & { readonly number: number };

interface FrequencyRow {
  readonly term: string;
  readonly frequency: number;
}

type TermRow<Row> = Row & { readonly term: string };

/** Of the process, for all knowledge bases. */
const codeIndexes = new CodeIndexCache();
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

  codes(model: string): Promise<CodeIndex> {
    return codeIndexes.get(`${this.kbId} ${model}`, (after) =>
      this.query<CodeRow>(statements.CODES, [this.kbId, model, after, CODE_ROWS]),
    );
  }

  forgetCodes(model: string): void {
    codeIndexes.forget(`${this.kbId} ${model}`);
  }

  async windows(model: string, numbers: readonly number[]): Promise<Map<number, WindowRow>> {
    const rows = await this.query<WindowRow>(statements.WINDOWS, [numbers, model]);
    return new Map(rows.map((row) => [row.number, row]));
  }

  load(numbers: readonly number[]): Promise<LoadedPassage[]> {
    return this.connection.query<LoadedPassage>(statements.PASSAGES, [numbers]);
  }

  private query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return this.connection.queryUntilDeadline<Row>(text, values);
  }
}
