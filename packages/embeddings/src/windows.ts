import { splitSentences } from '@latchkey/text/sentences';

/** A part of a passage that gets a vector of its own. */
export interface Window {
  /** Its place in the passage's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The text that is embedded: the headings, then the part itself. */
  readonly embedded: string;
}

export interface PassageForWindows {
  readonly title: string;
  /** The path of headings, as passages are stored with it. */
  readonly heading: string | null;
  readonly text: string;
}

/** A part of a passage with the lines above it, without which its vector would lack its topic. */
interface PassagePart {
  readonly title: string;
  /** The heading of its section; empty if it has none. */
  readonly section: string;
  /** The row that names the columns of its table; undefined if it is no row. */
  readonly header: string | undefined;
  readonly text: string;
}

/** A window is closed once it has this many words, which is about a paragraph, or a few rows. */
const WINDOW_WORDS = 50;
/** The last window of a section with fewer words is joined to the one before. */
const MIN_WORDS = 15;
/** Longer sentences, such as text without punctuation, are cut. */
const MAX_WORDS = 100;
/** Characters of titles and headings: they say what a window is about, and must not outweigh it. */
const MAX_HEADING = 120;
const MAX_HEADER = 300;
/** Separators in the heading path of joined sections; each section's heading is also a line of the text. */
export const PATH_SEPARATOR = ' › ';
const SIBLING_SEPARATOR = ' / ';
/** In scripts without spaces, two characters count as a word. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;
const CLAUSE_END = /[,;:、，；：।]\s*|\s+/gu;

/** Splits a passage into windows, in order; together they are its text, without blank lines. */
export function splitWindows({ title, heading, text }: PassageForWindows): Window[] {
  const path = heading?.split(PATH_SEPARATOR) ?? [];
  const inner = new Set(path.at(-1)?.split(SIBLING_SEPARATOR));
  const hasSections = inner.size > 1;
  const windows: Window[] = [];
  let section = hasSections ? '' : (path.at(-1) ?? '');
  let header: string | undefined;
  let open: { start: number; end: number; words: number; header: string | undefined } | undefined;
  let isFirstOfSection = true;

  const close = () => {
    if (!open) return;
    const { start, end, words, header: above } = open;
    const before = windows.at(-1);
    open = undefined;
    if (before && words < MIN_WORDS && !isFirstOfSection) {
      const added = text.slice(before.end, end);
      windows[windows.length - 1] = { ...before, end, embedded: before.embedded + added };
      return;
    }
    const part = { title, section, header: above, text: text.slice(start, end) };
    windows.push({ start, end, embedded: buildEmbeddedText(part) });
    isFirstOfSection = false;
  };

  for (const line of splitLines(text)) {
    const content = text.slice(line.start, line.end).trim();
    if (content === '') continue;
    if (hasSections && inner.has(content)) {
      close();
      section = content;
      isFirstOfSection = true;
      header = undefined;
      open = { ...line, words: countWords(content), header: undefined };
      continue;
    }
    const isRow = content.startsWith('| ');
    const rowHeader = isRow ? header : undefined;
    header = isRow ? (header ?? content) : undefined;
    for (const unit of isRow ? [line] : splitUnits(text, line)) {
      const words = countWords(text.slice(unit.start, unit.end));
      if (open && open.words > 0 && open.words + words > WINDOW_WORDS * 1.5) close();
      open = open
        ? { ...open, end: unit.end, words: open.words + words }
        : { ...unit, words, header: rowHeader };
      if (open.words >= WINDOW_WORDS) close();
    }
  }
  close();
  return windows;
}

/** Builds the text that is embedded for a part of a passage. */
export function buildEmbeddedText({ title, section, header, text }: PassagePart): string {
  const lines = [title, section, header].map((line, index) =>
    line?.slice(0, index === 2 ? MAX_HEADER : MAX_HEADING).trim(),
  );
  return `${[...new Set(lines.filter(Boolean))].join('\n')}\n${text}`.toWellFormed();
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function* splitLines(text: string): Generator<Span> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield { start, end };
    start = end + 1;
  }
}

/** Splits a line into sentences, and long sentences into clauses. */
function* splitUnits(text: string, line: Span): Generator<Span> {
  let start = line.start;
  for (const sentence of splitSentences(text.slice(line.start, line.end))) {
    const end = start + sentence.length;
    if (countWords(sentence) <= MAX_WORDS) yield { start, end };
    else yield* splitClauses(sentence, start);
    start = end;
  }
}

function* splitClauses(sentence: string, offset: number): Generator<Span> {
  let start = 0;
  const cut = function* (end: number): Generator<Span> {
    // A text without spaces or punctuation is cut anywhere.
    for (; end - start > MAX_WORDS * 4; start += MAX_WORDS * 2) {
      yield { start: offset + start, end: offset + start + MAX_WORDS * 2 };
    }
  };
  for (const { index, 0: separator } of sentence.matchAll(CLAUSE_END)) {
    const end = index + separator.length;
    if (countWords(sentence.slice(start, end)) < WINDOW_WORDS) continue;
    yield* cut(end);
    yield { start: offset + start, end: offset + end };
    start = end;
  }
  yield* cut(sentence.length);
  if (start < sentence.length) {
    yield { start: offset + start, end: offset + sentence.length };
  }
}

function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const spaced = (unspaced > 0 ? text.replace(UNSPACED, ' ') : text).match(/[\p{L}\p{N}]+/gu);
  return (spaced?.length ?? 0) + unspaced / 2;
}
