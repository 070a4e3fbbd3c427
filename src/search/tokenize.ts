import { stemmer } from 'stemmer';
import { foldText } from './fold-text.js';

/** Longer words are cut: their beginning tells them apart, and an index must not grow by them. */
const MAX_WORD_LENGTH = 64;
const MAX_CACHED_STEMS = 20_000;

// Chinese and Japanese write no spaces between words; Korean attaches particles to them.
const CJK = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}';
const RUNS = new RegExp(`[${CJK}]+|[^\\s${CJK}]+`, 'gu');
const IS_CJK = new RegExp(`^[${CJK}]`, 'u');

/**
 * The words of a text, folded and in order. A run of CJK characters gives overlapping bigrams, so
 * that a word is found wherever it stands; a single character gives itself.
 */
export const tokenize = (text: string): string[] =>
  runs(text).flatMap((run) => (IS_CJK.test(run) ? bigrams(run) : cut(run)));

/** The characters that `tokenize` gives only within bigrams. */
export const singleCharacters = (text: string): string[] =>
  runs(text).flatMap((run) => {
    const characters = IS_CJK.test(run) ? Array.from(run) : [];
    return characters.length > 1 ? characters : [];
  });

const stems = new Map<string, string>();

/** The stem of a word by Porter's algorithm. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = stemmer(word);
  if (stems.size >= MAX_CACHED_STEMS) stems.clear();
  stems.set(word, found);
  return found;
}

const runs = (text: string): string[] => foldText(text).match(RUNS) ?? [];

const cut = (run: string): string => run.slice(0, MAX_WORD_LENGTH).toWellFormed();

function bigrams(run: string): string[] {
  const characters = Array.from(run);
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, before) => `${characters[before] ?? ''}${character}`);
}
