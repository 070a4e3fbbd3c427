import type { AnalysedPassage } from '@latchkey/ranking/analyse-passage';
import {
  addToBlocks,
  type BlockChange,
  countOf,
  type PostingBlock,
  postingsByTerm,
  removeFromBlocks,
} from '@latchkey/ranking/posting-block';
import { keysOfWord } from '@latchkey/ranking/spelling';
import type { IndexTransaction } from './index-transaction.js';
import * as sql from './write-statements.js';

/** Terms and words that one statement writes, so that each statement stays short. */
const STATEMENT_TERMS = 1000;
const STATEMENT_WORDS = 2000;

type StoredBlock = PostingBlock & { readonly term: string };

/** Locks the index's row, so that its counts and its postings change together. */
export const lockIndex = (transaction: IndexTransaction, kbId: string): Promise<unknown> =>
  transaction.query(
    `INSERT INTO search_indexes (kb_id) VALUES ($1)
     ON CONFLICT (kb_id) DO UPDATE SET chunks = search_indexes.chunks`,
    [kbId],
  );

export async function addChunks(
  transaction: IndexTransaction,
  kbId: string,
  passages: readonly AnalysedPassage[],
): Promise<void> {
  await lockIndex(transaction, kbId);
  const rows = await transaction.query<{ number: number }[]>(sql.ADD_CHUNKS, [
    passages.map(({ number }) => number),
    passages.map(({ tokens }) => tokens),
    passages.map(({ fingerprint }) => Buffer.from(fingerprint)),
    passages.map(({ terms }) => terms.join(' ')),
    passages.map(({ language }) => language),
    kbId,
  ]);
  const added = new Set(rows.map(({ number }) => number));
  const postings = postingsByTerm(passages.filter(({ number }) => added.has(number)));
  await changeBlocks(
    transaction,
    kbId,
    [...postings].map(([term, some]) => ({
      term,
      first: some.at(0)?.number ?? 0,
      last: some.at(-1)?.number ?? 0,
      change: (blocks) => addToBlocks(blocks, some),
    })),
  );
  await addWords(transaction, kbId, passages);
}

export async function removeChunks(
  transaction: IndexTransaction,
  kbId: string,
  numbers: number[],
): Promise<void> {
  // The first lock of the transaction, as in addChunks, so that the two cannot deadlock.
  await transaction.query('SELECT FROM search_indexes WHERE kb_id = $1 FOR UPDATE', [kbId]);
  const removed = await transaction.query<{ term: string; numbers: number[] }[]>(
    sql.REMOVE_CHUNKS,
    [numbers, kbId],
  );
  await changeBlocks(
    transaction,
    kbId,
    removed.map(({ term, numbers }) => ({
      term,
      first: Math.min(...numbers),
      last: Math.max(...numbers),
      change: (blocks) => removeFromBlocks(blocks, new Set(numbers)),
    })),
  );
  for (const slice of slices(removed, STATEMENT_WORDS)) {
    const words = await transaction.query<{ word: string }[]>(sql.REMOVE_UNUSED_WORDS, [
      kbId,
      slice.map(({ term }) => term),
    ]);
    if (words.length > 0) {
      await transaction.query(sql.REMOVE_SPELLINGS, [kbId, ...spellingColumns(words)]);
    }
  }
}

/** A change to those blocks of a term that have passages with numbers from `first` to `last`. */
interface TermChange {
  readonly term: string;
  readonly first: number;
  readonly last: number;
  readonly change: (blocks: readonly StoredBlock[]) => readonly BlockChange<StoredBlock>[];
}

async function changeBlocks(
  transaction: IndexTransaction,
  kbId: string,
  changes: readonly TermChange[],
) {
  for (const slice of slices(changes, STATEMENT_TERMS)) {
    const rows = await transaction.query<StoredBlock[]>(sql.BLOCKS, [
      kbId,
      slice.map(({ term }) => term),
      slice.map(({ first }) => first),
      slice.map(({ last }) => last),
    ]);
    const blocks = Map.groupBy(rows, ({ term }) => term);
    const removed: StoredBlock[] = [];
    const written: StoredBlock[] = [];
    for (const { term, change } of slice) {
      for (const { old, replacement } of change(blocks.get(term) ?? [])) {
        if (old && !replacement.some(({ first }) => first === old.first)) removed.push(old);
        written.push(...replacement.map((block) => ({ term, ...block })));
      }
    }
    const keyColumns = (some: readonly StoredBlock[]) => [
      some.map(({ term }) => term),
      some.map(({ first }) => first),
    ];
    if (removed.length > 0) {
      await transaction.query(sql.REMOVE_BLOCKS, [kbId, ...keyColumns(removed)]);
    }
    await transaction.query(sql.WRITE_BLOCKS, [
      kbId,
      ...keyColumns(written),
      written.map(({ bytes }) => countOf(bytes)),
      written.map(({ bytes }) => Buffer.from(bytes)),
    ]);
  }
}

async function addWords(
  transaction: IndexTransaction,
  kbId: string,
  passages: readonly AnalysedPassage[],
): Promise<void> {
  const pairs = passages.flatMap(({ spellings }) => spellings);
  const uniquePairs = [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()];
  for (const slice of slices(uniquePairs, STATEMENT_WORDS)) {
    const added = await transaction.query<{ word: string }[]>(sql.ADD_WORDS, [
      kbId,
      slice.map(([word]) => word),
      slice.map(([, stem]) => stem),
    ]);
    await transaction.query(sql.ADD_SPELLINGS, [kbId, ...spellingColumns(added)]);
  }
}

function* slices<T>(all: readonly T[], length: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += length) yield all.slice(start, start + length);
}

/** Each spelling key of each word, as two columns of equal length. */
function spellingColumns(words: { word: string }[]): [keys: string[], words: string[]] {
  const rows = words.flatMap(({ word }) => keysOfWord(word).map((key) => ({ key, word })));
  return [rows.map(({ key }) => key), rows.map(({ word }) => word)];
}
