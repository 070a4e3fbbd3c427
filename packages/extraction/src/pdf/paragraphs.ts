import type { FoundTable } from './find-tables.js';
import type { Headings } from './headings.js';
import { joinLine, type Vocabulary } from './join-line.js';
import type { Line, LineOrTable } from './lines.js';

/** Lines that are joined to one text. */
export class PdfParagraph {
  text: string;
  readonly lines: Line[];
  readonly pageBreaks: { offset: number; page: number }[] = [];

  constructor(first: Line) {
    this.text = first.text;
    this.lines = [first];
  }

  get first(): Line {
    return this.lines[0] as Line;
  }

  get last(): Line {
    return this.lines.at(-1) as Line;
  }

  add(line: Line, vocabulary: Vocabulary, isForced: boolean): void {
    const { text, offset } = joinLine(this.text, line.text, vocabulary, isForced);
    if (line.page !== this.last.page) this.pageBreaks.push({ offset, page: line.page });
    this.text = text;
    this.lines.push(line);
  }
}

export type PdfPart = PdfParagraph | FoundTable;

/** These are shares of the letter size. */
const SAME_SIZE = 0.08;
const INDENT = 0.8;
/** If the distance of two lines is this many times the usual one, a new paragraph begins. */
const PARAGRAPH_GAP = 1.25;
const GAP_TOLERANCE = 0.12;
const DEFAULT_LINE_HEIGHT = 1.25;
const MAX_LINE_HEIGHT = 2.6;
/** A smaller text between two lines of a paragraph is a note or a caption. */
const MAX_BETWEEN = 12;
const MAX_FORCED_LINES = 60;
const MAX_LINES = 400;

export const LIST_MARKER =
  /^(?:[•◦▪▫‣●○■□➢✓✔·–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d{1,3}\])(?=\s)/u;
