import type { Bookmark } from './open-pdf.js';
import { groupByHeight, type HeightLine, isTableRow } from './page-lines.js';
import { RepeatedTexts, ROMAN } from './repeated-texts.js';
import type { PageText, Segment } from './segment.js';

/**
 * The number of nearby pages that must have a line at the same place, so that it counts as a header
 * or footer.
 */
const MIN_PAGES = 3;
const MIN_PAGES_OF_FEW = 2;
const FEW_PAGES = 4;
/** Shares of the page height: how far the edges reach, and how deep headers and footers may be. */
const PAGE_MARGIN = 0.2;
const DEPTH = 0.08;
const NUMBER_MARGIN = 0.09;
const MAX_LENGTH = 200;
/** The number of neighbouring lines that are examined. */
const MAX_INNER = 8;

/** A repeated text, such as a title at the top of each page, and the first page that has it. */
export interface RunningLine {
  readonly page: number;
  readonly text: string;
}

/**
 * Removes headers, footers and page numbers: text that is at the same height of several pages, apart
 * from its numbers.
 *
 * @returns the removed texts that occur nowhere else, except those whose numbers change from page to page
 */
export function removeRunningLines(
  pages: readonly PageText[],
  bookmarks: readonly Bookmark[],
): RunningLine[] {
  const titles = titlesByPage(bookmarks);
  const repeated = new RepeatedTexts(pages.length <= FEW_PAGES ? MIN_PAGES_OF_FEW : MIN_PAGES);
  for (const page of pages) {
    for (const { lines, depth } of findEdges(page)) {
      repeated.add(page.number, lines.slice(0, depth).flat().filter(isShort));
    }
  }
  const first = new Map<string, RunningLine>();
  const runningByPage = pages.map((page) => {
    const running = new Set<Segment>();
    for (const { lines, depth } of findEdges(page)) {
      for (const [index, line] of lines.slice(0, depth).entries()) {
        const inner = lines.slice(index + 1, index + 1 + MAX_INNER);
        if (repeated.isOwnText(line, inner, page.number)) break;
        const found = line.filter(
          (segment) =>
            ((isShort(segment) && repeated.findRepetition(segment, page.number) !== null) ||
              (line.length === 1 &&
                isPageNumber(segment, page, pages.length) &&
                !isTableRow(line, inner, false))) &&
            !isTitle(segment.text, titles.get(page.number)),
        );
        // The numbers of a table at the edge of several pages are at the same heights too, next to
        // its texts.
        if (index > 0 && found.length < line.length && found.every(isNumber)) break;
        // A header or footer is never between lines of the page's own text.
        if (found.length === 0) break;
        // A page or section number beside a header, which may have more parts than on other pages.
        const numbers = found.every(isNumber) ? [] : line.filter(isNumber);
        for (const segment of [...found, ...numbers]) running.add(segment);
      }
    }
    return { page, running };
  });
  const isEmptied = ({ page, running }: (typeof runningByPage)[number]) =>
    page.rows.every(({ segments }) => segments.every((segment) => running.has(segment)));
  const emptied = runningByPage.filter((each) => each.running.size > 0 && isEmptied(each));
  // All pages are alike, such as labels.
  if (emptied.length > pages.length / 2) return [];
  for (const { page, running } of runningByPage) {
    for (const segment of inOrder(running)) {
      const { text } = segment;
      const isKept = !/\d/.test(text) || repeated.findRepetition(segment, page.number) === 'same';
      const isText = isKept && /\p{L}{2}/u.test(text) && !ROMAN.test(text);
      if (isText && !first.has(text)) first.set(text, { page: page.number, text });
    }
    if (running.size > 0) remove(page, running);
  }
  return unique(first, pages);
}

const isShort = ({ text }: Segment): boolean => text.length <= MAX_LENGTH;
const isNumber = ({ text }: Segment): boolean => !/\p{L}/u.test(text) || ROMAN.test(text);

/** A number alone in a line at the edge of the page, even if few pages have one. */
const isPageNumber = ({ text, y }: Segment, { height, rows }: PageText, pageCount: number) =>
  pageCount > 1 &&
  rows.length > 1 &&
  /^(?:\d{1,4}|[ivxlc]{1,8})$/i.test(text) &&
  (y < height * NUMBER_MARGIN || y > height * (1 - NUMBER_MARGIN));

interface Edge {
  /** All lines of the page, from this edge on. */
  readonly lines: readonly HeightLine[];
  /** The number of lines that may be headers or footers. */
  readonly depth: number;
}

/** The lines at the top of a page and those at its bottom, the outermost first. */
function findEdges(page: PageText): Edge[] {
  const { rows, height } = page;
  const sorted = groupByHeight(page);
  const isUpright = rows.every(({ y }) => y >= 0 && y <= height);
  return [sorted, [...sorted].reverse()].map((lines, index) => {
    const outermost = lines[0]?.[0]?.y ?? 0;
    const end = lines.findIndex(([segment]) => {
      const y = segment?.y ?? 0;
      const isInMargin = index === 0 ? y > height * (1 - PAGE_MARGIN) : y < height * PAGE_MARGIN;
      return Math.abs(outermost - y) > height * DEPTH || (isUpright && !isInMargin);
    });
    return { lines, depth: end < 0 ? lines.length : end };
  });
}

/** Sorts segments from top to bottom. */
const inOrder = (segments: Iterable<Segment>): Segment[] =>
  [...segments].sort((one, other) => other.y - one.y || one.left - other.left);

function remove({ rows }: PageText, running: ReadonlySet<Segment>): void {
  for (const { segments } of rows) {
    for (let index = segments.length - 1; index >= 0; index--) {
      const segment = segments[index];
      if (segment && running.has(segment)) segments.splice(index, 1);
    }
  }
  const rest = rows.filter(({ segments }) => segments.length > 0);
  rows.splice(0, rows.length, ...rest);
}

function unique(
  lines: ReadonlyMap<string, RunningLine>,
  pages: readonly PageText[],
): RunningLine[] {
  const standing = new Set<string>();
  for (const { rows } of pages) {
    for (const { segments } of rows) {
      for (const { text } of segments) if (lines.has(text)) standing.add(text);
    }
  }
  return [...lines.values()].filter(({ text }) => !standing.has(text));
}

function titlesByPage(bookmarks: readonly Bookmark[]): Map<number, string[]> {
  const titles = new Map<number, string[]>();
  for (const { page, title } of bookmarks) {
    const ofPage = titles.get(page);
    if (ofPage) ofPage.push(keepLetters(title));
    else titles.set(page, [keepLetters(title)]);
  }
  return titles;
}

/** Whether a text repeats most of a heading on the page. */
function isTitle(text: string, titles: readonly string[] | undefined): boolean {
  if (!titles) return false;
  const letters = keepLetters(text);
  return titles.some((title) => letters.length * 2 > title.length && title.includes(letters));
}

const keepLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
