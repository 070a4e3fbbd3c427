import type Database from 'better-sqlite3';
import type { IndexSize } from '@latchkey/ranking/bm25';
import {
  divide,
  type Posting,
  type PostingBlock,
  type PostingList,
  readBlock,
  readBlocks,
} from '@latchkey/ranking/posting-block';
import * as statements from './statements.js';

/** Reads the passages of an index of the former format that are not indexed again yet. */
export class FormerIndex {
  private readonly find;
  private readonly count;

  constructor(index: Database.Database) {
    index.exec(statements.CREATE_FORMER_VOCABULARY);
    this.find = index.prepare<[string], Posting>(statements.FORMER_POSTINGS);
    this.count = index.prepare<[], { passages: number; tokens: number | null }>(
      statements.COUNT_FORMER,
    );
  }

  size(): IndexSize {
    const { passages = 0, tokens = 0 } = this.count.get() ?? {};
    return { passages, tokens: tokens ?? 0 };
  }

  postings(stem: string): Posting[] {
    return this.find.all(stem);
  }

  mergeWith(blocks: readonly PostingBlock[], stem: string): PostingList {
    const postings = [...blocks.flatMap(readBlock), ...this.postings(stem)];
    return readBlocks(divide(postings.sort((one, other) => one.number - other.number)));
  }
}
