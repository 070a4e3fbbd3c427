import { foldLetters, normalizeText } from './fold-text.js';
import { getLanguage, getLanguageOfWord } from './language/languages.js';
import { segmentWords } from './language/segment-words.js';

/** Longer words are cut: their beginning tells them apart, and an index must not grow by them. */
const MAX_WORD_LENGTH = 64;
const MAX_CACHED_STEMS = 20_000;
/** The number of languages is limited, because clients may declare any tags, such as `en-x-shop`. */
const MAX_CACHED_LANGUAGES = 64;

// Chinese and Japanese write no spaces between words; Korean attaches particles to them.
const CJK = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}';
// These write no spaces between words either, and have dictionaries of words in ICU.
const SEGMENTED = '\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const WORD = '\\p{L}\\p{N}\\p{M}';
const RUNS = new RegExp(
  `(?<cjk>(?:(?=[${CJK}])[${WORD}])+)|(?<segmented>(?:(?=[${SEGMENTED}])[${WORD}])+)|(?:(?![${CJK}${SEGMENTED}])[${WORD}])+`,
  'gu',
);
const ASCII_RUNS = /[a-z0-9]+/g;
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Splits a text into words in order, in lower case and with their accents. A run of CJK characters is split into
 * overlapping bigrams, so that a word is found wherever it stands; a single character is a word. Other scripts
 * without spaces are segmented by ICU's dictionaries.
 *
 * @param language of the text (BCP 47), null if it is unknown
 */
export function tokenize(text: string, language: string | null = null): string[] {
  const normalized = normalizeText(text, getLanguage(language).locale);
  if (!NOT_ASCII.test(normalized)) return (normalized.match(ASCII_RUNS) ?? []).map(cut);
  const words: string[] = [];
  for (const { 0: run, groups } of normalized.matchAll(RUNS)) {
    if (groups?.['cjk'] !== undefined) words.push(...toBigrams(run));
    else if (groups?.['segmented'] !== undefined) words.push(...segmentWords(run).map(cut));
    else words.push(cut(run));
  }
  return words;
}

/** Lists the characters that `tokenize` returns only within bigrams. */
export function listSingleCharacters(text: string): string[] {
  const normalized = normalizeText(text);
  if (!NOT_ASCII.test(normalized)) return [];
  return [...normalized.matchAll(RUNS)].flatMap(({ 0: run, groups }) => {
    const characters = groups?.['cjk'] === undefined ? [] : Array.from(run);
    return characters.length > 1 ? characters : [];
  });
}

const stems = new Map<string, Map<string, string>>();

/**
 * The form in which a word is indexed: stemmed, and without accents.
 *
 * @param word as `tokenize` gives it
 * @param language of the text
 */
export function stem(word: string, language: string | null = null): string {
  const key = language ?? '';
  let known = stems.get(key);
  if (!known) {
    if (stems.size >= MAX_CACHED_LANGUAGES) stems.clear();
    stems.set(key, (known = new Map<string, string>()));
  }
  const found = known.get(word);
  if (found !== undefined) return found;
  const folded = stemIn(word, language);
  if (known.size >= MAX_CACHED_STEMS) known.clear();
  known.set(word, folded);
  return folded;
}

function stemIn(word: string, language: string | null): string {
  const { stem: stemmer, keepsMarks } = getLanguageOfWord(word, language);
  return keepsMarks ? stemmer(word) : foldLetters(stemmer(word));
}

const cut = (run: string): string =>
  run.length > MAX_WORD_LENGTH ? run.slice(0, MAX_WORD_LENGTH).toWellFormed() : run;

function toBigrams(run: string): string[] {
  const characters = Array.from(run);
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, before) => `${characters[before] ?? ''}${character}`);
}
