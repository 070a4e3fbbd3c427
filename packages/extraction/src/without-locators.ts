import type { Block } from './block.js';

/** Removes the locators of an embedded file, whose pages and rows are not the document's. */
export function withoutLocators(block: Block): Block {
  const { locator: _, ...own } = block;
  if (own.kind === 'table') return { ...own, rows: own.rows.map(({ cells }) => ({ cells })) };
  if (!('pageBreaks' in own)) return own;
  const { pageBreaks: _breaks, ...text } = own;
  return text;
}
