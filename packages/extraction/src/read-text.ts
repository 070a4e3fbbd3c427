import type { Block, ReadingContext } from './block.js';
import { decodeText } from './decode-text.js';

const MAX_HEADING = 120;
const UNDERLINE = /^(?:={3,}|-{3,}|~{3,})$/;
/** Text counts as wrapped if most lines are nearly as long as the longest, and none is longer than this. */
const MAX_WRAPPED = 100;
const MIN_WRAPPED = 40;
const FULL_LINE = 0.65;
const PROGRESS_PARAGRAPHS = 1000;

/** Reads plain text: paragraphs, and headings where they are underlined. */
export function readText(content: Uint8Array, context: ReadingContext): Block[] {
  const blocks: Block[] = [];
  for (const lines of splitParagraphs(decodeText(content, context))) {
    const [title = '', underline = ''] = lines;
    const isHeading = UNDERLINE.test(underline.trim()) && title.trim().length <= MAX_HEADING;
    if (isHeading) {
      const level = underline.startsWith('=') ? 1 : 2;
      blocks.push({ kind: 'heading', level, text: title.trim() });
    }
    const rest = isHeading ? lines.slice(2) : lines;
    if (rest.length > 0) blocks.push({ kind: 'paragraph', text: joinLines(rest) });
    if (blocks.length % PROGRESS_PARAGRAPHS === 0) context.progress();
  }
  return blocks;
}

/** Splits text at empty lines and page breaks. */
export function* splitParagraphs(text: string): Generator<string[]> {
  let lines: string[] = [];
  for (const line of text.split(/\r\n|[\n\r\f\u2028\u2029]/)) {
    const trimmed = line.trimEnd();
    if (trimmed !== '') lines.push(trimmed);
    else if (lines.length > 0) {
      yield lines;
      lines = [];
    }
  }
  if (lines.length > 0) yield lines;
}

/** Joins lines that a program has wrapped; line ends that the author set stay. */
export function joinLines(lines: readonly string[]): string {
  const longest = lines.reduce((length, line) => Math.max(length, line.length), 0);
  const isWrapped =
    longest >= MIN_WRAPPED &&
    longest <= MAX_WRAPPED &&
    lines.slice(0, -1).every((line) => line.length >= FULL_LINE * longest);
  return isWrapped ? lines.map((line) => line.trim()).join(' ') : lines.join('\n').trim();
}
