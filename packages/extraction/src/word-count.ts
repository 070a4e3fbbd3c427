import { segmentByWords } from '@latchkey/text/language/segment';

/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const UNSPACED_RUN =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc]+/gu;
/** As the segmenter finds them, which takes 20 times as long. */
const SPACED_WORD = /[\p{L}\p{N}\p{M}_]+(?:['’.,:·][\p{L}\p{N}\p{M}_]+)*/gu;
/** A longer text is at least this many words per character, whatever it is made of. */
const MAX_CHARACTERS_PER_WORD = 20;
/** Characters that are segmented at once; the segmenter's time grows faster than the text. */
const WINDOW = 4000;
/** Parts of an endless word. */
const MAX_PART = 100;

/** How many words a text has, and no fewer than its length allows. */
export const wordCount = (text: string): number => Math.max(words(text), leastWordCount(text));

/** Takes no time. */
export const leastWordCount = (text: string): number =>
  Math.ceil(text.length / MAX_CHARACTERS_PER_WORD);

function words(text: string): number {
  if (!UNSPACED.test(text)) return text.match(SPACED_WORD)?.length ?? 0;
  let count = 0;
  const spaced = text.replace(UNSPACED_RUN, (run) => {
    count += unspacedWords(run);
    return ' ';
  });
  return count + (spaced.match(SPACED_WORD)?.length ?? 0);
}

function unspacedWords(run: string): number {
  let count = 0;
  for (let start = 0; start < run.length; start += WINDOW) {
    for (const { isWordLike } of segmentByWords(run.slice(start, start + WINDOW))) {
      if (isWordLike) count++;
    }
  }
  return count;
}

/** Words with the space and the marks behind them, and parts of endless ones; joined they are the text. */
export function* cutIntoWords(text: string): Generator<{ text: string; size: number }> {
  for (const [token] of text.matchAll(/\S{1,4000}\s{0,100}|\s{1,100}/gu)) {
    if (UNSPACED.test(token)) yield* segments(token);
    else {
      for (const part of parts(token)) yield { text: part, size: wordCount(part) };
    }
  }
}

function* segments(token: string): Generator<{ text: string; size: number }> {
  let word = '';
  for (const { segment, isWordLike } of segmentByWords(token)) {
    if (word !== '' && (isWordLike || word.length >= MAX_PART)) {
      yield* sized(word);
      word = '';
    }
    word += segment;
  }
  yield* sized(word);
}

/** Each has one word at most. */
const sized = (word: string) =>
  parts(word).map((text) => ({ text, size: Math.max(1, leastWordCount(text)) }));

const parts = (text: string): string[] =>
  text.length <= MAX_PART ? [text] : (text.match(/[^]{1,100}/gu) ?? []);
