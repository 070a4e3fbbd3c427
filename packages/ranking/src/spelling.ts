import { SIMILAR_WORDS } from './bounds.js';
import type { IndexReader } from './index-reader.js';

/** The maximum number of corrected words in a question. */
const MAX_CORRECTIONS = 8;
/** Shorter words are similar to too many others; longer ones are rarely words. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 24;
/** In words of this length or longer, two letters may be wrong. */
const TWO_MISTAKES_LENGTH = 8;
/** Shorter names are not corrected. */
const MIN_NAME_LENGTH = 6;
/** Words up to this length are compared by deletions, since one mistake changes many of their few trigrams. */
const SHORT_LENGTH = 7;

// Folded Latin, Greek and Cyrillic letters.
const LETTERS = new RegExp(`^[a-zß-ɏͰ-ԯ]{${MIN_LENGTH},${MAX_LENGTH}}$`);

/** Whether a word may be a misspelling, or the correction of one. */
export const isCorrectable = (word: string): boolean => LETTERS.test(word);

/** The keys by which the index finds a word from its misspellings. */
export const listWordKeys = (word: string): string[] => [
  // The misspelling may lack a letter, or have one or two too many.
  ...(word.length <= SHORT_LENGTH + 1 ? listDeletions(word) : []),
  ...(word.length >= SHORT_LENGTH - 1 ? listTrigrams(word) : []),
];

/** The keys under which to look for the words that a misspelling may mean. */
export const listMisspellingKeys = (word: string): string[] =>
  word.length <= SHORT_LENGTH ? listDeletions(word) : listTrigrams(word);

const getMaxDistance = (word: string): number => (word.length < TWO_MISTAKES_LENGTH ? 1 : 2);

/** An indexed word, folded. */
export interface SimilarWord {
  readonly word: string;
  readonly stem: string;
}

/** Limits for the similar words that an index returns. */
export interface SimilarWordLimits {
  /** The least number of shared keys. */
  readonly minShared: number;
  readonly limit: number;
}

/** A word of a question that the index does not have. */
interface UnknownWord {
  /** Folded. */
  readonly word: string;
  readonly mayBeName: boolean;
}

/** An indexed word, and how many passages have its stem. */
export interface Correction {
  readonly word: string;
  readonly stem: string;
  readonly frequency: number;
}

/**
 * Finds the nearest indexed word for each unknown word. Among equally near ones it prefers the same first letter,
 * which is seldom mistaken, then the most frequent word. A similar name is often another name, so only long names
 * are corrected, and only one mistake behind the first letter.
 */
export async function correctSpelling(
  reader: Pick<IndexReader, 'similarWords' | 'frequencies' | 'hasWord'>,
  unknown: readonly UnknownWord[],
): Promise<Map<string, Correction>> {
  const misspelt = [...new Map(unknown.map((one) => [one.word, one])).values()]
    .filter(({ word, mayBeName }) => isCorrectable(word) && !(mayBeName && isShortName(word)))
    .slice(0, MAX_CORRECTIONS);
  const corrections = new Map<string, Correction>();
  for (const { word, mayBeName } of misspelt) {
    const limit = mayBeName ? 1 : getMaxDistance(word);
    const keys = listMisspellingKeys(word);
    const limits = { minShared: countLeastShared(word, keys), limit: SIMILAR_WORDS };
    const similar = (await reader.similarWords(keys, limits))
      .filter((other) => !mayBeName || other.word.startsWith(word.charAt(0)))
      .filter((other) => Math.abs(other.word.length - word.length) <= limit)
      .map((other) => ({ ...other, distance: computeEditDistance(word, other.word) }))
      .filter(({ distance }) => distance <= limit);
    if (similar.length === 0) continue;
    const frequencies = await reader.frequencies([...new Set(similar.map(({ stem }) => stem))]);
    const best = similar
      .map((one) => ({ ...one, frequency: frequencies.get(one.stem) ?? 0 }))
      .filter(({ frequency }) => frequency > 0)
      .map((one) => ({ ...one, isOther: Number(one.word.charAt(0) !== word.charAt(0)) }))
      .sort(
        (one, other) =>
          one.distance - other.distance ||
          one.isOther - other.isOther ||
          other.frequency - one.frequency,
      );
    for (const { word: other, stem, frequency } of best) {
      if (!(await reader.hasWord({ word: other, stem }))) continue;
      corrections.set(word, { word: other, stem, frequency });
      break;
    }
  }
  return corrections;
}

/** The least number of keys that a correction shares: a wrong letter is in three trigrams, swapped ones in four. */
const countLeastShared = (word: string, keys: readonly string[]): number =>
  word.length <= SHORT_LENGTH ? 1 : Math.max(1, keys.length - 4 * getMaxDistance(word));

const isShortName = (word: string): boolean => word.length < MIN_NAME_LENGTH;

/** The word, and the word without each of its letters: two words one mistake apart share a key. */
const listDeletions = (word: string): string[] => [
  ...new Set([
    `-${word}`,
    ...Array.from(word, (_, at) => `-${word.slice(0, at)}${word.slice(at + 1)}`),
  ]),
];

function listTrigrams(word: string): string[] {
  const padded = `^${word}$`;
  return [...new Set(Array.from(word, (_, at) => padded.slice(at, at + 3)))];
}

/** The number of letters to insert, delete, replace or swap (optimal string alignment). */
export function computeEditDistance(one: string, other: string): number {
  const width = other.length + 1;
  /** The distances between the beginnings of `one` and those of `other`, row by row. */
  const distances = new Uint8Array((one.length + 1) * width);
  const at = (row: number, column: number) => distances[row * width + column] ?? 0;
  for (let row = 0; row <= one.length; row++) {
    for (let column = 0; column < width; column++) {
      let distance = row + column;
      if (row > 0 && column > 0) {
        const isSame = one[row - 1] === other[column - 1];
        distance = Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
        );
        const mayBeSwapped = row > 1 && column > 1;
        if (
          mayBeSwapped &&
          one[row - 1] === other[column - 2] &&
          one[row - 2] === other[column - 1]
        ) {
          distance = Math.min(distance, at(row - 2, column - 2) + 1);
        }
      }
      distances[row * width + column] = distance;
    }
  }
  return at(one.length, other.length);
}
