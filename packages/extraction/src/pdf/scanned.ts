import type { PdfiumFunctions } from './pdfium.js';
import { isReadable } from './readable-text.js';
import type { PageText } from './segment.js';

/** A page with this many readable letters is more than a scan with a stamp or page number. */
const ENOUGH_LETTERS = 120;
/** If pictures cover at least this share of a page, it counts as scanned. */
const COVERED = 0.4;
/** A page with this many lines and curves and hardly any text has its letters drawn as curves. */
const DRAWN_PATHS = 300;
/** The share of letters without a character, because their font does not give one. */
const BROKEN = 0.3;
/** The share of real words in an invisible text layer, below which it was recognised badly. */
const GOOD_WORDS = 0.6;
const MAX_OBJECTS = 20_000;
const PATH = 2;
const IMAGE = 3;
const FORM = 5;
export const INVISIBLE = 3;
const LETTER = /[\p{L}\p{N}]/gu;
/** Matches a word of one script, or a number; a single letter is seldom a word. */
const WORD = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}{2,}|\p{Lo}+|\p{N}+(?:[.,:/-]\p{N}+)*|[aIyàèéoueió])$/u;

/** Counts the letters of a page. */
interface LetterCounts {
  /** All letters. */
  all: number;
  /** Letters without a Unicode character. */
  broken: number;
  /** Letters that are not drawn; programs put them over scans. */
  invisible: number;
}

/** Whether the letters of a page look different from their characters, or have none. */
export function isGarbled({ rows }: PageText, counts: LetterCounts): boolean {
  if (counts.all < ENOUGH_LETTERS) return false;
  return counts.broken > BROKEN * counts.all || !isReadable(joinTexts(rows));
}

/** Whether a page shows text that it does not contain. */
export function needsRecognition(
  functions: PdfiumFunctions,
  page: number,
  address: number,
  { rows }: PageText,
  counts: LetterCounts,
): boolean {
  const text = joinTexts(rows);
  const letters = text.match(LETTER)?.length ?? 0;
  if (letters >= ENOUGH_LETTERS) {
    return counts.invisible > counts.all / 2 && rateWords(text) < GOOD_WORDS;
  }
  const { covered, paths } = measureDrawing(functions, page, address);
  return covered >= COVERED || paths >= DRAWN_PATHS;
}

const joinTexts = (rows: PageText['rows']): string =>
  rows.flatMap(({ segments }) => segments.map(({ text }) => text)).join(' ');

function rateWords(text: string): number {
  const words = text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== '');
  return words.filter((word) => WORD.test(word)).length / Math.max(1, words.length);
}

/** Measures the share of a page that pictures cover, and counts its paths. */
function measureDrawing(functions: PdfiumFunctions, page: number, address: number) {
  const width = functions.FPDF_GetPageWidthF(page);
  const height = functions.FPDF_GetPageHeightF(page);
  let area = 0;
  let paths = 0;
  const count = Math.min(functions.FPDFPage_CountObjects(page), MAX_OBJECTS);
  for (let index = 0; index < count; index++) {
    const object = functions.FPDFPage_GetObject(page, index);
    const type = functions.FPDFPageObj_GetType(object);
    if (type === PATH) paths++;
    // A form may hold the picture of a whole page.
    if (type !== IMAGE && type !== FORM) continue;
    if (functions.FPDFPageObj_GetBounds(object, address, address + 4, address + 8, address + 12)) {
      const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(
        functions.memory.buffer,
        address,
        4,
      );
      area += measureOverlap(left, right, width) * measureOverlap(bottom, top, height);
    }
  }
  return { covered: area / Math.max(1, width * height), paths };
}

const measureOverlap = (from: number, to: number, size: number): number =>
  Math.max(0, Math.min(to, size) - Math.max(from, 0));
