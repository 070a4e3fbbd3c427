import type { Archive } from '../archive/archive.js';
import { createPartLoader, readRelationships } from '../archive/relationships.js';
import { attribute, type Attributes, readXml, type XmlHandler } from '../archive/xml.js';
import type { Block, ReadingContext } from '../block.js';
import { type DrawingPart, readDrawingPart } from '../slides/drawing-part.js';
import { Slide } from '../slides/slide.js';
import { Unreadable } from '../unreadable.js';

/** The number of anchors with text, pictures or charts that are read. */
const MAX_ANCHORS = 1000;

/** Limits the cells of all charts in a workbook. */
export interface ChartBudget {
  left: number;
}
export const newChartBudget = (): ChartBudget => ({ left: 200_000 });

/** The objects over the cells of a worksheet. */
interface Drawing {
  /** Texts and placeholders of pictures, each with the row of its upper edge, from 1. */
  readonly rows: Map<Block, number>;
  /** The relationships of pictures, by their placeholder blocks. */
  readonly pictures: Map<Block, string>;
  readonly loadPicture: (relationship: string) => Promise<Uint8Array | undefined>;
}

/**
 * Finds the texts, charts and pictures over the cells of a worksheet, and warns about those it cannot read.
 *
 * @param part the name of the worksheet's part
 * @param sheets the names of the sheets that are read
 */
export async function findDrawing(
  archive: Archive,
  part: string,
  sheets: ReadonlySet<string>,
  charts: ChartBudget,
  context: ReadingContext,
): Promise<Drawing | undefined> {
  try {
    const relationships = await readRelationships(archive, part);
    const name = relationships.find(({ type }) => type === 'drawing')?.target ?? '';
    if (!archive.has(name)) return undefined;
    return await readDrawing(archive, name, sheets, charts, context);
  } catch (error) {
    if (!(error instanceof Unreadable) || error.code !== 'parse_failed') throw error;
    context.warn({ code: 'not_read', what: 'drawing' });
    return undefined;
  }
}

async function readDrawing(
  archive: Archive,
  part: string,
  sheets: ReadonlySet<string>,
  charts: ChartBudget,
  context: ReadingContext,
): Promise<Drawing> {
  const handler = new SheetDrawing();
  await readXml(archive.read(part), handler);
  const relationships = await readRelationships(archive, part);
  const targets = new Map(relationships.map(({ id, target }) => [id, target]));
  const rows = new Map<Block, number>();
  const pictures = new Map<Block, string>();
  if (handler.hasMore)
    context.warn({ code: 'not_read', what: `more than ${MAX_ANCHORS} drawings` });
  /** The parts read so far: a part may be anchored many times, but is read once. */
  const seen = new Set<string>();
  for (const { row, shapes, parts } of handler.anchors) {
    for (const block of shapes.blocks) rows.set(block, row);
    for (const [place, relationship] of shapes.pictures) pictures.set(place, relationship);
    for (const { what, relationship } of parts) {
      const name = targets.get(relationship) ?? '';
      if (seen.has(name)) continue;
      seen.add(name);
      const { blocks, isUnread } =
        charts.left > 0
          ? await readDrawingPart(archive, name, what, sheets)
          : { blocks: [], isUnread: true };
      charts.left -= countCells(blocks);
      context.progress();
      if (isUnread) context.warn({ code: 'not_read', what });
      for (const block of blocks) rows.set(block, row);
    }
  }
  return { rows, pictures, loadPicture: createPartLoader(archive, relationships) };
}

const countCells = (blocks: readonly Block[]): number =>
  blocks.reduce(
    (sum, block) =>
      sum + (block.kind === 'table' ? block.rows.length * (block.rows[0]?.cells.length ?? 0) : 0),
    0,
  );

interface Anchor {
  /** The row of the upper edge, from 1; 1 for an anchor without a cell. */
  row: number;
  readonly shapes: Slide;
  readonly parts: DrawingPart[];
}

/** Reads the objects anchored over the cells of a sheet. Their shapes are the same as on slides. */
class SheetDrawing implements XmlHandler {
  readonly anchors: Anchor[] = [];
  hasMore = false;
  private anchor: Anchor | undefined;
  private isUpperEdge = false;
  private isRow = false;

  open(name: string, attributes: Attributes): void {
    if (name.endsWith('Anchor')) this.anchor = { row: 1, shapes: new Slide(), parts: [] };
    else if (name === 'from') this.isUpperEdge = true;
    else if (name === 'row') this.isRow = this.isUpperEdge;
    else if (name === 'chart') this.addPart('chart', attribute(attributes, 'id'));
    else if (name === 'relIds') this.addPart('SmartArt', attribute(attributes, 'dm'));
    this.anchor?.shapes.open(name, attributes);
  }

  text(text: string): void {
    if (this.isRow && this.anchor) this.anchor.row = Number(text) + 1 || 1;
    this.anchor?.shapes.text(text);
  }

  close(name: string): void {
    if (name === 'from') this.isUpperEdge = false;
    this.isRow = false;
    this.anchor?.shapes.close(name);
    if (name.endsWith('Anchor')) this.closeAnchor();
  }

  private closeAnchor(): void {
    const { anchor } = this;
    this.anchor = undefined;
    if (!anchor || (anchor.parts.length === 0 && anchor.shapes.blocks.length === 0)) return;
    if (this.anchors.length < MAX_ANCHORS) this.anchors.push(anchor);
    else this.hasMore = true;
  }

  private addPart(what: DrawingPart['what'], relationship: string | undefined): void {
    if (relationship !== undefined) this.anchor?.parts.push({ what, relationship });
  }
}

/** Inserts each object over the cells behind the block that contains its row. */
export function withPlaces(blocks: readonly Block[], rows: ReadonlyMap<Block, number>): Block[] {
  const waiting = [...rows].sort(([, one], [, other]) => one - other);
  let next = 0;
  const before = (row: number) => {
    const from = next;
    while (next < waiting.length && (waiting[next]?.[1] ?? 1) < row) next++;
    return waiting.slice(from, next).map(([place]) => place);
  };
  const all = blocks.flatMap((block) => {
    const row = firstRow(block);
    return [...(row === undefined ? [] : before(row)), block];
  });
  return [...all, ...before(Infinity)];
}

function firstRow(block: Block): number | undefined {
  const { locator } = block;
  if (!locator || !('sheet' in locator)) return undefined;
  return block.kind === 'table' && block.header ? locator.row - 1 : locator.row;
}
