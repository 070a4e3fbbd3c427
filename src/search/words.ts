import { stemmer } from 'stemmer';
import { foldText } from './fold-text.js';

/** More than this of a word tells it from no other, and an index has room for so much. */
const MAX_WORD_LENGTH = 64;

// Chinese and Japanese write no spaces between words, Korean glues particles to them.
const CJK = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}';
const RUNS = new RegExp(`[${CJK}]+|[^\\s${CJK}]+`, 'gu');
const IS_CJK = new RegExp(`^[${CJK}]`, 'u');

/**
 * The words of a text, folded and in order. What is written without spaces counts as overlapping
 * pairs of characters, so that a word is found wherever it stands; a character alone as itself.
 */
export const words = (text: string): string[] =>
  runs(text).flatMap((run) => (IS_CJK.test(run) ? pairs(run) : cut(run)));

/** The characters that `words` tells only in pairs. */
export const singleCharacters = (text: string): string[] =>
  runs(text).flatMap((run) => {
    const characters = IS_CJK.test(run) ? Array.from(run) : [];
    return characters.length > 1 ? characters : [];
  });

/** What a word has in common with its other forms, by the algorithm of Porter. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = stemmer(word);
  if (stems.size >= MAX_STEMS) stems.clear();
  stems.set(word, found);
  return found;
}

const MAX_STEMS = 20_000;
const stems = new Map<string, string>();

const runs = (text: string): string[] => foldText(text).match(RUNS) ?? [];

const cut = (run: string): string => run.slice(0, MAX_WORD_LENGTH).toWellFormed();

function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, before) => `${characters[before] ?? ''}${character}`);
}
