import type { Archive } from '../archive/archive.js';
import { readXml } from '../archive/xml.js';
import type { Block } from '../block.js';
import { Unreadable } from '../unreadable.js';
import { Chart } from './chart.js';
import { Slide } from './slide.js';

/** A chart or diagram that a drawing refers to, described in a separate part. */
export interface DrawingPart {
  readonly what: 'chart' | 'SmartArt';
  readonly relationship: string;
}

export interface PartText {
  readonly blocks: readonly Block[];
  /** Whether it shows something that is neither in these blocks nor in the cells of the document. */
  readonly isUnread: boolean;
}

/**
 * Reads the values of a chart or the texts of a diagram.
 *
 * @param part the name of its part in the archive
 * @param sheets the names of the document's sheets, whose values are not repeated
 * @returns no blocks where the part is missing or cannot be read
 * @throws Unreadable if it is too large
 */
export async function readDrawingPart(
  archive: Archive,
  part: string,
  what: DrawingPart['what'],
  sheets: ReadonlySet<string> = new Set(),
): Promise<PartText> {
  if (!archive.has(part)) return { blocks: [], isUnread: true };
  const handler = what === 'chart' ? new Chart() : new Slide();
  try {
    await readXml(archive.read(part), handler);
  } catch (error) {
    if (!(error instanceof Unreadable) || error.code === 'too_large') throw error;
    return { blocks: [], isUnread: true };
  }
  if (handler instanceof Chart && handler.showsOnly(sheets))
    return { blocks: handler.caption, isUnread: false };
  const { blocks } = handler;
  const isCut = handler instanceof Chart && handler.isCut;
  return { blocks, isUnread: isCut || blocks.every(({ kind }) => kind === 'caption') };
}
