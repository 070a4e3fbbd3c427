import { loadEnglishWords } from './english-words.js';

export interface Vocabulary {
  /**
   * The words of a document, as they occur within its lines; of hyphenated words also the first and last
   * part: `long-`, `-term`.
   */
  readonly words: ReadonlySet<string>;
  /** Whether its lines may end within a word that has no hyphen. */
  readonly isHyphenated: boolean;
  /** The words of English, if it is in English. */
  readonly english: () => ReadonlySet<string> | undefined;
}

const HYPHENATED_END = /(?<![\p{L}\p{N}-])([\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)[-\u2010\u00ad]$/u;
const WORD_START = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/u;
const LOWER_CASE = /^\p{Ll}/u;
/** Parts that are never syllables, so that a hyphen after them stays: single letters, capitals, digits. */
const NO_SYLLABLE = /^\p{L}$|\p{Lu}{2}|\p{N}|\p{Ll}\p{Lu}/u;
const CAPITALS = /^\p{Lu}{2,}$/u;
const UNSPACED_END =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}，。、；：！？）」』】]$/u;
const UNSPACED_START =
  /^[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}（「『【，。、]/u;
const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;
const HYPHEN_WITHIN = /\p{L}[-\u2010](?=\p{L})/gu;
const SYLLABLE_END = /\p{Ll}[-\u2010\u00ad]$/u;
/** Shorter words may also be syllables. */
const MIN_WORD = 4;
const MIN_ENGLISH_WORD = 3;
const SHORT_WORD = /^\p{Ll}{1,2}$/u;
/** A word with this many parts before the last hyphen, such as `state-of-the-`, was not hyphenated. */
const MIN_PARTS = 3;
const NO_HANGUL = /[^\p{sc=Hangul}]/u;
/** The number of characters at the end of a text that are examined. */
const CONTEXT = 60;

/**
 * In a document without hyphenation, lines end with a hyphen at most this often, per hyphen within the
 * lines and per line. With hyphenation, it is at least three times as often.
 */
const MAX_ENDS = { ofHyphens: 0.25, ofLines: 0.015 };

/** Collects the words of lines, without the parts of words that are cut at the end of a line. */
export function collectVocabulary(lines: Iterable<string>): Vocabulary {
  const words = new Set<string>();
  const add = (word: string) => {
    words.add(word);
    const parts = word.split('-');
    if (parts.length < 2) return;
    words.add(`${parts[0] ?? ''}-`);
    words.add(`-${parts.at(-1) ?? ''}`);
  };
  let isCut = false;
  let count = 0;
  let within = 0;
  let ends = 0;
  for (const line of lines) {
    count++;
    within += line.match(HYPHEN_WITHIN)?.length ?? 0;
    if (SYLLABLE_END.test(line)) ends++;
    const found = [...line.matchAll(WORD)];
    const endsCut = /[-\u2010]$/u.test(line);
    for (const { 0: word } of found.slice(isCut ? 1 : 0, endsCut ? -1 : undefined)) {
      add(word.toLowerCase());
    }
    isCut = endsCut;
  }
  const isHyphenated = ends > Math.max(MAX_ENDS.ofHyphens * within, MAX_ENDS.ofLines * count);
  let english: { readonly words: ReadonlySet<string> | undefined } | undefined;
  return {
    words,
    isHyphenated,
    // The English words are loaded lazily, since few documents need them.
    english: () => (english ??= { words: loadEnglishWords(words) }).words,
  };
}

/**
 * Appends a line to a text: with a space, or none where a word was hyphenated at the end of the line.
 *
 * @returns the text, and where the line begins in it
 */
export function joinLine(
  text: string,
  line: string,
  vocabulary: Vocabulary,
  isForced: boolean,
): { text: string; offset: number } {
  const end = text.slice(-CONTEXT);
  const word = HYPHENATED_END.exec(end)?.[1];
  const rest = WORD_START.exec(line)?.[0];
  if (word !== undefined && rest !== undefined) {
    const kept = isCompound(word, rest, vocabulary) ? text : text.slice(0, -1);
    return { text: kept + line, offset: kept.length };
  }
  if (isForced) return { text: `${text}\n${line}`, offset: text.length + 1 };
  const isUnspaced =
    isCutHangul(end, line, vocabulary) ||
    (UNSPACED_END.test(end) && UNSPACED_START.test(line)) ||
    (/[-\u2010/]$/u.test(end) && word !== undefined);
  return isUnspaced
    ? { text: text + line, offset: text.length }
    : { text: `${text} ${line}`, offset: text.length + 1 };
}

/** Joins the lines of a text. */
export const joinLines = (text: string, vocabulary: Vocabulary): string =>
  text.split('\n').reduce((joined, line) => joinLine(joined, line, vocabulary, false).text);

/** Whether the hyphen at the end of a line belongs to the word. */
function isCompound(word: string, rest: string, vocabulary: Vocabulary): boolean {
  const { words, isHyphenated } = vocabulary;
  if (!word.includes('-') && !rest.includes('-')) return isPair(word, rest, vocabulary);
  if (!isHyphenated || words.has(`${word}-${rest}`.toLowerCase())) return true;
  const parts = word.split('-');
  const last = parts.at(-1) ?? '';
  // Examples are `state-of-the-art` and `proof-of-purchase`.
  const isWord = words.has(last) || SHORT_WORD.test(last);
  if (parts.length >= MIN_PARTS || (parts.length > 1 && isWord)) return true;
  return isPair(last, rest.split('-', 1)[0] ?? '', vocabulary);
}

/** Whether two parts without hyphens are two words. */
function isPair(word: string, rest: string, vocabulary: Vocabulary): boolean {
  const { words, isHyphenated } = vocabulary;
  const [one, other] = [word.toLowerCase(), rest.toLowerCase()];
  if (words.has(`${one}-${other}`)) return true;
  const isInCapitals = CAPITALS.test(word) && CAPITALS.test(rest);
  if (isInCapitals) return !words.has(one + other);
  if (NO_SYLLABLE.test(word) || !LOWER_CASE.test(rest)) return true;
  if (words.has(one + other)) return false;
  if (!isHyphenated) return true;
  const english = vocabulary.english();
  if (english?.has(one + other)) return false;
  const isLong = (part: string) => part.length >= MIN_WORD;
  if (isLong(one) && words.has(`${one}-`)) return true;
  if (isLong(other) && words.has(`-${other}`)) return true;
  if (isLong(one) && isLong(other) && words.has(one) && words.has(other)) return true;
  return [one, other].every((part) => part.length >= MIN_ENGLISH_WORD && english?.has(part));
}

/** Korean separates words by spaces, but a line may end within a word. */
function isCutHangul(text: string, line: string, { words: vocabulary }: Vocabulary): boolean {
  const end = text.split(NO_HANGUL).at(-1) ?? '';
  const [start = ''] = line.split(NO_HANGUL, 1);
  if (end === '' || start === '') return false;
  if (vocabulary.has(end + start)) return true;
  // A single syllable is usually an ending.
  return start.length === 1 && !vocabulary.has(start);
}
