import { createHash } from 'node:crypto';
import type { Block, Locator } from '../block.js';
import { type Anchor, type AnchoredPassage, findAnchors } from './anchors.js';
import { findText, type TextRange } from './find-text.js';
import { type Item, toPartKey, getLocator, type Part, splitParts, getTexts } from './parts.js';
import { escapeText, writeItems } from './write-items.js';

interface MarkedPassage {
  /** The anchor of its first mark. */
  readonly id: string;
  readonly text: string;
  readonly locator: Locator | null;
}

export interface HtmlRequest {
  readonly title: string;
  /** As BCP 47. */
  readonly language: string | null;
  /** The number of a slide, sheet or chapter, from 1; null for that of the passage. */
  readonly page: number | null;
  readonly passage: MarkedPassage | null;
  /** The passages in order. The start of each gets its id as an anchor. */
  readonly passages: readonly AnchoredPassage[];
  /** A note to show above the text. */
  readonly note: string | null;
}

interface HtmlPage {
  readonly html: string;
  readonly page: number;
  readonly pageCount: number;
  readonly isMarked: boolean;
}

/** The number of table rows shown before and after the passage. */
const ROWS_AROUND = 200;
/** The number of characters shown before and after the passage. */
const CHARACTERS_AROUND = 150_000;
const STYLE = `:root{color-scheme:light dark;font:1rem/1.55 system-ui,sans-serif}
body{max-width:70rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.25rem;margin:0}h2{font-size:1.2rem}h3{font-size:1.1rem}h4,h5,h6{font-size:1rem}
p,li{max-width:75ch;white-space:pre-line}.place,.note,.caption{opacity:.75}.cut{text-align:center}
ul{list-style:none;padding:0}${[1, 2, 3, 4, 5, 6].map((depth) => `.d${depth}{margin-inline-start:${depth * 1.5}rem}`).join('')}
pre,.table{overflow:auto}pre{padding:.5rem;border:1px solid}
table{border-collapse:collapse}td,th{padding:.2rem .5rem;border:1px solid gray;text-align:start;vertical-align:top;white-space:pre-line;overflow-wrap:normal;max-width:40ch}
th[scope=row]{opacity:.75;font-weight:normal}thead th{position:sticky;top:0;background:Canvas}
mark{background:#ffe45c;color:#000;outline:1px solid #c77700;scroll-margin:30vh}`;

/** The hash of the style, for a content security policy that allows nothing else. */
export const HTML_STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/**
 * Writes a slide, sheet, chapter or whole document as a page without scripts and links, with a passage
 * marked. Of a long part, only the surroundings of the passage are written.
 *
 * @returns null if the document has no such part
 */
export function toHtml(blocks: readonly Block[], request: HtmlRequest): HtmlPage | null {
  const parts = splitParts(blocks);
  const part = choosePart(parts, request);
  if (!part) return null;
  const { passage } = request;
  const isThere =
    passage !== null && (!passage.locator || !part.locator || isIn(passage.locator, part.locator));
  const candidates = isThere ? keepNearRows(part.items, passage.locator) : part.items;
  const { center, isMarked } = isThere
    ? findItem(candidates, passage)
    : { center: 0, isMarked: false };
  const shown = keepAround(candidates, center);
  const text = markText(shown, isMarked ? passage : null, request.passages);
  const pageCount = parts.reduce((most, { number }) => Math.max(most, number), 1);
  const body = [
    `<h1 dir="auto">${escapeText(request.title)}</h1>`,
    writePlace(part, pageCount),
    request.note === null ? '' : `<p class="note" role="note">${escapeText(request.note)}</p>`,
    shown[0] === part.items[0] ? '' : CUT,
    writeItems(shown, text),
    shown.at(-1) === part.items.at(-1) ? '' : CUT,
  ];
  return { html: writePage(request, body.join('\n')), page: part.number, pageCount, isMarked };
}

const CUT = '<p class="cut" role="note" aria-label="Left out">…</p>';

function choosePart(parts: readonly Part[], { page, passage }: HtmlRequest): Part | undefined {
  if (page !== null)
    return parts.find(({ number }) => number === page) ?? createEmptySlide(parts, page);
  const key = passage?.locator ? toPartKey(passage.locator) : undefined;
  const ofPassage = parts.find(({ locator }) => locator !== null && toPartKey(locator) === key);
  return ofPassage ?? parts[0] ?? { locator: null, number: 1, items: [] };
}

/** Creates a slide without text, if a later slide exists. */
function createEmptySlide(parts: readonly Part[], number: number): Part | undefined {
  const isSlide = parts.some(({ locator, number: other }) => {
    return locator !== null && 'slide' in locator && other > number;
  });
  return isSlide ? { locator: { slide: number }, number, items: [] } : undefined;
}

