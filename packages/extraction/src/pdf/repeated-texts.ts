import type { HeightLine } from './page-lines.js';
import { isTableRow, SAME_HEIGHT } from './page-lines.js';
import type { Segment } from './segment.js';

/** The number of pages before and after a page that are compared with it. */
const REACH = 8;
/** The number of similar texts compared at one height of a page: a row may have many numbers. */
const MAX_ALIKE = 4;
const SENTENCE_END = /[.!?。！？]$/u;
const MIN_SENTENCE_WORDS = 4;
export const ROMAN = /^[ivxlc]{1,8}$/i;
const NUMBERS = /(?<!\p{L})\d+(?!\p{L})/gu;

/**
 * The way in which a text is repeated at one height of several pages: unchanged, with numbers that count
 * up from page to page, or with other numbers.
 */
export type Repetition = 'same' | 'counted' | 'other numbers';

/** The texts at the edges of pages, without their numbers, by their heights. */
export class RepeatedTexts {
  private readonly pagesByText = new Map<string, { page: number; texts: string[] }[]>();

  /** @param minPages how many pages that are near each other have a text that is repeated */
  constructor(private readonly minPages: number) {}

  /** Pages must come in their order. */
  add(page: number, segments: Iterable<Segment>): void {
    for (const { text, y } of segments) {
      const key = `${maskNumbers(text)}\n${heightKey(y)}`;
      const found = this.pagesByText.get(key);
      const last = found?.at(-1);
      if (!found) this.pagesByText.set(key, [{ page, texts: [text] }]);
      else if (last?.page !== page) found.push({ page, texts: [text] });
      else if (last.texts.length < MAX_ALIKE) last.texts.push(text);
    }
  }

  /** @returns null if too few of the pages near it have such a text */
  findRepetition({ text, y }: Segment, page: number): Repetition | null {
    const near = this.findNear(maskNumbers(text), y, page);
    if (near.size < this.minPages) return null;
    near.delete(page);
    let same = 0;
    let counted = 0;
    for (const [other, texts] of near) {
      if (texts.includes(text)) same++;
      else if (texts.some((each) => isCounted(text, each, other - page))) counted++;
    }
    if (same * 2 >= near.size) return 'same';
    return (same + counted) * 2 >= near.size ? 'counted' : 'other numbers';
  }

  /**
   * Whether a line is of the page's own text, although other pages have a similar one at its height:
   * it is in a table or list, whose rows differ, or names the columns of one.
   *
   * @param inner the lines next to it, from it on inwards
   */
  isOwnText(line: HeightLine, inner: readonly HeightLine[], page: number): boolean {
    const repetitions = line.map((segment) => this.findRepetition(segment, page));
    const isSame = repetitions.every((each) => each === 'same');
    const isRunning = repetitions.every((each) => each === 'same' || each === 'counted');
    if (isRunning && !isSame) return false;
    // Rows below several lines of a header are none of its columns.
    const own = inner.findIndex((row) => row.some((each) => this.isOwn(each, page)));
    if (isSame && own < 0) return false;
    if (isTableRow(line, inner, isSame)) return true;
    const differing = repetitions.filter((each) => each === 'other numbers').length;
    const isAlike = () =>
      line.length === 1 && inner[0]?.some((segment) => isAlikeBelow(segment, line[0]));
    return differing > 0 && (differing > 1 ? differing === line.length : isAlike() === true);
  }

  private isOwn(segment: Segment, page: number): boolean {
    const repetition = this.findRepetition(segment, page);
    return repetition === null || repetition === 'other numbers';
  }

  private findNear(text: string, y: number, page: number): Map<number, readonly string[]> {
    const near = new Map<number, readonly string[]>();
    for (const height of [heightKey(y) - 1, heightKey(y), heightKey(y) + 1]) {
      const found = this.pagesByText.get(`${text}\n${height}`) ?? [];
      for (let index = findFirstFrom(found, page - REACH); index < found.length; index++) {
        const { page: other = Infinity, texts = [] } = found[index] ?? {};
        if (other > page + REACH) break;
        near.set(other, [...(near.get(other) ?? []), ...texts]);
      }
    }
    return near;
  }
}

/** The index of the first of the ascending pages that is at least `least`. */
function findFirstFrom(found: readonly { page: number }[], least: number): number {
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle]?.page ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

const heightKey = (y: number) => Math.round(y / SAME_HEIGHT);

/** Removes the numbers from a text, unless it is a sentence. */
function maskNumbers(text: string): string {
  if (ROMAN.test(text)) return '#';
  const isSentence = SENTENCE_END.test(text) && text.split(' ').length >= MIN_SENTENCE_WORDS;
  return isSentence ? text : text.replace(NUMBERS, '#');
}

/** Whether the numbers in which two texts differ are as far apart as their pages. */
function isCounted(text: string, other: string, pages: number): boolean {
  if (ROMAN.test(text) || ROMAN.test(other)) return true;
  const numbers = text.match(NUMBERS) ?? [];
  const others = other.match(NUMBERS) ?? [];
  return numbers.every((number, index) => {
    const difference = Number(others[index]) - Number(number);
    return difference === 0 || difference === pages;
  });
}

/** Whether two texts below each other differ in their numbers only. */
const isAlikeBelow = (one: Segment, other: Segment | undefined): boolean =>
  other !== undefined &&
  Math.abs(one.left - other.left) < one.size &&
  maskNumbers(one.text) === maskNumbers(other.text);
