/** The words of a document that have a hyphen within a line. */
export type Vocabulary = ReadonlySet<string>;

const HYPHENATED_END = /(?<![\p{L}\p{N}-])([\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)[-\u2010\u00ad]$/u;
const LOWER_CASE_START = /^(\p{Ll}[\p{L}]*)/u;
const UNSPACED_END =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}，。、；：！？）」』】]$/u;
const UNSPACED_START =
  /^[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}（「『【，。、]/u;
const HYPHENATED_WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu;
/** Characters at the end of a text that are looked at. */
const CONTEXT = 60;

export function vocabularyOf(lines: Iterable<string>): Vocabulary {
  const words = new Set<string>();
  for (const line of lines) {
    if (!line.includes('-')) continue;
    for (const [word] of line.matchAll(HYPHENATED_WORD)) words.add(word.toLowerCase());
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
  if (isForced) return { text: `${text}\n${line}`, offset: text.length + 1 };
  const end = text.slice(-CONTEXT);
  const word = HYPHENATED_END.exec(end)?.[1];
  const rest = LOWER_CASE_START.exec(line)?.[1];
  if (word !== undefined && rest !== undefined) {
    const isCompound = word.includes('-') || vocabulary.has(`${word}-${rest}`.toLowerCase());
    const kept = isCompound ? text : text.slice(0, -1);
    return { text: kept + line, offset: kept.length };
  }
  const isUnspaced =
    (UNSPACED_END.test(end) && UNSPACED_START.test(line)) ||
    (/[-\u2010/]$/u.test(end) && word !== undefined);
  return isUnspaced
    ? { text: text + line, offset: text.length }
    : { text: `${text} ${line}`, offset: text.length + 1 };
}