const isIn = (one: Locator, other: Locator): boolean => toPartKey(one) === toPartKey(other);

/** Keeps the rows of a sheet around the one in which the passage begins. */
function keepNearRows(items: readonly Item[], at: Locator | null): readonly Item[] {
  if (!at || !('sheet' in at)) return items;
  const { row } = at;
  return items.filter((item) => {
    const locator = getLocator(item);
    return !locator || !('sheet' in locator) || Math.abs(locator.row - row) <= ROWS_AROUND;
  });
}

/** Finds the first item with text of the passage. */
function findItem(items: readonly Item[], { text, locator }: MarkedPassage) {
  const pieces: string[] = [];
  const ends = items.map((item) => {
    for (const each of getTexts(item)) pieces.push(each);
    return pieces.length;
  });
  const first = Math.min(...findText(text, pieces).keys());
  const center = ends.findIndex((end) => end > first);
  if (center >= 0) return { center, isMarked: true };
  const row = items.findIndex((item) => {
    const at = getLocator(item);
    return at && 'sheet' in at && locator && 'sheet' in locator && at.row >= locator.row;
  });
  return { center: Math.max(0, row), isMarked: false };
}

/** Keeps the items around one, up to the limits of a page. */
function keepAround(items: readonly Item[], center: number): readonly Item[] {
  const reach = (step: 1 | -1) => {
    let [rows, characters] = [0, 0];
    let at = center;
    for (; at >= 0 && at < items.length; at += step) {
      const item = items[at];
      if (!item) break;
      if ('table' in item) rows++;
      characters += measureLength(item);
      const isFull = rows > ROWS_AROUND + 1 || characters > CHARACTERS_AROUND;
      if (isFull && at !== center) break;
    }
    return at;
  };
  return items.slice(reach(-1) + 1, reach(1));
}

const measureLength = (item: Item): number =>
  getTexts(item).reduce((sum, text) => sum + text.length, 0);

/** Creates a function that writes texts in order, with the passage marked and the anchors of others. */
function markText(
  items: readonly Item[],
  passage: MarkedPassage | null,
  passages: readonly AnchoredPassage[],
) {
  const pieces: string[] = [];
  writeItems(items, (each) => {
    pieces.push(each);
    return '';
  });
  const found = passage ? findText(passage.text, pieces) : new Map<number, TextRange>();
  const first = Math.min(...found.keys());
  const others = passages.filter(({ id }) => id !== passage?.id);
  const anchors = findAnchors(others, pieces);
  let piece = 0;
  return (each: string) => {
    const id = piece === first ? passage?.id : undefined;
    const html = writeText(each, found.get(piece), id, anchors.get(piece) ?? []);
    piece++;
    return html;
  };
}

/** Writes a text with anchors and a mark; the first mark has an anchor too. */
function writeText(
  text: string,
  range: TextRange | undefined,
  id: string | undefined,
  anchors: readonly Anchor[],
): string {
  let isFirst = id !== undefined;
  const part = (from: number, to: number) => {
    const start = Math.max(from, range?.start ?? to);
    const end = Math.min(to, range?.end ?? from);
    if (start >= end) return escapeText(text.slice(from, to));
    const anchor = isFirst ? ` id="${escapeText(id ?? '')}"` : '';
    isFirst = false;
    const [before, inside, after] = [
      text.slice(from, start),
      text.slice(start, end),
      text.slice(end, to),
    ];
    return `${escapeText(before)}<mark${anchor}>${escapeText(inside)}</mark>${escapeText(after)}`;
  };
  let html = '';
  let at = 0;
  for (const { id: other, offset } of anchors) {
    html += `${part(at, offset)}<span id="${escapeText(other)}"></span>`;
    at = offset;
  }
  return html + part(at, text.length);
}

function writePlace({ locator, number }: Part, pageCount: number): string {
  if (!locator) return '';
  const text =
    'sheet' in locator
      ? locator.sheet
      : 'chapter' in locator
        ? locator.chapter
        : `${'slide' in locator ? 'Slide' : 'Page'} ${number}`;
  return `<p class="place" id="page-${number}" dir="auto">${escapeText(text)} (${number}/${pageCount})</p>`;
}

const writePage = ({ title, language }: HtmlRequest, body: string): string =>
  `<!doctype html>
<html${language === null ? '' : ` lang="${escapeText(language)}"`}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeText(title)}</title><style>${STYLE}</style></head>
<body>
${body}
</body>
</html>
`;
