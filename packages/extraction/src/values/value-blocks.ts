import type { Block, TableRow } from '../block.js';
import { tidy } from '../tidy.js';
import { Unreadable } from '../unreadable.js';

/** A value of JSON or XML: a text, a list, or fields by name. */
export type Value = string | Value[] | ReadonlyMap<string, Value>;

const MAX_DEPTH = 100;
/** Limits names in paths: a path is repeated with each of its values, so long ones would bloat the document. */
const MAX_NAME = 60;
const MAX_PATH = 200;
const MAX_COLUMNS = 50;
/** A longer text becomes a paragraph rather than a cell. */
const MAX_INLINE = 200;
const MAX_LINES = 40;

/** Writes values as lines with their paths, and lists of records with plain values as tables. */
export function valueBlocks(value: Value, progress: () => void): Block[] {
  const writer = new ValueWriter(progress);
  writer.write(value, '', 0);
  writer.flush();
  return writer.blocks;
}

class ValueWriter {
  readonly blocks: Block[] = [];
  private lines: string[] = [];

  constructor(private readonly progress: () => void) {}

  write(value: Value, path: string, depth: number): void {
    if (depth > MAX_DEPTH)
      throw new Unreadable('parse_failed', 'The values are nested too deeply.');
    if (typeof value === 'string') this.addText(value, path);
    else if (Array.isArray(value)) this.writeList(value, path, depth);
    else {
      for (const [name, inside] of value) this.write(inside, joinPath(path, name), depth + 1);
    }
  }

  flush(): void {
    if (this.lines.length === 0) return;
    this.blocks.push({ kind: 'paragraph', text: this.lines.join('\n') });
    this.lines = [];
    this.progress();
  }

  private addText(value: string, path: string): void {
    const text = tidy(value);
    if (text === '') return;
    if (text.length > MAX_INLINE) this.flush();
    this.lines.push(path === '' ? text : `${path}: ${text}`);
    if (text.length > MAX_INLINE || this.lines.length >= MAX_LINES) this.flush();
  }

  private writeList(values: readonly Value[], path: string, depth: number): void {
    if (values.every((value) => typeof value === 'string')) {
      this.addText(values.join(', '), path);
      return;
    }
    const table = toTable(values);
    if (table) {
      this.flush();
      if (path !== '') this.blocks.push({ kind: 'caption', text: path });
      this.blocks.push(table);
      return;
    }
    for (const [index, value] of values.entries()) {
      this.flush();
      this.write(value, `${path}[${index + 1}]`, depth + 1);
    }
    this.flush();
  }
}

const joinPath = (path: string, name: string): string => {
  const own = tidy(name).slice(0, MAX_NAME);
  if (own === '') return path;
  return path === '' || path.length > MAX_PATH ? own : `${path} › ${own}`;
};

/** @returns undefined if the values are not records with short plain values */
function toTable(values: readonly Value[]): Block | undefined {
  const columns = new Map<string, number>();
  for (const value of values) {
    if (typeof value === 'string' || Array.isArray(value)) return undefined;
    for (const [name, cell] of value) {
      if (typeof cell !== 'string' || cell.length > MAX_INLINE) return undefined;
      if (!columns.has(name)) columns.set(name, columns.size);
    }
    if (columns.size > MAX_COLUMNS) return undefined;
  }
  if (values.length < 2 || columns.size < 2) return undefined;
  const rows = values.map((value): TableRow => {
    const cells = Array.from(columns, () => '');
    for (const [name, cell] of value as ReadonlyMap<string, string>) {
      cells[columns.get(name) ?? 0] = tidy(cell);
    }
    return { cells };
  });
  return { kind: 'table', header: Array.from(columns.keys(), tidy), rows };
}
