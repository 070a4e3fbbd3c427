import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init } from '@embedpdf/pdfium';

/**
 * The functions of PDFium that are used, without the wrappers of the package, which take 20 times as
 * long: four of them are called for each character. Pointers and handles are numbers, 0 is none.
 */
export interface PdfiumFunctions {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  free(pointer: number): void;
  PDFiumExt_Init(): void;
  PDFiumExt_OpenFormFillInfo(): number;
  PDFiumExt_CloseFormFillInfo(info: number): void;
  PDFiumExt_InitFormFillEnvironment(document: number, info: number): number;
  PDFiumExt_ExitFormFillEnvironment(form: number): void;
  FPDF_LoadMemDocument(pointer: number, bytes: number, password: number): number;
  FPDF_CloseDocument(document: number): void;
  FPDF_GetLastError(): number;
  FPDF_GetFormType(document: number): number;
  FPDF_GetPageCount(document: number): number;
  FPDF_GetMetaText(document: number, key: number, buffer: number, bytes: number): number;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDF_GetPageWidthF(page: number): number;
  FPDF_GetPageHeightF(page: number): number;
  FPDFText_LoadPage(page: number): number;
  FPDFText_ClosePage(text: number): void;
  FPDFText_CountChars(text: number): number;
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_GetTextObject(text: number, index: number): number;
  FPDFText_GetLooseCharBox(text: number, index: number, box: number): number;
  FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  FPDFText_GetFontSize(text: number, index: number): number;
  FPDFText_GetFontWeight(text: number, index: number): number;
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  FPDFTextObj_GetFont(object: number): number;
  FPDFTextObj_GetTextRenderMode(object: number): number;
  FPDFPage_GetAnnotCount(page: number): number;
  FPDFPage_GetAnnot(page: number, index: number): number;
  FPDFPage_CloseAnnot(annotation: number): void;
  FPDFAnnot_GetSubtype(annotation: number): number;
  FPDFAnnot_GetFlags(annotation: number): number;
  FPDFAnnot_GetRect(annotation: number, rect: number): number;
  FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, bytes: number): number;
  FPDFAnnot_GetNumberValue(annotation: number, key: number, value: number): number;
  /** -1 where the form has no such field. */
  FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
  FPDFAnnot_GetFormFieldFlags(form: number, annotation: number): number;
  FPDFAnnot_GetFormFieldValue(
    form: number,
    annotation: number,
    buffer: number,
    bytes: number,
  ): number;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFPageObj_GetBounds(
    object: number,
    left: number,
    bottom: number,
    right: number,
    top: number,
  ): number;
  FPDFImageObj_GetImageDataRaw(object: number, buffer: number, bytes: number): number;
  FPDFBitmap_CreateEx(
    width: number,
    height: number,
    format: number,
    pixels: number,
    stride: number,
  ): number;
  FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): void;
  FPDFBitmap_GetBuffer(bitmap: number): number;
  FPDFBitmap_GetStride(bitmap: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    turns: number,
    flags: number,
  ): void;
  /** Converts a point of the page to one of its picture. */
  FPDF_PageToDevice(
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    turns: number,
    x: number,
    y: number,
    pictureX: number,
    pictureY: number,
  ): number;
  FPDFFont_GetFlags(font: number): number;
  FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number;
  FPDFBookmark_GetFirstChild(document: number, bookmark: number): number;
  FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number;
  FPDFBookmark_GetDest(document: number, bookmark: number): number;
  FPDFBookmark_GetAction(bookmark: number): number;
  FPDFAction_GetDest(document: number, action: number): number;
  FPDFDest_GetDestPageIndex(document: number, destination: number): number;
  FPDFDest_GetLocationInPage(
    destination: number,
    hasX: number,
    hasY: number,
    hasZoom: number,
    x: number,
    y: number,
    zoom: number,
  ): number;
}

const BINARY = '@embedpdf/pdfium/pdfium.wasm';

let loaded: Promise<PdfiumFunctions> | undefined;

/** PDFium is compiled once per process. */
export const pdfium = (): Promise<PdfiumFunctions> => (loaded ??= load());

async function load(): Promise<PdfiumFunctions> {
  const binary = await readFile(createRequire(import.meta.url).resolve(BINARY));
  const wasmBinary = new Uint8Array(binary).buffer;
  const overrides = { wasmBinary, print: () => undefined, printErr: () => undefined };
  const { pdfium: module } = await init(overrides);
  const functions = module.wasmExports as unknown as PdfiumFunctions;
  functions.PDFiumExt_Init();
  return functions;
}

/** Reads what PDFium writes into memory, which moves when it grows. */
export class Scratch {
  private buffer: ArrayBufferLike;
  private floats: Float32Array;
  private integers: Int32Array;
  private doubles: Float64Array;
  /** The address of `BYTES` bytes. */
  readonly address: number;
  static readonly BYTES = 8192;

  constructor(private readonly functions: PdfiumFunctions) {
    this.address = functions.malloc(Scratch.BYTES);
    this.buffer = functions.memory.buffer;
    this.floats = new Float32Array(this.buffer);
    this.integers = new Int32Array(this.buffer);
    this.doubles = new Float64Array(this.buffer);
  }

  float(offset: number): number {
    this.refresh();
    return this.floats[(this.address + offset) >> 2] ?? 0;
  }

  integer(offset: number): number {
    this.refresh();
    return this.integers[(this.address + offset) >> 2] ?? 0;
  }

  double(offset: number): number {
    this.refresh();
    return this.doubles[(this.address + offset) >> 3] ?? 0;
  }

  bytes(length: number): Uint8Array {
    return new Uint8Array(this.functions.memory.buffer, this.address, length);
  }

  free(): void {
    this.functions.free(this.address);
  }

  private refresh(): void {
    if (this.buffer === this.functions.memory.buffer) return;
    this.buffer = this.functions.memory.buffer;
    this.floats = new Float32Array(this.buffer);
    this.integers = new Int32Array(this.buffer);
    this.doubles = new Float64Array(this.buffer);
  }
}
