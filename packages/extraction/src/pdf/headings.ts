import type { Line, LineOrTable } from './lines.js';
import type { Bookmark } from './open-pdf.js';
import { LIST_MARKER } from './paragraphs.js';

/** A heading, which may have several lines. */
interface FoundHeading {
  readonly level: number;
  readonly text: string;
  /** Whether the lines are the heading; if not, the heading is inserted before the first of them. */
  readonly isText: boolean;
}

/** These limits are shares of the size of the text. */
const LARGER = 1.12;
const BOLD_SIZE = 0.94;
const SAME_SIZE = 0.04;
const GAP_ABOVE = 1.35;
const MAX_GAP_WITHIN = 1.8;
const MAX_LENGTH = 160;
const MAX_LINES = 3;
const MAX_BOOKMARK_LINES = 6;
/** A style with a larger share of the lines belongs to the running text. */
const MAX_SHARE = 0.18;
const MAX_LEVEL = 6;
const MAX_NUMBER = 12;
/** With fewer bookmarks per page, headings are also found by their style. */
const MANY_BOOKMARKS = 0.25;
const MIN_TOKEN_SHARE = 0.6;

const CAPTION = /^(?:fig(?:ure)?|table|tab|abb(?:ildung)?|tabelle|figura|tableau)\b\.?\s*\d/i;
const NUMBERING = /^(\d{1,2}(?:\.\d{1,3})*)\.?\s+\S/;
const SENTENCE = /[.,;:。，；]$/u;

/** Headings by their first line, or by the item that they stand before. */
export type Headings = Map<LineOrTable, FoundHeading>;

export function findHeadings(
  items: readonly LineOrTable[],
  bookmarks: readonly Bookmark[],
  pageCount: number,
): Headings {
  const headings: Headings = new Map();
  const lines = items.filter((item): item is Line => !('header' in item));
  const depth = addBookmarks(headings, items, bookmarks);
  if (bookmarks.length < MANY_BOOKMARKS * pageCount || headings.size < 3) {
    addByStyle(headings, lines, depth);
  }
  return headings;
}

/** @returns the deepest level */
function addBookmarks(
  headings: Headings,
  items: readonly LineOrTable[],
  bookmarks: readonly Bookmark[],
): number {
  const byPage = new Map<number, LineOrTable[]>();
  for (const item of items) {
    const ofPage = byPage.get(item.page);
    if (ofPage) ofPage.push(item);
    else byPage.set(item.page, [item]);
  }
  let depth = 0;
  /** The position of the previous bookmark, since bookmarks are in the order of the text. */
  let before: { page: number; index: number } = { page: 0, index: -1 };
  for (const { title, level, page, y } of bookmarks) {
    const all = byPage.get(page) ?? [];
    const ofPage = before.page === page ? all.slice(before.index + 1) : all;
    const found = findLinesWith(
      title,
      ofPage.filter((item): item is Line => !('header' in item)),
      headings,
    );
    if (found) {
      const heading = { level, text: findHeadingText(title, found), isText: true };
      for (const line of found) headings.set(line, heading);
      before = { page, index: all.indexOf(found.at(-1) as Line) };
    } else {
      const at = ofPage.find(
        (item) => !headings.has(item) && (y === null || 'header' in item || item.y <= y),
      );
      if (!at || !/\p{L}/u.test(title)) continue;
      headings.set(at, { level, text: title, isText: false });
      before = { page, index: all.indexOf(at) };
    }
    depth = Math.max(depth, level);
  }
  return depth;
}

/** The heading may have a number that the bookmark leaves out. */
function findHeadingText(title: string, lines: readonly Line[]): string {
  const text = lines.map((line) => line.text).join(' ');
  const isNumbered = NUMBERING.test(text) && keepLetters(text).endsWith(keepLetters(title));
  return isNumbered && text.length < title.length + MAX_NUMBER ? text : title;
}

/** Finds up to MAX_BOOKMARK_LINES lines that make up the title, perhaps with a number or a date. */
function findLinesWith(
  title: string,
  lines: readonly Line[],
  taken: ReadonlyMap<LineOrTable, FoundHeading>,
): Line[] | null {
  const wanted = keepLetters(title);
  if (wanted === '') return null;
  const wantedWords = splitWords(title);
  const wantedSet = new Set(wantedWords);
  let best: Line[] | null = null;
  for (const [index, line] of lines.entries()) {
    if (taken.has(line)) continue;
    let text = '';
    for (let count = 1; count <= MAX_BOOKMARK_LINES; count++) {
      const next = lines[index + count - 1];
      if (!next || taken.has(next) || !repeatsTitle(next.text, wantedSet)) break;
      if (isTitleText(next.text, wantedSet)) text += ` ${next.text}`;
      const letters = keepLetters(text);
      if (letters === wanted || letters.replace(/^\d+/, '') === wanted) {
        return lines.slice(index, index + count);
      }
      if (letters.length > wanted.length * 2 + 20) break;
      const words = new Set(splitWords(text));
      const shared = wantedWords.filter((word) => words.has(word)).length;
      const isMost = shared === wantedWords.length && shared >= words.size * MIN_TOKEN_SHARE;
      if (isMost) best ??= lines.slice(index, index + count);
    }
  }
  return best;
}

