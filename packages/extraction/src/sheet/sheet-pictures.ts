import type { Archive } from '../archive/archive.js';
import { partReader, relationshipsOf } from '../archive/relationships.js';
import { attribute, readXml } from '../archive/xml.js';
import type { Block } from '../block.js';
import { pictureHere } from '../recognition/picture-places.js';
import { Unreadable } from '../unreadable.js';

const MAX_PICTURES = 1000;

interface Drawing {
  /** Of pictures, the relationships by the blocks in their places. */
  readonly places: Map<Block, string>;
  /** Of each picture, the row of its upper edge, from 1. */
  readonly rows: Map<Block, number>;
  readonly contentOf: (relationship: string) => Promise<Uint8Array | undefined>;
}

/** The pictures over the cells of a worksheet; none where they cannot be read. */
export async function drawingOf(archive: Archive, part: string): Promise<Drawing | undefined> {
  try {
    const relationships = await relationshipsOf(archive, part);
    const name = relationships.find(({ type }) => type === 'drawing')?.target ?? '';
    if (!archive.has(name)) return undefined;
    const contentOf = partReader(archive, await relationshipsOf(archive, name));
    return { ...(await readDrawing(archive, name)), contentOf };
  } catch (error) {
    if (error instanceof Unreadable && error.code === 'parse_failed') return undefined;
    throw error;
  }
}

async function readDrawing(archive: Archive, name: string) {
  const places = new Map<Block, string>();
  const rows = new Map<Block, number>();
  /** Of an anchor, the first row is that of the upper edge. */
  let row: number | undefined;
  let isRow = false;
  await readXml(archive.read(name), {
    open(element, attributes) {
      if (element.endsWith('Anchor')) row = undefined;
      isRow = element === 'row';
      const relationship = element === 'blip' ? attribute(attributes, 'embed') : undefined;
      if (relationship === undefined || places.size >= MAX_PICTURES) return;
      const place = pictureHere();
      places.set(place, relationship);
      rows.set(place, row ?? 1);
    },
    text(text) {
      if (isRow) row ??= Number(text) + 1;
    },
    close() {
      isRow = false;
    },
  });
  return { places, rows };
}

/** The blocks of a sheet with the places of its pictures, each behind the block in which its row is. */
export function withPlaces(blocks: readonly Block[], rows: ReadonlyMap<Block, number>): Block[] {
  const waiting = [...rows].sort(([, one], [, other]) => one - other);
  let next = 0;
  const before = (row: number) => {
    const from = next;
    while (next < waiting.length && (waiting[next]?.[1] ?? 1) < row) next++;
    return waiting.slice(from, next).map(([place]) => place);
  };
  const all = blocks.flatMap((block) => {
    const { locator } = block;
    return [...(locator && 'sheet' in locator ? before(locator.row) : []), block];
  });
  return [...all, ...before(Infinity)];
}
