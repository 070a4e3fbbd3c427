import type { Block } from '../block.js';
import type { Headings } from './headings.js';
import { joinLines, type Vocabulary } from './join-line.js';
import type { Line } from './lines.js';
import { LEADER, LIST_MARKER, PdfParagraph, type PdfPart } from './paragraphs.js';
import type { RunningLine } from './running-lines.js';

interface Findings {
  readonly headings: Headings;
  readonly running: readonly RunningLine[];
  readonly vocabulary: Vocabulary;
  /** The size of the text. */
  readonly body: number;
}

/** A share of the size of the text. */
const NOTE_SIZE = 0.88;
const AXIS_LABELS = /^[\d\s.,%–-]{1,24}$/;
const LONE_NUMBER = /^(?:\d{1,3}|[IVXLC]{1,6})$/;
const LIST_INDENT = 1.5;
const CAPTION = /^(?:Fig(?:ure)?|Table|Tab|Abb(?:ildung)?|Tabelle)\b\.?\s*\d/;

/** Writes the parts of a PDF as blocks, in order. */
export function writeBlocks(
  parts: readonly PdfPart[],
  { headings, running, vocabulary, body }: Findings,
): Block[] {
  const cellText = (cell: string) => withoutLeaders(joinLines(cell, vocabulary));
  const blocks: Block[] = [];
  const waiting = [...running];
  let listStart = 0;
  for (const [index, part] of parts.entries()) {
    if (isChapterNumber(part, parts[index + 1], headings)) continue;
    const page = part instanceof PdfParagraph ? part.first.page : part.page;
    while ((waiting[0]?.page ?? Infinity) <= page) {
      const line = waiting.shift();
      if (line) blocks.push({ kind: 'note', text: line.text, locator: { page: line.page } });
    }
    const locator = { page };
    const heading = headings.get(part instanceof PdfParagraph ? part.first : part);
    if (heading) {
      const text = withoutLeaders(heading.text);
      blocks.push({ kind: 'heading', level: heading.level, text, locator });
      if (heading.isText) continue;
    }
    if (!(part instanceof PdfParagraph)) {
      const rows = part.rows.map((cells) => ({ cells: cells.map(cellText), locator }));
      blocks.push({ kind: 'table', header: part.header?.map(cellText) ?? null, rows, locator });
      continue;
    }
    if (part.lines.every(({ monospaced }) => monospaced)) {
      blocks.push({ kind: 'code', text: indentCode(part.lines), locator });
      continue;
    }
    if (!/[\p{L}\p{N}]/u.test(part.text)) continue;
    const marker = LIST_MARKER.exec(part.text)?.[0];
    if (marker !== undefined) {
      const { start, size } = part.first;
      if (blocks.at(-1)?.kind !== 'list-item') listStart = start;
      const depth = start > listStart + LIST_INDENT * size ? 1 : 0;
      const text = withoutLeaders(part.text.slice(marker.length));
      blocks.push({ kind: 'list-item', depth, marker, text, locator });
      continue;
    }
    const isSmall = part.first.size < body * NOTE_SIZE;
    // Leave out the numbers on the axes of a chart.
    if (isSmall && AXIS_LABELS.test(part.text)) continue;
    const kind = CAPTION.test(part.text) ? 'caption' : isSmall ? 'note' : 'paragraph';
    const pageBreaks = part.pageBreaks.map(({ offset, page: next }) => ({
      offset,
      locator: { page: next },
    }));
    blocks.push({
      kind,
      text: pageBreaks.length > 0 ? part.text : withoutLeaders(part.text),
      locator,
      ...(pageBreaks.length > 0 && { pageBreaks }),
    });
  }
  return moveNotesBehindText(blocks);
}

/**
 * Moves a footnote between a heading and its text, which is in the next column, behind the text.
 */
function moveNotesBehindText(blocks: readonly Block[]): Block[] {
  const ordered: Block[] = [];
  const waiting: Block[] = [];
  for (const block of blocks) {
    const isOpening = ordered.at(-1)?.kind === 'heading';
    if (block.kind === 'note' && isOpening) waiting.push(block);
    else {
      if (block.kind === 'heading') ordered.push(...waiting.splice(0));
      ordered.push(block);
      if (block.kind !== 'heading') ordered.push(...waiting.splice(0));
    }
  }
  return [...ordered, ...waiting];
}

/** Whether a part is the number of a chapter, which is repeated in the heading below. */
function isChapterNumber(part: PdfPart, next: PdfPart | undefined, headings: Headings): boolean {
  if (!(part instanceof PdfParagraph) || !(next instanceof PdfParagraph)) return false;
  if (!LONE_NUMBER.test(part.text) || headings.has(part.first)) return false;
  return (
    headings
      .get(next.first)
      ?.text.split(/[^\p{L}\p{N}]+/u)
      .includes(part.text) ?? false
  );
}

const LEADERS = new RegExp(`(?:${LEADER.source})+`, 'g');
const withoutLeaders = (text: string): string =>
  text.replace(LEADERS, ' … ').replace(/ {2,}/g, ' ').trim();

/** Indents lines of code by their position divided by the width of a letter. */
function indentCode(lines: readonly Line[]): string {
  const start = Math.min(...lines.map((line) => line.start));
  return lines
    .map((line) => {
      const width = (line.end - line.start) / Math.max(1, line.text.length);
      const indent = width > 0 ? Math.round((line.start - start) / width) : 0;
      return ' '.repeat(Math.min(indent, 40)) + line.text;
    })
    .join('\n');
}