/**
 * Between the lines of a title there may be dates or numbers, but no other text, since it would be
 * lost.
 */
function repeatsTitle(line: string, title: ReadonlySet<string>): boolean {
  const words = splitWords(line).filter((word) => /\p{L}/u.test(word));
  return words.filter((word) => title.has(word)).length >= words.length * MIN_TOKEN_SHARE;
}

/** Whether the line has a word of the title. */
const isTitleText = (line: string, title: ReadonlySet<string>): boolean =>
  splitWords(line).some((word) => title.has(word));

const keepLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const splitWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function addByStyle(headings: Headings, lines: readonly Line[], outerLevels: number): void {
  const body = findBodySize(lines);
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(toStyleKey(line), (counts.get(toStyleKey(line)) ?? 0) + 1);
  const found: { style: Line; text: string; lines: Line[] }[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (!line || headings.has(line) || !isCandidate(line, body)) continue;
    if ((counts.get(toStyleKey(line)) ?? 0) > Math.max(4, lines.length * MAX_SHARE)) continue;
    const group = [line];
    for (
      let next = lines[index + 1];
      next && goesOn(group, next);
      next = lines[index + group.length]
    ) {
      group.push(next);
    }
    if (group.length <= MAX_LINES && standsAlone(lines, index, group, body)) {
      const text = group.map((each) => each.text).join(' ');
      if (isTitle(text)) found.push({ style: line, text, lines: group });
    }
    index += group.length - 1;
  }
  const styles = [...new Map(found.map(({ style }) => [toStyleKey(style), style])).values()]
    .sort((one, other) => other.size - one.size || Number(other.bold) - Number(one.bold))
    .map(toStyleKey);
  for (const { style, text, lines: group } of found) {
    const rank = styles.indexOf(toStyleKey(style)) + 1;
    const dots = (NUMBERING.exec(text)?.[1]?.split('.').length ?? 1) - 1;
    const level = Math.min(
      outerLevels + Math.max(rank, rank + dots - (rank - 1)),
      MAX_LEVEL + outerLevels,
    );
    const heading = { level, text, isText: true };
    for (const each of group) headings.set(each, heading);
  }
}

const toStyleKey = ({ size, bold }: Line) => `${Math.round(size * 2)} ${bold}`;

/** The size of most letters in a document. */
export function findBodySize(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  let body = 0;
  let most = 0;
  for (const [size, count] of letters) if (count > most) [body, most] = [size, count];
  return body;
}

function isCandidate({ size, bold, monospaced, text }: Line, body: number): boolean {
  if (monospaced || text.length > MAX_LENGTH) return false;
  return size >= body * LARGER || (bold && size >= body * BOLD_SIZE);
}

function isTitle(text: string): boolean {
  if (text.length > MAX_LENGTH || CAPTION.test(text)) return false;
  if ((text.match(/\p{L}/gu)?.length ?? 0) < Math.max(2, text.length * 0.4)) return false;
  if (/^\p{Ll}/u.test(text) || SENTENCE.test(text)) return false;
  return NUMBERING.test(text) || !LIST_MARKER.test(text) || /^[A-Z]\.\s/.test(text);
}

function goesOn(group: readonly Line[], next: Line): boolean {
  const last = group.at(-1);
  if (!last || group.length > MAX_LINES) return false;
  const gap = last.y - next.y;
  return (
    next.page === last.page &&
    next.bold === last.bold &&
    Math.abs(next.size - last.size) <= SAME_SIZE * last.size &&
    gap > 0 &&
    gap <= MAX_GAP_WITHIN * last.size &&
    !NUMBERING.test(next.text)
  );
}

/** A bold line in the size of the text is a heading only if there is a gap above it. */
function standsAlone(
  lines: readonly Line[],
  index: number,
  group: readonly Line[],
  body: number,
): boolean {
  const [first] = group;
  const above = lines[index - 1];
  const below = lines[index + group.length];
  if (!first) return false;
  if (first.size >= body * LARGER) return true;
  const isApart =
    !above ||
    above.page !== first.page ||
    above.column !== first.column ||
    above.y - first.y > GAP_ABOVE * Math.max(first.size, above.size) ||
    above.bold;
  return isApart && below !== undefined;
}
