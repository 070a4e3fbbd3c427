import type { PageRow, Segment } from './segment.js';

/** Letters that symbol fonts use for bullets; `a` and `i` are words. */
const LETTER = /^([b-hj-z§Øü])(?:$| (?=\S))/u;
const ITEM_START = /^[\p{Lu}\p{N}]/u;
/** The number of lines on a page that must begin with the letter. */
const MIN_ITEMS = 3;

/** Replaces a single letter that begins each line of a list by a bullet. */
export function withBullets(rows: readonly PageRow[]): PageRow[] {
  const starts = new Map<string, { items: number; others: number }>();
  for (const { segments } of rows) {
    const letter = findLetter(segments);
    if (letter === undefined) continue;
    const counted = starts.get(letter) ?? { items: 0, others: 0 };
    starts.set(letter, counted);
    if (ITEM_START.test(textBehind(segments))) counted.items++;
    else counted.others++;
  }
  const bullets = new Set(
    [...starts]
      .filter(([, { items, others }]) => items >= MIN_ITEMS && others === 0)
      .map(([letter]) => letter),
  );
  if (bullets.size === 0) return [...rows];
  return rows.map((row) => {
    const [first, ...rest] = row.segments;
    const letter = findLetter(row.segments);
    if (!first || letter === undefined || !bullets.has(letter)) return row;
    return { ...row, segments: [{ ...first, text: `•${first.text.slice(1)}` }, ...rest] };
  });
}

const findLetter = ([first]: readonly Segment[]) => LETTER.exec(first?.text ?? '')?.[1];

const textBehind = ([first, next]: readonly Segment[]): string =>
  first && first.text.length > 1 ? first.text.slice(2) : (next?.text ?? '');
