import type { Bookmark } from './open-pdf.js';
import type { PageText, Segment } from './segment.js';

/** Pages before and after that are compared. */
const REACH = 8;
/**
 * How many of these pages must have a line at the same place, so that it counts as a header or
 * footer.
 */
const MIN_PAGES = 3;
const MIN_PAGES_OF_FEW = 2;
const FEW_PAGES = 4;
/** Shares of the height of a page: how far its edges reach, and how many lines there may be. */
const PAGE_MARGIN = 0.2;
const DEPTH = 0.08;
const NUMBER_MARGIN = 0.09;
const SENTENCE_END = /[.!?。！？]$/u;
const MIN_SENTENCE_WORDS = 4;
/** Two lines whose heights differ by fewer points are at the same height. */
const SAME_HEIGHT = 3;
const MAX_LENGTH = 200;

/** Repeated text, such as a title at the top of each page, and where it is first. */
export interface RunningLine {
  readonly page: number;
  readonly text: string;
}

/**
 * Removes headers, footers and page numbers: text that is, but for its numbers, at the same height
 * of several pages.
 *
 * @returns the texts without numbers that stand nowhere else
 */
export function removeRunningLines(
  pages: readonly PageText[],
  bookmarks: readonly Bookmark[],
): RunningLine[] {
  const titles = titlesByPage(bookmarks);
  const pagesOf = new Map<string, number[]>();
  for (const page of pages) {
    for (const { key } of marginal(page)) {
      const found = pagesOf.get(key);
      if (!found) pagesOf.set(key, [page.number]);
      else if (found.at(-1) !== page.number) found.push(page.number);
    }
  }
  const minPages = pages.length <= FEW_PAGES ? MIN_PAGES_OF_FEW : MIN_PAGES;
  const first = new Map<string, RunningLine>();
  const runningOf = pages.map((page) => {
    const running = new Set<Segment>();
    for (const edge of edgesOf(page)) {
      for (const [depth, line] of edge.entries()) {
        const found = line.filter(
          ({ segment, key }) =>
            (isRunning(key, page.number, pagesOf, minPages) ||
              (line.length === 1 && isPageNumber(segment, page, pages.length))) &&
            !isTitle(segment.text, titles.get(page.number)),
        );
        // The numbers of a table at the edge of several pages are at the same heights too, next to
        // its texts.
        if (depth > 0 && found.length < line.length && found.every(isNumber)) break;
        // A header or footer is never between lines of the page's own text.
        if (found.length === 0) break;
        // The number of a page or section beside a header, which may have more parts than elsewhere.
        const numbers = found.every(isNumber) ? [] : line.filter(isNumber);
        for (const { segment } of [...found, ...numbers]) running.add(segment);
      }
    }
    return { page, running };
  });
  const isEmptied = ({ page, running }: (typeof runningOf)[number]) =>
    page.rows.every(({ segments }) => segments.every((segment) => running.has(segment)));
  const emptied = runningOf.filter((each) => each.running.size > 0 && isEmptied(each));
  // Pages that are alike, such as labels.
  if (emptied.length > pages.length / 2) return [];
  for (const { page, running } of runningOf) {
    for (const { text } of inOrder(running)) {
      const isText = !/\d/.test(text) && /\p{L}{2}/u.test(text) && !ROMAN.test(text);
      if (isText && !first.has(text)) {
        first.set(text, { page: page.number, text });
      }
    }
    if (running.size > 0) remove(page, running);
  }
  return unique(first, pages);
}

function isRunning(
  key: string,
  page: number,
  pagesOf: ReadonlyMap<string, readonly number[]>,
  minPages: number,
): boolean {
  const [masked = '', height = ''] = key.split('\n');
  const near = new Set<number>();
  for (const each of [Number(height) - 1, Number(height), Number(height) + 1]) {
    const found = pagesOf.get(`${masked}\n${each}`) ?? [];
    for (let index = firstFrom(found, page - REACH); index < found.length; index++) {
      const number = found[index] ?? Infinity;
      if (number > page + REACH) break;
      near.add(number);
    }
  }
  return near.size >= minPages;
}

/** The index of the first of the ascending numbers that is at least `least`. */
function firstFrom(numbers: readonly number[], least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ROMAN = /^[ivxlc]{1,8}$/i;
const isNumber = ({ segment }: Marginal): boolean =>
  !/\p{L}/u.test(segment.text) || ROMAN.test(segment.text);

/** A number alone in a line at the edge of the page, even if few pages have one. */
const isPageNumber = ({ text, y }: Segment, { height, rows }: PageText, pageCount: number) =>
  pageCount > 1 &&
  rows.length > 1 &&
  /^(?:\d{1,4}|[ivxlc]{1,8})$/i.test(text) &&
  (y < height * NUMBER_MARGIN || y > height * (1 - NUMBER_MARGIN));

interface Marginal {
  readonly segment: Segment;
  readonly key: string;
}

const marginal = (page: PageText): Marginal[] => edgesOf(page).flat(2);

/** The lines at the top of a page and those at its bottom, the outermost first. */
function edgesOf({ rows, height }: PageText): Marginal[][][] {
  const sorted = [...rows].sort((one, other) => other.y - one.y);
  const isUpright = sorted.every(({ y }) => y >= 0 && y <= height);
  return [sorted, [...sorted].reverse()].map((edge, index) => {
    const outermost = edge[0]?.y ?? 0;
    const lines: Marginal[][] = [];
    let before = Infinity;
    for (const { y, segments } of edge) {
      const isInMargin = index === 0 ? y > height * (1 - PAGE_MARGIN) : y < height * PAGE_MARGIN;
      if (Math.abs(outermost - y) > height * DEPTH || (isUpright && !isInMargin)) break;
      const found = segments
        .filter(({ text }) => text.length <= MAX_LENGTH)
        .map((segment) => ({ segment, key: `${masked(segment.text)}\n${heightKey(y)}` }));
      if (Math.abs(before - y) < SAME_HEIGHT) lines.at(-1)?.push(...found);
      else lines.push(found);
      before = y;
    }
    return lines;
  });
}

const heightKey = (y: number) => Math.round(y / SAME_HEIGHT);

/** Numbers that are counted up from page to page are ignored, but not those in a sentence. */
function masked(text: string): string {
  if (ROMAN.test(text)) return '#';
  const isSentence = SENTENCE_END.test(text) && text.split(' ').length >= MIN_SENTENCE_WORDS;
  return isSentence ? text : text.replace(/(?<!\p{L})\d+(?!\p{L})/gu, '#');
}

/** From top to bottom. */
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
    if (ofPage) ofPage.push(lettersOf(title));
    else titles.set(page, [lettersOf(title)]);
  }
  return titles;
}

/** Whether it repeats most of a heading on the page. */
function isTitle(text: string, titles: readonly string[] | undefined): boolean {
  if (!titles) return false;
  const letters = lettersOf(text);
  return titles.some((title) => letters.length * 2 > title.length && title.includes(letters));
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
