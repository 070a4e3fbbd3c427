import { segmentByWords } from '@latchkey/text/language/segment';

/** Matches scripts without spaces between words. */
const UNSPACED =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const UNSPACED_RUN =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc]+/gu;
/** Matches the same words as the segmenter, which takes 20 times as long. */
const SPACED_WORD = /[\p{L}\p{N}\p{M}_]+(?:['’.,:·][\p{L}\p{N}\p{M}_]+)*/gu;
/** A text counts as at least one word per this many characters, whatever it contains. */
const MAX_CHARACTERS_PER_WORD = 20;
/** The number of characters segmented at once; the segmenter's time grows faster than the text. */
const WINDOW = 4000;
/** The length of the parts into which an endless word is cut. */
const MAX_PART = 100;

/** Counts the words of a text, and no fewer than its length requires. */
export const countWords = (text: string): number =>
  Math.max(countExactly(text), leastWordCount(text));

/** The word count that the length requires, which takes no time to compute. */
export const leastWordCount = (text: string): number =>
  Math.ceil(text.length / MAX_CHARACTERS_PER_WORD);

function countExactly(text: string): number {
  if (!UNSPACED.test(text)) return text.match(SPACED_WORD)?.length ?? 0;
  let count = 0;
  const spaced = text.replace(UNSPACED_RUN, (run) => {
    count += countUnspacedWords(run);
    return ' ';
  });
  return count + (spaced.match(SPACED_WORD)?.length ?? 0);
}

function countUnspacedWords(run: string): number {
  let count = 0;
  for (let start = 0; start < run.length; start += WINDOW) {
    for (const { isWordLike } of segmentByWords(run.slice(start, start + WINDOW))) {
      if (isWordLike) count++;
    }
  }
  return count;
}

/** Cuts a text into words with the spaces and marks after them, and endless words into parts. */
export function* cutIntoWords(text: string): Generator<{ text: string; size: number }> {
  for (const [token] of text.matchAll(/\S{1,4000}\s{0,100}|\s{1,100}/gu)) {
    if (UNSPACED.test(token)) yield* segments(token);
    else {
      for (const part of splitWord(token)) yield { text: part, size: countWords(part) };
    }
  }
}

function* segments(token: string): Generator<{ text: string; size: number }> {
  let word = '';
  for (const { segment, isWordLike } of segmentByWords(token)) {
    if (word !== '' && (isWordLike || word.length >= MAX_PART)) {
      yield* measureParts(word);
      word = '';
    }
    word += segment;
  }
  yield* measureParts(word);
}

/** Cuts a word into parts, each of which counts as one word. */
const measureParts = (word: string) =>
  splitWord(word).map((text) => ({ text, size: Math.max(1, leastWordCount(text)) }));

const splitWord = (text: string): string[] =>
  text.length <= MAX_PART ? [text] : (text.match(/[^]{1,100}/gu) ?? []);
