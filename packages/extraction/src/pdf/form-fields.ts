import type { OpenPdf } from './open-pdf.js';
import { type PdfiumFunctions, Scratch } from './pdfium.js';
import type { PageRow } from './segment.js';

const FREE_TEXT = 3;
const WIDGET = 20;
const MAX_ANNOTATIONS = 2000;
const HIDDEN = 0x02;
/** Flags of fields whose content is not visible text. */
const PASSWORD = 1 << 13;
const PUSH_BUTTON = 1 << 16;
/** Types of fields up to this one are buttons and check boxes. */
const RADIO_BUTTON = 3;
/** A single line has the height of its field, up to this size; several lines have this size. */
const MAX_SIZE = 12;
const SHARE_OF_HEIGHT = 0.7;
const LINE_HEIGHT = 1.2;
/** How far the baseline is below the middle of a line, as a share of its size. */
const BELOW_MIDDLE = 0.35;
const KEY_BYTES = 32;

/**
 * Adds the values of form fields, and texts that were put onto the page as annotations, to the rows that
 * they stand in. A check box or radio button becomes ☒ or ☐.
 */
export function addFields(
  functions: PdfiumFunctions,
  pdf: OpenPdf,
  page: number,
  number: number,
  rows: PageRow[],
): void {
  const { scratch } = pdf;
  const count = Math.min(functions.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  for (let index = 0; index < count; index++) {
    const annotation = functions.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const text = readAnnotation(functions, pdf, annotation);
    if (text !== '' && functions.FPDFAnnot_GetRect(annotation, scratch.address) !== 0) {
      const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => scratch.float(offset));
      add(text, { left, top, right, bottom }, number, rows);
    }
    functions.FPDFPage_CloseAnnot(annotation);
  }
}

function readAnnotation(functions: PdfiumFunctions, pdf: OpenPdf, annotation: number): string {
  const own = (key: string) => readString(functions, pdf.scratch, annotation, key);
  const type = functions.FPDFAnnot_GetSubtype(annotation);
  if (type !== FREE_TEXT && type !== WIDGET) return '';
  if ((functions.FPDFAnnot_GetFlags(annotation) & HIDDEN) !== 0) return '';
  if (type === FREE_TEXT) return own('Contents');
  const { isButton, flags, value } = readField(functions, pdf, annotation);
  if (!isButton) return (flags & PASSWORD) === 0 ? value() : '';
  if ((flags & PUSH_BUTTON) !== 0) return '';
  const state = own('AS');
  return state === '' || state === 'Off' ? '☐' : '☒';
}

/** Reads the type, flags and value of a field, including inherited ones. */
function readField(functions: PdfiumFunctions, { form, scratch }: OpenPdf, annotation: number) {
  const type = functions.FPDFAnnot_GetFormFieldType(form, annotation);
  // Some files have fields that their form does not list.
  if (type <= 0) {
    return {
      isButton: readString(functions, scratch, annotation, 'FT') === 'Btn',
      flags: readNumber(functions, scratch, annotation, 'Ff'),
      value: () => readString(functions, scratch, annotation, 'V'),
    };
  }
  return {
    isButton: type <= RADIO_BUTTON,
    flags: functions.FPDFAnnot_GetFormFieldFlags(form, annotation),
    value: () => {
      const read = (buffer: number, most: number) =>
        functions.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, most);
      return textIn(scratch, read);
    },
  };
}

interface Rect {
  readonly left?: number | undefined;
  readonly top?: number | undefined;
  readonly right?: number | undefined;
  readonly bottom?: number | undefined;
}

function add(text: string, rect: Rect, page: number, rows: PageRow[]): void {
  const { left = 0, top = 0, right = 0, bottom = 0 } = rect;
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const height = top - bottom;
  const size = Math.max(1, Math.min(MAX_SIZE, (SHARE_OF_HEIGHT * height) / lines.length));
  const first = lines.length === 1 ? (top + bottom) / 2 : top - size * (LINE_HEIGHT / 2);
  for (const [index, line] of lines.entries()) {
    const y = first - BELOW_MIDDLE * size - index * LINE_HEIGHT * size;
    // The words beside a field say what it is for.
    const beside = lines.length === 1 && rows.find((row) => row.y >= bottom && row.y <= top);
    const look = { bold: false, monospaced: false, rightToLeft: RIGHT_TO_LEFT.test(line) };
    const placed = { text: line.trim(), left, right, size, ...look };
    if (beside) {
      beside.segments.push({ ...placed, y: beside.y });
      beside.segments.sort((one, other) => one.left - other.left);
    } else rows.push({ page, y, segments: [{ ...placed, y }] });
  }
}

const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}]/u;

function readString(
  functions: PdfiumFunctions,
  scratch: Scratch,
  annotation: number,
  key: string,
): string {
  scratch.bytes(KEY_BYTES).set(Buffer.from(`${key}\0`));
  return textIn(scratch, (buffer, most) =>
    functions.FPDFAnnot_GetStringValue(annotation, scratch.address, buffer, most),
  );
}

/** @param write writes the text after the name of its key, and returns its length in bytes */
function textIn(scratch: Scratch, write: (buffer: number, most: number) => number): string {
  const most = Scratch.BYTES - KEY_BYTES;
  const bytes = write(scratch.address + KEY_BYTES, most);
  if (bytes <= 2 || bytes > most) return '';
  return Buffer.from(scratch.bytes(KEY_BYTES + bytes - 2).subarray(KEY_BYTES)).toString('utf16le');
}

function readNumber(
  functions: PdfiumFunctions,
  scratch: Scratch,
  annotation: number,
  key: string,
): number {
  const { address } = scratch;
  scratch.bytes(KEY_BYTES).set(Buffer.from(`${key}\0`));
  const isThere = functions.FPDFAnnot_GetNumberValue(annotation, address, address + KEY_BYTES);
  return isThere === 0 ? 0 : scratch.float(KEY_BYTES);
}
