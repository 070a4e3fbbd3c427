import type { IndexReader } from './search-passages.js';
import { stem } from './words.js';

/** More unknown words of a question than this are not corrected. */
const MAX_CORRECTIONS = 8;
/** Shorter words are one letter away from too many others, longer ones are no words. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 24;
/** From this length on two letters may be wrong. */
const TWO_MISTAKES = 8;
/** Up to this length a mistake leaves too few letter triples. */
const SHORT = 5;

// Folded Latin, Greek and Cyrillic letters.
const LETTERS = new RegExp(`^[a-zß-ɏͰ-ԯ]{${MIN_LENGTH},${MAX_LENGTH}}$`);

/** Whether a word may be a misspelling, or what one was meant to be. */
export const isCorrectable = (word: string): boolean => LETTERS.test(word);

/** What a word is kept under, so that its misspellings lead to it. */
export const keysOfWord = (word: string): string[] => [
  // One more than SHORT, since the misspelling may lack a letter.
  ...(word.length <= SHORT + 1 ? withoutALetter(word) : []),
  ...triples(word),
];

/** What to look under for the words that a misspelling may mean. */
export const keysOfMisspelling = (word: string): string[] =>
  word.length <= SHORT ? withoutALetter(word) : triples(word);

/** How many letters of a word may be wrong. */
export const mistakesAllowed = (word: string): number => (word.length < TWO_MISTAKES ? 1 : 2);

/** The stem of a word that the index knows, and how many passages have it. */
export interface Correction {
  readonly stem: string;
  readonly frequency: number;
}

/**
 * What words likely mean that no passage has: of the known words with the fewest mistakes between
 * them the most frequent one.
 */
export async function correctSpelling(
  reader: Pick<IndexReader, 'similarWords' | 'frequencies'>,
  unknown: readonly string[],
): Promise<Map<string, Correction>> {
  const misspelt = [...new Set(unknown)].filter(isCorrectable).slice(0, MAX_CORRECTIONS);
  const corrections = new Map<string, Correction>();
  for (const word of misspelt) {
    const similar = (await reader.similarWords(keysOfMisspelling(word)))
      .map((other) => ({ stem: stem(other), mistakes: mistakesBetween(word, other) }))
      .filter(({ mistakes }) => mistakes <= mistakesAllowed(word));
    if (similar.length === 0) continue;
    const frequencies = await reader.frequencies([...new Set(similar.map(({ stem }) => stem))]);
    const [best] = similar
      .map((one) => ({ ...one, frequency: frequencies.get(one.stem) ?? 0 }))
      .filter(({ frequency }) => frequency > 0)
      .sort((one, other) => one.mistakes - other.mistakes || other.frequency - one.frequency);
    if (best) corrections.set(word, best);
  }
  return corrections;
}

/** The word, and the word without each of its letters: any two a mistake apart share one. */
const withoutALetter = (word: string): string[] => [
  ...new Set([
    `-${word}`,
    ...Array.from(word, (_, at) => `-${word.slice(0, at)}${word.slice(at + 1)}`),
  ]),
];

function triples(word: string): string[] {
  const padded = `^${word}$`;
  return [...new Set(Array.from(word, (_, at) => padded.slice(at, at + 3)))];
}

/**
 * How many letters must be put in, left out, replaced or swapped with their neighbour (Damerau and
 * Levenshtein).
 */
export function mistakesBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      let least = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1]
      ) {
        least = Math.min(least, at(beforeLast, column - 2) + 1);
      }
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

const at = (row: number[], column: number): number => row[column] ?? Infinity;
