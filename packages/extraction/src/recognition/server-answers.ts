import type { PageImage } from './page-image.js';
import { toRecognisedText } from './page-text.js';
import type { RecognisedText } from './recognised-page.js';
import type { TextLine } from './tesseract-core.js';

/** The picture of a page that was sent to a server. */
export type SentPage = Pick<PageImage, 'width' | 'height' | 'dpi'> & {
  /** From 1. */
  readonly number: number;
};

interface Bounds {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The line height assumed if a server gives no positions. */
const LINE_POINTS = 14;
const POINTS_PER_INCH = 72;
const MAX_LINES = 20_000;
/** Marks of Markdown. */
const MARKS = /^(?:#{1,6} |[-*] (?!\[)|> )/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an answer of PaddleOCR: lines with their boxes in the picture and their scores.
 *
 * @returns undefined if the answer is invalid
 */
export function readPaddleOcrPage(answer: unknown, page: SentPage): RecognisedText | undefined {
  const results = asFields(asFields(answer)?.['result'])?.['ocrResults'];
  const found = asFields(asFields(asList(results)?.[0])?.['prunedResult']);
  const texts = asList(found?.['rec_texts']);
  if (!texts) return undefined;
  const boxes = asList(found?.['rec_boxes']) ?? [];
  const scores = asList(found?.['rec_scores']) ?? [];
  const lines = texts.slice(0, MAX_LINES).flatMap((text, at): TextLine[] => {
    const [x0, y0, x1, y1] = (asList(boxes[at]) ?? []).map(Number);
    if (typeof text !== 'string' || !isPlace(x0) || !isPlace(y0) || !isPlace(x1) || !isPlace(y1))
      return [];
    return [toLine(text, { x0, y0, x1, y1 }, y1 - y0, 100 * Number(scores[at] ?? 1))];
  });
  return toRecognisedText(page.number, [{ paragraphs: [{ lines }] }], page);
}

/**
 * Reads an answer of docling-serve: paragraphs and cells with their boxes, or Markdown.
 *
 * @returns undefined if the answer is invalid
 */
export function readDoclingPage(answer: unknown, page: SentPage): RecognisedText | undefined {
  const document = asFields(asFields(answer)?.['document']);
  if (!document) return undefined;
  const json = asFields(document['json_content']);
  const lines = json ? readDoclingLines(json, page) : readTextLines(document, page);
  // The server gives no confidence.
  return (
    lines && {
      ...toRecognisedText(page.number, [{ paragraphs: [{ lines }] }], page),
      isUnrated: true,
    }
  );
}

function readDoclingLines(json: Fields, page: SentPage): TextLine[] {
  const size = asFields(asFields(asFields(json['pages'])?.['1'])?.['size']);
  const height = Number(size?.['height']) || page.height;
  const scale = page.width / (Number(size?.['width']) || page.width);
  const cells = (asList(json['tables']) ?? []).flatMap(
    (table) => asList(asFields(asFields(table)?.['data'])?.['table_cells']) ?? [],
  );
  return [...(asList(json['texts']) ?? []), ...cells]
    .slice(0, MAX_LINES)
    .flatMap((item): TextLine[] => {
      const { text, prov, bbox } = asFields(item) ?? {};
      const box = asFields(bbox) ?? asFields(asFields(asList(prov)?.[0])?.['bbox']);
      if (typeof text !== 'string' || !box) return [];
      const [l, t, r, b] = ['l', 't', 'r', 'b'].map((side) => Number(box[side]));
      if (!isPlace(l) || !isPlace(t) || !isPlace(r) || !isPlace(b)) return [];
      const [top, bottom] = box['coord_origin'] === 'TOPLEFT' ? [t, b] : [height - t, height - b];
      const bounds = { x0: l * scale, y0: top * scale, x1: r * scale, y1: bottom * scale };
      // The height of a line is unknown, since a paragraph may have several.
      const line = (LINE_POINTS * page.dpi) / POINTS_PER_INCH;
      return [toLine(text, bounds, Math.min(bounds.y1 - bounds.y0, line), 100)];
    });
}

function readTextLines(document: Fields, page: SentPage): TextLine[] | undefined {
  const text = document['md_content'] ?? document['text_content'];
  if (typeof text !== 'string') return undefined;
  const height = (LINE_POINTS * page.dpi) / POINTS_PER_INCH;
  const lines = text.split('\n').slice(0, MAX_LINES);
  return lines.flatMap((line, at) => {
    const plain = line.trim().replace(MARKS, '');
    const bounds = { x0: 0, y0: at * height, x1: page.width, y1: (at + 1) * height };
    return plain === '' ? [] : [toLine(plain, bounds, height, 100)];
  });
}

function toLine(text: string, bbox: Bounds, rowHeight: number, confidence: number): TextLine {
  const baseline = bbox.y0 + rowHeight;
  return {
    words: [{ text: text.trim(), confidence, bbox }],
    bbox,
    baseline: { ...bbox, y0: baseline, y1: baseline },
    rowAttributes: { rowHeight },
  };
}

const asFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;

const asList = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? (value as unknown[]) : undefined;

const isPlace = (value: number | undefined): value is number => Number.isFinite(value);
