/** A cell over several rows, whose text is repeated in the empty cells that it covers. */
interface Covering {
  readonly html: string;
  left: number;
}

interface OpenTable {
  /** Where its start stands in the HTML. */
  readonly start: number;
  rows: number;
  /** Where the start of the open cell stands, its first column, and over how many rows it stands. */
  cell: number | undefined;
  column: number;
  columns: number;
  spanned: number;
  hasHeader: boolean;
  /** By column. */
  readonly covering: Map<number, Covering>;
  /** By column, where the empty cells above stand. */
  readonly empty: Map<number, number[]>;
}

/** Longer text is not repeated. */
const MAX_REPEATED = 400;
const MAX_SPANNED = 100;

/** The text from some part on, as far as it tells whether it is empty or too long to be repeated. */
function joinStart(html: readonly string[], from: number): string {
  let text = '';
  for (let at = from; at < html.length && text.length <= MAX_REPEATED; at++) {
    text = `${text}${html[at] ?? ''}`.trimStart();
  }
  return text.trimEnd();
}

/** Tables, whose cells and rows end in LaTeX, but are not said to begin. */
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

  /** @param columns that it stands over */
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

  /** @param rows that the open cell stands over; below 0, it is the last of them */
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
  rule(html: string[]): void {
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
