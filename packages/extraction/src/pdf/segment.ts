/** Text on one line without a wide gap. The origin of the coordinates is the lower left corner. */
export interface Segment {
  text: string;
  left: number;
  right: number;
  /** The height of its baseline. */
  readonly y: number;
  /** The size of the letters, in points. */
  readonly size: number;
  readonly bold: boolean;
  /** Whether all letters have the same width, as in code. */
  readonly monospaced: boolean;
  readonly rightToLeft: boolean;
  /** Quarter turns to the left of rotated text; the coordinates are those of the page turned back. */
  readonly turns?: number;
}

/** Segments on one baseline, from left to right. */
export interface PageRow {
  readonly page: number;
  readonly y: number;
  readonly segments: Segment[];
}

export interface PageText {
  /** From 1. */
  readonly number: number;
  readonly height: number;
  /** The rows, in the order of the page's content. */
  readonly rows: PageRow[];
}

export const getLeft = ({ segments }: PageRow): number => segments[0]?.left ?? 0;
export const getRight = ({ segments }: PageRow): number =>
  segments.reduce((right, segment) => Math.max(right, segment.right), -Infinity);
export const joinSegments = ({ segments }: PageRow): string =>
  segments.map(({ text }) => text).join(' ');
/** The size of the longest segment's letters. */
export function getUsualSize({ segments }: PageRow): number {
  let longest: Segment | undefined;
  for (const segment of segments) {
    if (!longest || segment.text.length > longest.text.length) longest = segment;
  }
  return longest?.size ?? 0;
}
