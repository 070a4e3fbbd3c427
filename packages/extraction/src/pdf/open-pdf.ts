import { Unreadable } from '../unreadable.js';
import { type PdfiumFunctions, Scratch } from './pdfium.js';

/** An entry of the outline. */
export interface Bookmark {
  readonly title: string;
  /** From 1, the outermost. */
  readonly level: number;
  /** From 1. */
  readonly page: number;
  /** The distance of its target from the bottom of the page. */
  readonly y: number | null;
}

const NEEDS_PASSWORD = 4;
const MAX_BOOKMARKS = 20_000;
const MAX_LEVEL = 8;

export interface OpenPdf {
  readonly document: number;
  /** The handle of the form; 0 if there is none. */
  readonly form: number;
  readonly scratch: Scratch;
  close(): void;
}

/** @throws Unreadable */
export function openPdf(functions: PdfiumFunctions, content: Uint8Array): OpenPdf {
  const pointer = functions.malloc(content.length);
  if (pointer === 0) throw new Unreadable('too_large', 'Reading the PDF takes too much memory.');
  new Uint8Array(functions.memory.buffer).set(content, pointer);
  const document = functions.FPDF_LoadMemDocument(pointer, content.length, 0);
  if (document === 0) {
    const isEncrypted = functions.FPDF_GetLastError() === NEEDS_PASSWORD;
    functions.free(pointer);
    throw new Unreadable(
      isEncrypted ? 'encrypted' : 'parse_failed',
      isEncrypted ? 'The PDF is encrypted.' : 'The PDF is damaged, or no PDF.',
    );
  }
  const scratch = new Scratch(functions);
  const hasForm = functions.FPDF_GetFormType(document) !== 0;
  const info = hasForm ? functions.PDFiumExt_OpenFormFillInfo() : 0;
  const form = hasForm ? functions.PDFiumExt_InitFormFillEnvironment(document, info) : 0;
  const close = () => {
    scratch.free();
    if (form !== 0) functions.PDFiumExt_ExitFormFillEnvironment(form);
    if (info !== 0) functions.PDFiumExt_CloseFormFillInfo(info);
    functions.FPDF_CloseDocument(document);
    functions.free(pointer);
  };
  return { document, form, scratch, close };
}

const KEY_BYTES = 32;

/** Reads a property of the document, such as `CreationDate`; empty if it has none. */
export function readProperty(
  functions: PdfiumFunctions,
  { document, scratch }: OpenPdf,
  key: string,
): string {
  scratch.bytes(KEY_BYTES).set(Buffer.from(`${key}\0`));
  const [buffer, most] = [scratch.address + KEY_BYTES, Scratch.BYTES - KEY_BYTES];
  const bytes = functions.FPDF_GetMetaText(document, scratch.address, buffer, most);
  if (bytes <= 2 || bytes > most) return '';
  const text = scratch.bytes(KEY_BYTES + bytes - 2).subarray(KEY_BYTES);
  return Buffer.from(text).toString('utf16le');
}

/** Reads the outline in order, up to MAX_BOOKMARKS entries, since it may refer to itself. */
export function readBookmarks(
  functions: PdfiumFunctions,
  { document, scratch }: OpenPdf,
): Bookmark[] {
  const bookmarks: Bookmark[] = [];
  const seen = new Set<number>();
  const visit = (parent: number, level: number) => {
    let bookmark = functions.FPDFBookmark_GetFirstChild(document, parent);
    while (bookmark !== 0 && !seen.has(bookmark) && seen.size < MAX_BOOKMARKS) {
      seen.add(bookmark);
      const found = read(bookmark, level);
      if (found) bookmarks.push(found);
      if (level < MAX_LEVEL) visit(bookmark, level + 1);
      bookmark = functions.FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  const read = (bookmark: number, level: number): Bookmark | null => {
    const { address } = scratch;
    const bytes = functions.FPDFBookmark_GetTitle(bookmark, address, Scratch.BYTES);
    if (bytes <= 2 || bytes > Scratch.BYTES) return null;
    const title = Buffer.from(scratch.bytes(bytes - 2)).toString('utf16le');
    const target = readTarget(bookmark);
    return target && { title: title.replace(/\s+/g, ' ').trim(), level, ...target };
  };
  const readTarget = (bookmark: number) => {
    let destination = functions.FPDFBookmark_GetDest(document, bookmark);
    if (destination === 0) {
      const action = functions.FPDFBookmark_GetAction(bookmark);
      if (action !== 0) destination = functions.FPDFAction_GetDest(document, action);
    }
    if (destination === 0) return null;
    const index = functions.FPDFDest_GetDestPageIndex(document, destination);
    if (index < 0) return null;
    const { address: at } = scratch;
    functions.FPDFDest_GetLocationInPage(
      destination,
      at,
      at + 4,
      at + 8,
      at + 12,
      at + 16,
      at + 20,
    );
    return { page: index + 1, y: scratch.integer(4) === 0 ? null : scratch.float(16) };
  };
  visit(0, 1);
  return bookmarks;
}
