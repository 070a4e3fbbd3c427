/**
 * The words of a document, as they are within its lines; of those with hyphens also how they begin
 * and end: `long-`, `-term`.
 */
export type Vocabulary = ReadonlySet<string>;

const HYPHENATED_END = /(?<![\p{L}\p{N}-])([\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)[-\u2010\u00ad]$/u;
const WORD_START = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/u;
const LOWER_CASE = /^\p{Ll}/u;
/** A word whose hyphen is no sign of the end of a line: a letter, capitals, or with digits. */
const NO_SYLLABLE = /^\p{L}$|\p{Lu}{2}|\p{N}|\p{Ll}\p{Lu}/u;
const CAPITALS = /^\p{Lu}{2,}$/u;
const UNSPACED_END =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}，。、；：！？）」』】]$/u;
const UNSPACED_START =
  /^[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}（「『【，。、]/u;
const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;
/** Shorter words are also syllables. */
const MIN_WORD = 4;
const NO_HANGUL = /[^\p{sc=Hangul}]/u;
/** Characters at the end of a text that are looked at. */
const CONTEXT = 60;

/** Without the parts of words that are cut at the end of a line. */
export function vocabularyOf(lines: Iterable<string>): Vocabulary {
  const words = new Set<string>();
  const add = (word: string) => {
    words.add(word);
    const parts = word.split('-');
    if (parts.length < 2) return;
    words.add(`${parts[0] ?? ''}-`);
    words.add(`-${parts.at(-1) ?? ''}`);
  };
  let isCut = false;
  for (const line of lines) {
    const found = [...line.matchAll(WORD)];
    const endsCut = /[-\u2010]$/u.test(line);
    for (const { 0: word } of found.slice(isCut ? 1 : 0, endsCut ? -1 : undefined)) {
      add(word.toLowerCase());
    }
    isCut = endsCut;
  }
  return words;
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

/** Whether the hyphen belongs to the word. */
function isCompound(word: string, rest: string, vocabulary: Vocabulary): boolean {
  if (word.includes('-') || rest.includes('-')) return true;
  const [one, other] = [word.toLowerCase(), rest.toLowerCase()];
  if (vocabulary.has(`${one}-${other}`)) return true;
  const isInCapitals = CAPITALS.test(word) && CAPITALS.test(rest);
  if (isInCapitals) return !vocabulary.has(one + other);
  if (NO_SYLLABLE.test(word) || !LOWER_CASE.test(rest)) return true;
  if (vocabulary.has(one + other)) return false;
  const isLong = (part: string) => part.length >= MIN_WORD;
  if (isLong(one) && vocabulary.has(`${one}-`)) return true;
  if (isLong(other) && vocabulary.has(`-${other}`)) return true;
  return [one, other].every((part) => isLong(part) && vocabulary.has(part));
}

/** Korean puts spaces between words, but lines may end within one. */
function isCutHangul(text: string, line: string, vocabulary: Vocabulary): boolean {
  const end = text.split(NO_HANGUL).at(-1) ?? '';
  const [start = ''] = line.split(NO_HANGUL, 1);
  if (end === '' || start === '') return false;
  if (vocabulary.has(end + start)) return true;
  // A syllable alone is mostly an ending.
  return start.length === 1 && !vocabulary.has(start);
}
