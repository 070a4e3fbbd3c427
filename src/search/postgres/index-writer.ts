import type { EntityManager } from 'typeorm';
import { keysOfWord } from '../spelling.js';
import type { IndexedPassage } from './analyse-passages.worker.js';
import {
  ADD_CHUNKS,
  ADD_SPELLINGS,
  ADD_WORDS,
  REMOVE_CHUNKS,
  REMOVE_SPELLINGS,
  REMOVE_UNUSED_WORDS,
} from './write-statements.js';

/** Postings, and words, that one statement writes, so that each statement stays short. */
const STATEMENT_POSTINGS = 10_000;
const STATEMENT_WORDS = 2000;

/** Locks the index's row, so that its counts and its postings change together. */
export const lockIndex = (manager: EntityManager, kbId: string): Promise<unknown> =>
  manager.query(
    `INSERT INTO search_indexes (kb_id) VALUES ($1)
     ON CONFLICT (kb_id) DO UPDATE SET chunks = search_indexes.chunks`,
    [kbId],
  );

export async function addChunks(
  manager: EntityManager,
  kbId: string,
  passages: readonly IndexedPassage[],
): Promise<void> {
  await lockIndex(manager, kbId);
  for (const slice of sliceByPostings(passages)) {
    await manager.query(ADD_CHUNKS, [
      slice.map(({ number }) => number),
      slice.map(({ tokens }) => tokens),
      slice.map(({ fingerprint }) => Buffer.from(fingerprint)),
      slice.flatMap(({ number, terms }) => terms.map(() => number)),
      slice.flatMap(({ terms }) => terms),
      slice.flatMap(({ frequencies }) => frequencies),
      kbId,
    ]);
  }
  const stems = [...new Map(passages.flatMap(({ spellings }) => spellings))];
  for (let start = 0; start < stems.length; start += STATEMENT_WORDS) {
    const slice = stems.slice(start, start + STATEMENT_WORDS);
    const added = await manager.query<{ word: string }[]>(ADD_WORDS, [
      kbId,
      slice.map(([word]) => word),
      slice.map(([, stem]) => stem),
    ]);
    await manager.query(ADD_SPELLINGS, [kbId, ...spellingColumns(added)]);
  }
}

export async function removeChunks(
  manager: EntityManager,
  kbId: string,
  numbers: number[],
): Promise<void> {
  // The first lock of the transaction, as in addChunks, so that the two cannot deadlock.
  await manager.query('SELECT FROM search_indexes WHERE kb_id = $1 FOR UPDATE', [kbId]);
  const removed = await manager.query<{ term: string }[]>(REMOVE_CHUNKS, [numbers, kbId]);
  for (let start = 0; start < removed.length; start += STATEMENT_WORDS) {
    const terms = removed.slice(start, start + STATEMENT_WORDS).map(({ term }) => term);
    const [words] = await manager.query<[{ word: string }[], number]>(REMOVE_UNUSED_WORDS, [
      kbId,
      terms,
    ]);
    if (words.length > 0) {
      await manager.query(REMOVE_SPELLINGS, [kbId, ...spellingColumns(words)]);
    }
  }
}

/** Slices of at most STATEMENT_POSTINGS postings, or of one passage that has more. */
function* sliceByPostings(passages: readonly IndexedPassage[]): Generator<IndexedPassage[]> {
  let slice: IndexedPassage[] = [];
  let postings = 0;
  for (const passage of passages) {
    if (slice.length > 0 && postings + passage.terms.length > STATEMENT_POSTINGS) {
      yield slice;
      [slice, postings] = [[], 0];
    }
    slice.push(passage);
    postings += passage.terms.length;
  }
  if (slice.length > 0) yield slice;
}

/** Each spelling key of each word, as two columns of equal length. */
function spellingColumns(words: { word: string }[]): [keys: string[], words: string[]] {
  const rows = words.flatMap(({ word }) => keysOfWord(word).map((key) => ({ key, word })));
  return [rows.map(({ key }) => key), rows.map(({ word }) => word)];
}
