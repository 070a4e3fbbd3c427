import { segmentByWords } from './segment.js';

/** Characters that are segmented at once: the segmenter's time grows faster than the text. */
const WINDOW = 4000;
/** How far back from the end of a window a safe place to cut is looked for. */
const MARGIN = 200;

/** The words of a run of letters in a script without spaces, by ICU's dictionaries. */
export function segmentWords(run: string): string[] {
  const words: string[] = [];
  for (let start = 0; start < run.length;) {
    const segments = segmentByWords(run.slice(start, start + WINDOW));
    const isLast = start + WINDOW >= run.length;
    // The last words of a window may be parts of words, so the next window begins with them.
    const end = isLast ? Infinity : WINDOW - MARGIN;
    const kept = segments.filter(({ index }, at) => at === 0 || index < end);
    for (const { segment, isWordLike } of kept) if (isWordLike) words.push(segment);
    const next = segments[kept.length];
    if (!next) break;
    start += next.index;
  }
  return words;
}
