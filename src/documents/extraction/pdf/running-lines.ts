import type { Bookmark } from './open-pdf.js';
import type { PageText, Segment } from './segment.js';

/** Pages before and after that are compared. */
const REACH = 8;
/** Pages within the reach that must have a line for it to be a running one. */
const MIN_PAGES = 3;
const MIN_PAGES_OF_FEW = 2;
const FEW_PAGES = 4;
/** Share of the height of a page's text, at its top and at its bottom. */
const MARGIN = 0.08;
/** Lines at heights of fewer points apart are at the same height. */
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
  for (const page of pages) {
    const running = new Set<Segment>();
    for (const { segment, key } of marginal(page)) {
      if (!isRunning(key, page.number, pagesOf, minPages)) continue;
      const { text } = segment;
      if (isTitle(text, titles.get(page.number))) continue;
      running.add(segment);
      if (!/\d/.test(text) && /\p{L}{2}/u.test(text) && !first.has(text)) {
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

/** The index of the first number that is at least `least`, in ascending ones. */
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

/** What stands at the top and at the bottom of a page. */
function* marginal({ rows }: PageText): Generator<{ segment: Segment; key: string }> {
  let top = -Infinity;
  let bottom = Infinity;
  for (const { y } of rows) {
    top = Math.max(top, y);
    bottom = Math.min(bottom, y);
  }
  const margin = (top - bottom) * MARGIN;
  for (const { y, segments } of rows) {
    if (y < top - margin && y > bottom + margin) continue;
    for (const segment of segments) {
      if (segment.text.length > MAX_LENGTH) continue;
      yield { segment, key: `${masked(segment.text)}\n${Math.round(y / SAME_HEIGHT)}` };
    }
  }
}

const masked = (text: string): string =>
  /^[ivxlc]{1,8}$/i.test(text) ? '#' : text.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim();

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

/** Whether it is most of the title of something that begins on the page. */
function isTitle(text: string, titles: readonly string[] | undefined): boolean {
  if (!titles) return false;
  const letters = lettersOf(text);
  return titles.some((title) => letters.length * 2 > title.length && title.includes(letters));
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
