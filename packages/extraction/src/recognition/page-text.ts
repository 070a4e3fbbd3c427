import type { TextBlock, TextLine, Word } from './tesseract-core.js';
import type { PageRow, Segment } from '../pdf/segment.js';
import type { PageImage } from './page-image.js';
import type { RecognisedText } from './recognised-page.js';

/** Words with less confidence are stains and pictures. */
const MIN_WORD_CONFIDENCE = 25;
const MIN_LINE_CONFIDENCE = 40;
/** A wider gap between words, as a share of the height of the line, separates columns. */
const COLUMN_GAP = 1.6;
/** Lines whose height differs by less from that of most letters have the same size. */
const SAME_SIZE = 0.18;
const POINTS_PER_INCH = 72;
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}]/u;
/** No space is written between these characters. */
const WITHOUT_SPACES = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}。、，！？；：（）「」]+$/u;

interface SizedLine {
  readonly words: readonly Word[];
  readonly size: number;
  readonly baseline: number;
}

/** Positions recognised words on the page, like the text of a PDF. */
export function toRecognisedText(
  number: number,
  blocks: readonly TextBlock[],
  { height, dpi }: Pick<PageImage, 'height' | 'dpi'>,
): RecognisedText {
  const lines = blocks
    .flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))
    .map(sizedLine)
    .filter(({ words }) => words.length > 0);
  const body = findUsualSize(lines);
  const scale = POINTS_PER_INCH / dpi;
  const rows = lines.map(({ words, size, baseline }): PageRow => {
    const isBody = Math.abs(size - body) <= SAME_SIZE * body;
    const look = {
      y: (height - baseline) * scale,
      size: (isBody ? body : size) * scale,
      bold: false,
      monospaced: false,
    };
    const segments = toSegments(words, size, scale).map((segment) => ({ ...segment, ...look }));
    return { page: number, y: look.y, segments };
  });
  return { number, height: height * scale, rows, confidence: rateConfidence(lines) };
}

function sizedLine({ words, rowAttributes, baseline, bbox }: TextLine): SizedLine {
  const kept = words.filter(
    ({ text, confidence }) => text.trim() !== '' && confidence >= MIN_WORD_CONFIDENCE,
  );
  const isLine = meanConfidence(kept) >= MIN_LINE_CONFIDENCE;
  return {
    words: isLine ? kept : [],
    size: rowAttributes.rowHeight || bbox.y1 - bbox.y0,
    baseline: (baseline.y0 + baseline.y1) / 2,
  };
}

/** Joins the words of each column into a segment, in reading order. */
function toSegments(
  words: readonly Word[],
  size: number,
  scale: number,
): Pick<Segment, 'text' | 'left' | 'right' | 'rightToLeft'>[] {
  const groups: Word[][] = [];
  let before: Word | undefined;
  for (const word of words) {
    const gap = before
      ? Math.max(word.bbox.x0 - before.bbox.x1, before.bbox.x0 - word.bbox.x1)
      : Infinity;
    const group = groups.at(-1);
    if (group && gap <= COLUMN_GAP * size) group.push(word);
    else groups.push([word]);
    before = word;
  }
  return groups
    .map((group) => {
      const text = joinWords(group.map((word) => word.text));
      return {
        text,
        left: Math.min(...group.map(({ bbox }) => bbox.x0)) * scale,
        right: Math.max(...group.map(({ bbox }) => bbox.x1)) * scale,
        rightToLeft: RIGHT_TO_LEFT.test(text),
      };
    })
    .sort((one, other) => one.left - other.left);
}

function joinWords(words: readonly string[]): string {
  let text = '';
  let before = '';
  for (const word of words) {
    const isTight = WITHOUT_SPACES.test(before) && WITHOUT_SPACES.test(word);
    text += text === '' || isTight ? word : ` ${word}`;
    before = word;
  }
  return text;
}

const countLetters = (words: readonly Word[]): number =>
  words.reduce((sum, { text }) => sum + text.length, 0);

function meanConfidence(words: readonly Word[]): number {
  const weighted = words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);
  return weighted / Math.max(1, countLetters(words));
}

function rateConfidence(lines: readonly SizedLine[]): number {
  return Math.round(meanConfidence(lines.flatMap(({ words }) => words)));
}

/** The median line height, weighted by the letters of each line. */
function findUsualSize(lines: readonly SizedLine[]): number {
  const sorted = [...lines].sort((one, other) => one.size - other.size);
  const half = countLetters(lines.flatMap(({ words }) => words)) / 2;
  let letters = 0;
  for (const { words, size } of sorted) {
    letters += countLetters(words);
    if (letters >= half) return size;
  }
  return 0;
}
