import type { IndexReader } from './index-reader.js';
import { stem } from '@latchkey/text/tokenize';

/** Shorter parts are often not words of their own. */
const MIN_PART = 4;
const MAX_LENGTH = 32;
/** The maximum number of words of a question that are split. */
const MAX_WORDS = 4;
const LETTERS = /^\p{L}+$/u;
/** A code without the mark between its parts: "kx100" for KX-100. */
const CODE = /^(?=.*\p{L})(?=.*\p{Nd})[\p{L}\p{Nd}]+$/u;
const CODE_PARTS = /\p{L}+|\p{Nd}+/gu;
const MAX_CODE_PARTS = 4;

/** A part of a compound word, as a stem that the index contains. */
export interface CompoundPart {
  readonly stem: string;
  /** How many passages contain it. */
  readonly frequency: number;
}

/**
 * Splits compound words that the index does not contain ("Eisenbahnstrecke") into two words that it
 * contains, and codes ("kx100") into letters and digits. If a word can be split in several ways, the one with the rarest parts is used.
 *
 * @param words folded words that the index does not contain
 * @param languages those of the knowledge base (BCP 47, null for unknown)
 * @returns the parts of each word that can be split
 */
export async function splitCompounds(
  reader: Pick<IndexReader, 'frequencies'>,
  words: readonly string[],
  languages: readonly (string | null)[],
): Promise<Map<string, readonly CompoundPart[]>> {
  const splits = words
    .filter((word) => word.length <= MAX_LENGTH && (LETTERS.test(word) || CODE.test(word)))
    .slice(0, MAX_WORDS)
    .flatMap((word) => listSplits(word).map((parts) => ({ word, parts })));
  const toStems = (part: string) => languages.map((language) => stem(part, language));
  const stems = splits.flatMap(({ parts }) => parts.flatMap(toStems));
  if (stems.length === 0) return new Map();
  const frequencies = await reader.frequencies([...new Set(stems)]);
  const best = new Map<string, readonly CompoundPart[]>();
  for (const { word, parts } of splits) {
    const found = parts.flatMap((part) => {
      const known = toStems(part).find((one) => (frequencies.get(one) ?? 0) > 0);
      return known === undefined ? [] : [{ stem: known, frequency: frequencies.get(known) ?? 0 }];
    });
    if (found.length < parts.length) continue;
    const before = best.get(word);
    if (!before || multiplyFrequencies(found) < multiplyFrequencies(before)) best.set(word, found);
  }
  return best;
}

function listSplits(word: string): string[][] {
  if (!LETTERS.test(word)) {
    const parts = word.match(CODE_PARTS) ?? [];
    return parts.length <= MAX_CODE_PARTS ? [parts] : [];
  }
  return Array.from({ length: Math.max(0, word.length - 2 * MIN_PART + 1) }, (_, index) => [
    word.slice(0, index + MIN_PART),
    word.slice(index + MIN_PART),
  ]);
}

const multiplyFrequencies = (parts: readonly CompoundPart[]): number =>
  parts.reduce((result, { frequency }) => result * frequency, 1);
