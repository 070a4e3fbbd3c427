import { createRequire } from 'node:module';

interface Bounds {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Places in pixels, from the upper left corner. */
export interface Word {
  readonly text: string;
  /** 0 to 100. */
  readonly confidence: number;
  readonly bbox: Bounds;
}

export interface TextLine {
  readonly words: readonly Word[];
  readonly bbox: Bounds;
  readonly baseline: Bounds;
  readonly rowAttributes: { readonly rowHeight: number };
}

/** A region of the page, in reading order. */
export interface TextBlock {
  readonly paragraphs: readonly { readonly lines: readonly TextLine[] }[];
}

interface OrientationAndScript {
  readonly best_result: {
    readonly orientation_id: number;
    readonly script_id: number;
    readonly sconfidence: number;
    readonly oconfidence: number;
  };
  readonly unicharset: { get_script_from_script_id(id: number): string };
}

/** The part of Tesseract's API that is used. */
export interface TesseractApi {
  /** @returns -1 if the data of the languages cannot be used */
  Init(path: null, languages: string, engine: number): number;
  SetVariable(name: string, value: string): boolean;
  /** Takes the image in the file `/input`, turned by an angle in radians. */
  SetImageFile(exifOrientation: number, angle: number): number;
  FindLines(): number;
  GetGradient(): number;
  Recognize(monitor: null): number;
  GetJSONText(): string;
  DetectOS(result: OrientationAndScript): boolean;
  End(): void;
}

export interface TesseractCore {
  readonly FS: { writeFile(path: string, content: Uint8Array): void };
  readonly TessBaseAPI: new () => TesseractApi;
  readonly OSResults: new () => OrientationAndScript;
}

type CoreFactory = (options: object) => Promise<TesseractCore>;

const require = createRequire(import.meta.url);
/** Builds with and without instructions that some processors lack, the fastest first. */
const BUILDS = ['tesseract-core-relaxedsimd', 'tesseract-core-simd', 'tesseract-core'];
const SILENT = {
  print: () => undefined,
  printErr: () => undefined,
  TesseractProgress: () => undefined,
};

/** Loads Tesseract as WebAssembly, including the legacy engine, which is needed to detect scripts. */
export async function tesseractCore(): Promise<TesseractCore> {
  let failure: unknown;
  for (const build of BUILDS) {
    try {
      const factory = require(`tesseract.js-core/${build}`) as CoreFactory;
      return await factory(SILENT);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
