import type { Block, Table, TableRow } from '../block.js';
import type { Item } from './parts.js';

/** Writes the text of a block, escaped and with marks. */
type WriteText = (text: string) => string;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text for HTML. */
export const escapeText = (text: string): string =>
  text
    .toWellFormed()
    // eslint-disable-next-line no-control-regex -- HTML has no such characters
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

const MAX_DEPTH = 6;
const MAX_LEVEL = 6;

/** Writes items as HTML; rows of one table are written together. */
export function writeItems(items: readonly Item[], text: WriteText): string {
  let html = '';
  let open: Table | undefined;
  let isList = false;
  for (const item of items) {
    const table = 'table' in item ? item.table : undefined;
    const isItem = 'block' in item && item.block.kind === 'list-item';
    if (open && open !== table) html += '</tbody></table></div>';
    if (isList && !isItem) html += '</ul>';
    if (isItem && !isList) html += '<ul>';
    if (table && open !== table) html += openTable(table);
    if ('block' in item) html += writeBlock(item.block, text);
    else if (item.row) html += writeRow(item.row, item.table, text);
    open = table;
    isList = isItem;
  }
  return `${html}${open ? '</tbody></table></div>' : ''}${isList ? '</ul>' : ''}`;
}

function writeBlock(block: Exclude<Block, Table>, text: WriteText): string {
  switch (block.kind) {
    case 'heading': {
      const name = `h${Math.min(block.level + 1, MAX_LEVEL)}`;
      return `<${name} dir="auto">${text(block.text)}</${name}>`;
    }
    case 'list-item': {
      const marker = block.marker === '' ? '' : `${text(block.marker)} `;
      const depth = Math.min(block.depth, MAX_DEPTH);
      return `<li class="d${depth}" dir="auto">${marker}${text(block.text)}</li>`;
    }
    case 'code':
      return `<pre tabindex="0" dir="ltr">${text(block.text)}</pre>`;
    default:
      return `<p class="${block.kind}" dir="auto">${text(block.text)}</p>`;
  }
}

/** Whether the rows of a table begin with their number, as those of a sheet do. */
const isNumbered = ({ locator }: TableRow | Table): boolean =>
  locator !== undefined && 'sheet' in locator;

/** The header is never marked: each passage of the table repeats it, so the marks would start there. */
function openTable(table: Table): string {
  const { header, rows } = table;
  const names = header
    ?.map((name) => `<th scope="col" dir="auto">${escapeText(name)}</th>`)
    .join('');
  const corner = isNumbered(rows[0] ?? table) ? '<td></td>' : '';
  const head = names === undefined ? '' : `<thead><tr>${corner}${names}</tr></thead>`;
  return `<div class="table" tabindex="0"><table>${head}<tbody>`;
}

function writeRow(row: TableRow, table: Table, text: WriteText): string {
  const { locator } = row;
  const number =
    locator && 'sheet' in locator
      ? `<th scope="row" id="row-${locator.row}">${locator.row}</th>`
      : isNumbered(table.rows[0] ?? table)
        ? '<td></td>'
        : '';
  const cells = row.cells.map((cell) => `<td dir="auto">${text(cell)}</td>`).join('');
  return `<tr>${number}${cells}</tr>`;
}