/** Dots between a title and its page. */
export const LEADER = /(?:[.·…]\s?){4,200}/;
const BULLET = /^[•◦▪▫‣●○■□➢✓✔](?:\s|$)/u;
const SENTENCE_END = /[.!?:;。！？؟।…]["'”’»)\]]*\d{0,3}$/u;
const STARTS_LOWER = /^["'“‘(]?\p{Ll}/u;
const HYPHEN_END = /\p{L}[-\u2010]$/u;

/** Joins lines into paragraphs, also across columns and pages. */
export function joinParagraphs(
  items: readonly LineOrTable[],
  headings: Headings,
  vocabulary: Vocabulary,
): PdfPart[] {
  const lineHeight = findUsualLineHeight(items);
  const parts: PdfPart[] = [];
  /** The last paragraphs, one of which may go on in the next column. */
  let open: PdfParagraph[] = [];
  for (const item of items) {
    if ('header' in item) {
      parts.push(item);
      continue;
    }
    const last = parts.at(-1);
    const above = last instanceof PdfParagraph ? last : undefined;
    const heading = headings.get(item);
    const headingAbove = above && headings.get(above.last);
    if (heading && (heading !== headingAbove || !heading.isText)) {
      parts.push(new PdfParagraph(item));
      if (!heading.isText) open = [...open.slice(1 - MAX_BETWEEN), parts.at(-1) as PdfParagraph];
      else open = [];
      continue;
    }
    if (above && heading && heading === headingAbove) {
      above.add(item, vocabulary, false);
      continue;
    }
    if (above && !headingAbove?.isText && isNextLine(above.last, item)) {
      const join = chooseJoin(above, item, lineHeight);
      if (join !== 'none') {
        above.add(item, vocabulary, join === 'line end');
        continue;
      }
    } else {
      const begun = open.findLast((paragraph) => goesOn(paragraph, item));
      if (begun) {
        begun.add(item, vocabulary, false);
        // Items between the two parts are moved behind the paragraph.
        if (begun !== parts.at(-1)) {
          parts.splice(parts.indexOf(begun, -MAX_BETWEEN), 1);
          parts.push(begun);
        }
        continue;
      }
    }
    const paragraph = new PdfParagraph(item);
    parts.push(paragraph);
    open = [...open.slice(1 - MAX_BETWEEN), paragraph];
  }
  return parts;
}

const isNextLine = (above: Line, line: Line) =>
  above.column === line.column && above.page === line.page && above.y > line.y;

/** How a line is joined to the paragraph above it: not at all, with a space, or with a line end. */
function chooseJoin(
  paragraph: PdfParagraph,
  line: Line,
  lineHeight: number,
): 'none' | 'space' | 'line end' {
  const { last, first, lines } = paragraph;
  if (lines.length >= MAX_LINES) return 'none';
  const size = Math.max(line.size, last.size);
  const gap = (last.y - line.y) / size;
  const before = lines.at(-2);
  const usual =
    before && before.page === last.page && before.y > last.y
      ? (before.y - last.y) / size
      : lineHeight;
  const isFar = gap > Math.max(usual, 0.9) * PARAGRAPH_GAP + GAP_TOLERANCE;
  if (isFar && (gap > MAX_LINE_HEIGHT || !isCutSentence(last, line))) return 'none';
  if (last.monospaced || line.monospaced) {
    return last.monospaced && line.monospaced ? 'line end' : 'none';
  }
  if (Math.abs(last.size - line.size) > SAME_SIZE * size) return 'none';
  if (last.bold !== line.bold && (lines.length === 1 || endsEarly(last, line))) return 'none';
  if (BULLET.test(line.text)) return 'none';
  if (LEADER.test(last.text)) return 'line end';
  const isForced = endsEarly(last, line);
  if (LIST_MARKER.test(line.text) && (isForced || LIST_MARKER.test(first.text))) return 'none';
  const isList = LIST_MARKER.test(first.text);
  // Either the first line of a paragraph is indented, or all others are.
  const indent = (line.start - last.start) / size;
  if (!isList && lines.length > 1 && Math.abs(indent) > INDENT && SENTENCE_END.test(last.text)) {
    return 'none';
  }
  if (!isList && lines.length === 1 && indent > INDENT && SENTENCE_END.test(last.text))
    return 'none';
  if (isList && line.start < first.start - INDENT * size) return 'none';
  if (!isForced) return 'space';
  if (STARTS_LOWER.test(line.text) && !SENTENCE_END.test(last.text)) return 'space';
  return lines.length > MAX_FORCED_LINES ? 'none' : 'line end';
}

/** Whether a sentence continues in the next line, which may be set farther apart in slides. */
const isCutSentence = (last: Line, line: Line): boolean =>
  STARTS_LOWER.test(line.text) && !SENTENCE_END.test(last.text) && !endsEarly(last, line);

/** Whether the first word of the next line would have fitted into this one. */
function endsEarly(line: Line, next: Line): boolean {
  const [word = ''] = next.text.split(' ', 1);
  const width =
    (next.text.length === 0 ? 0 : (next.end - next.start) / next.text.length) * word.length;
  return line.end + width + line.size < line.column.right;
}

/** Whether a line in another column or on another page continues a paragraph. */
function goesOn({ last, text, lines }: PdfParagraph, line: Line): boolean {
  if (lines.length >= MAX_LINES) return false;
  if (line.page - last.page > 1 || last.monospaced || line.monospaced) return false;
  if (Math.abs(last.size - line.size) > SAME_SIZE * line.size || last.bold !== line.bold)
    return false;
  if (SENTENCE_END.test(text) || LIST_MARKER.test(line.text)) return false;
  if (HYPHEN_END.test(text) || STARTS_LOWER.test(line.text)) {
    return !endsEarly(last, line) || STARTS_LOWER.test(line.text);
  }
  const isIndented = line.start - line.column.left > INDENT * line.size;
  const isLong = last.end - last.start > last.size * 15;
  return isLong && !isIndented && !endsEarly(last, line) && line.end - line.start > line.size * 15;
}

/** The usual distance of consecutive lines, in letter sizes. */
function findUsualLineHeight(items: readonly LineOrTable[]): number {
  const counts = new Map<number, number>();
  let before: Line | undefined;
  for (const item of items) {
    if ('header' in item) continue;
    if (before && isNextLine(before, item)) {
      const height = Math.round(((before.y - item.y) / item.size) * 20) / 20;
      if (height < MAX_LINE_HEIGHT) counts.set(height, (counts.get(height) ?? 0) + 1);
    }
    before = item;
  }
  let usual = DEFAULT_LINE_HEIGHT;
  let most = 0;
  for (const [height, count] of counts) if (count > most) [usual, most] = [height, count];
  return usual;
}
