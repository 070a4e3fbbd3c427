import type { Block } from '../block.js';
import { type Cell, type SpannedRow, toTableBlocks } from '../table-layout.js';

type OpenCell = { -readonly [K in keyof Cell]: Cell[K] };
type Merge = 'first' | 'covered' | undefined;

/** The definition of a cell in a row. */
interface Definition {
  /** The distance of the right edge from that of the text, in twips. */
  readonly right: number;
  readonly across: Merge;
  readonly down: Merge;
}

interface Row {
  readonly left: number;
  readonly definitions: readonly Definition[];
  readonly cells: readonly Cell[];
  readonly isHeader: boolean;
}

interface RowProperties {
  left: number;
  isHeader: boolean;
  across: Merge;
  down: Merge;
  definitions: Definition[];
}

const noProperties = (): RowProperties => ({
  left: 0,
  isHeader: false,
  across: undefined,
  down: undefined,
  definitions: [],
});

/** Edges within this distance (2 mm) belong to one column. */
const SAME_EDGE = 113;
const MAX_DEFINITIONS = 1000;

/** The open table of an RTF file. */
export class RtfTable {
  private readonly rows: Row[] = [];
  private cells: Cell[] = [];
  private properties = noProperties();
  /** The properties of the row around a nested table. */
  private outer: RowProperties | undefined;

  get isEmpty(): boolean {
    return this.rows.length === 0;
  }

  /** Reads a property of the row. */
  define(word: string, parameter: number): void {
    const { properties } = this;
    switch (word) {
      case 'trowd':
        this.properties = noProperties();
        break;
      case 'trleft':
        properties.left = parameter;
        break;
      case 'trhdr':
        properties.isHeader = true;
        break;
      case 'clmgf':
      case 'clmrg':
        properties.across = word === 'clmgf' ? 'first' : 'covered';
        break;
      case 'clvmgf':
      case 'clvmrg':
        properties.down = word === 'clvmgf' ? 'first' : 'covered';
        break;
      case 'cellx': {
        const { across, down, definitions } = properties;
        if (definitions.length < MAX_DEFINITIONS)
          definitions.push({ right: parameter, across, down });
        properties.across = properties.down = undefined;
        break;
      }
      case 'nesttableprops':
        this.outer = properties;
        break;
    }
  }

  addCell(blocks: readonly Block[], isHeader: boolean): void {
    this.cells.push({ blocks, colSpan: 1, rowSpan: 1, isHeader });
  }

  closeRow(): void {
    const { left, definitions, isHeader } = this.properties;
    this.rows.push({ left, definitions: [...definitions], cells: this.cells, isHeader });
    this.cells = [];
  }

  /** Ends the row of a nested table, whose properties are in a separate group. */
  endNestedProperties(): RowProperties {
    const nested = this.properties;
    if (this.outer) this.properties = this.outer;
    this.outer = undefined;
    return nested;
  }

  closeNestedRow(properties: RowProperties): void {
    this.properties = properties;
    this.closeRow();
  }

  toBlocks(): Block[] {
    return toTableBlocks(toSpannedRows(this.rows));
  }
}

/** The rows with the spans of merged cells, by the edges that all rows of the table have. */
function toSpannedRows(rows: readonly Row[]): SpannedRow[] {
  const edges = mergeEdges(rows);
  /** The cell that merged cells of the next row belong to, by column. */
  const above = new Map<number, OpenCell>();
  return rows.map(({ left, definitions, cells, isHeader }) => {
    // If a cell is not defined, all cells are simply placed one after the other.
    if (definitions.length < cells.length) return { cells, isHeader };
    const spanned: OpenCell[] = [];
    let column = columnAt(left, edges);
    if (column > 0) spanned.push({ blocks: [], colSpan: column, rowSpan: 1, isHeader: false });
    /** The cell that horizontally merged cells belong to; a cell of an earlier row keeps its own columns. */
    let before: OpenCell | undefined;
    for (const [index, cell] of cells.entries()) {
      const { right = 0, across, down } = definitions[index] ?? {};
      const colSpan = Math.max(1, columnAt(right, edges) - column);
      const covering = down === 'covered' ? above.get(column) : undefined;
      if (across !== 'covered') {
        if (covering) covering.rowSpan++;
        else {
          before = { ...cell, colSpan };
          spanned.push(before);
          if (down === undefined) above.delete(column);
          else above.set(column, before);
        }
      } else if (before && down !== 'covered') before.colSpan += colSpan;
      column += colSpan;
    }
    return { cells: spanned, isHeader };
  });
}

/** The edges of columns from the left; edges close together count as one. */
function mergeEdges(rows: readonly Row[]): number[] {
  const all = rows.flatMap(({ left, definitions }) => [left, ...definitions.map((d) => d.right)]);
  const edges: number[] = [];
  for (const edge of all.sort((one, other) => one - other)) {
    if (edge - (edges.at(-1) ?? -Infinity) > SAME_EDGE) edges.push(edge);
  }
  return edges;
}

/** The column that begins at an edge, from 0. */
function columnAt(edge: number, edges: readonly number[]): number {
  let low = 0;
  let high = edges.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((edges[middle] ?? Infinity) <= edge) low = middle;
    else high = middle - 1;
  }
  return low;
}
