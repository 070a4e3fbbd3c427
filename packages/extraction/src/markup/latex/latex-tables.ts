interface OpenTable {
  /** Where its start stands in the HTML. */
  readonly start: number;
  rows: number;
  /** Where the start of the open cell stands. */
  cell: number | undefined;
  hasHeader: boolean;
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
    this.tables.push({ start: html.length, rows: 0, cell: undefined, hasHeader: false });
    html.push('<table>');
  }

  /** @param columns that it stands over */
  beginCell(html: string[], columns = 1): void {
    const table = this.tables.at(-1);
    if (!table) return;
    if (table.cell === undefined) {
      html.push('<tr>');
      table.cell = html.push('<td>') - 1;
    }
    if (columns > 1) html[table.cell] = `<td colspan="${Math.min(columns, 1000)}">`;
  }

  endCell(html: string[]): void {
    this.beginCell(html);
    const table = this.tables.at(-1);
    if (table) table.cell = html.push('</td><td>') - 1;
  }

  endRow(html: string[]): void {
    const table = this.tables.at(-1);
    if (table?.cell === undefined) return;
    html.push('</td></tr>');
    table.cell = undefined;
    table.rows++;
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
