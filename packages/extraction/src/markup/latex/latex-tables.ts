/** A cell over several rows, whose text is repeated in the empty cells that it covers. */
interface Covering {
  readonly html: string;
  left: number;
}

interface OpenTable {
  /** The index of its start tag in the HTML. */
  readonly start: number;
  rows: number;
  /** The index of the open cell's start tag, its first column, and the number of rows it spans. */
  cell: number | undefined;
  column: number;
  columns: number;
  spanned: number;
  hasHeader: boolean;
  /** Cells that cover further rows, by column. */
  readonly covering: Map<number, Covering>;
  /** The indexes of the empty cells above, by column. */
  readonly empty: Map<number, number[]>;
}

/** Longer text is not repeated. */
const MAX_REPEATED = 400;
const MAX_SPANNED = 100;

/** Joins enough of the text to tell whether it is empty or too long to be repeated. */
function joinStart(html: readonly string[], from: number): string {
  let text = '';
  for (let at = from; at < html.length && text.length <= MAX_REPEATED; at++) {
    text = `${text}${html[at] ?? ''}`.trimStart();
  }
  return text.trimEnd();
}

/** Builds tables: LaTeX marks the end of cells and rows, but not their start. */
export class LatexTables {
  private readonly tables: OpenTable[] = [];

  get isOpen(): boolean {
    return this.tables.length > 0;
  }

  get isBetweenRows(): boolean {
    const table = this.tables.at(-1);
    return table !== undefined && table.cell === undefined;
  }

  begin(html: string[]): void {
    this.beginCell(html);
    this.tables.push({
      start: html.length,
      rows: 0,
      cell: undefined,
      column: 0,
      columns: 1,
      spanned: 1,
      hasHeader: false,
      covering: new Map(),
      empty: new Map(),
    });
    html.push('<table>');
  }

  /** @param columns the number of columns that the cell spans */
  beginCell(html: string[], columns = 1): void {
    const table = this.tables.at(-1);
    if (!table) return;
    if (table.cell === undefined) {
      html.push('<tr>');
      table.cell = html.push('<td>') - 1;
      table.column = 0;
      table.columns = 1;
    }
    if (columns > 1) {
      table.columns = Math.min(columns, 1000);
      html[table.cell] = `<td colspan="${table.columns}">`;
    }
  }

  /** @param rows the number of rows that the open cell spans; negative if it is the last of them */
  spanRows(html: string[], rows: number): void {
    this.beginCell(html);
    const table = this.tables.at(-1);
    if (table) table.spanned = Math.max(-MAX_SPANNED, Math.min(rows, MAX_SPANNED));
  }

  endCell(html: string[]): void {
    this.beginCell(html);
    const table = this.tables.at(-1);
    if (!table) return;
    this.fill(html, table);
    table.column += table.columns;
    table.columns = 1;
    table.cell = html.push('</td><td>') - 1;
  }

  endRow(html: string[]): void {
    const table = this.tables.at(-1);
    if (table?.cell === undefined) return;
    this.fill(html, table);
    html.push('</td></tr>');
    table.cell = undefined;
    table.rows++;
  }

  /** Repeats the text of a cell over several rows in those that it covers. */
  private fill(html: string[], table: OpenTable): void {
    const { column, spanned, cell = html.length } = table;
    const content = joinStart(html, cell + 1);
    const covering = table.covering.get(column);
    const above = table.empty.get(column) ?? [];
    table.spanned = 1;
    if (content === '') {
      table.empty.set(column, [...above.slice(1 - MAX_SPANNED), html.length]);
      html.push(covering?.html ?? '');
      if (covering && --covering.left === 0) table.covering.delete(column);
      return;
    }
    table.empty.delete(column);
    table.covering.delete(column);
    if (content.length > MAX_REPEATED) return;
    if (spanned > 1) table.covering.set(column, { html: content, left: spanned - 1 });
    if (spanned < -1) for (const at of above.slice(spanned + 1)) html[at] = content;
  }

  /** The first rule below a row or two ends the header. */
  addRule(html: string[]): void {
    const table = this.tables.at(-1);
    if (!table || table.hasHeader || table.rows < 1 || table.rows > 2) return;
    table.hasHeader = true;
    html[table.start] = '<table><thead>';
    html.push('</thead>');
  }

  end(html: string[]): void {
    this.endRow(html);
    if (this.tables.pop()) html.push('</table>');
  }
}
