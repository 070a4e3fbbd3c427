/** A page as grey pixels, row by row, 0 for black. */
export interface PageImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Dots per inch: 72 points of the page are so many pixels. */
  readonly dpi: number;
}

/** Draws the pages of a document as images. */
export interface PageImages {
  readonly count: number;
  /**
   * @param page from 1
   * @param turns quarter turns to the right
   * @returns null for a page that cannot be drawn
   */
  draw(page: number, turns: number): Promise<PageImage | null>;
  close(): void;
}

/** Converts an image to PGM, which Tesseract reads without decoding. */
export function toPgm({ width, height, pixels }: PageImage): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}
