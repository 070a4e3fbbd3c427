import type { Block, Locator, Table, TableRow } from '../block.js';

/** The unit that is shown or left out: a row of a table, or another block. */
export type Item =
  | { readonly block: Exclude<Block, Table> }
  /** A table may have no rows. */
  | { readonly table: Table; readonly row: TableRow | null };

/** A slide, sheet or chapter, or a whole document without such parts. */
export interface Part {
  readonly locator: Locator | null;
  /** From 1. */
  readonly number: number;
  readonly items: Item[];
}

/** Splits a document into slides, sheets or chapters. Items outside of them belong to the previous part. */
export function splitParts(blocks: readonly Block[]): Part[] {
  const parts = new Map<string, Part>();
  let part: Part | undefined;
  for (const block of blocks) {
    for (const item of splitItems(block)) {
      const locator = getLocator(item);
      if (!part || locator) {
        const key = locator ? toPartKey(locator) : '';
        part = parts.get(key) ?? newPart(locator, parts.size + 1);
        parts.set(key, part);
      }
      part.items.push(item);
    }
  }
  return [...parts.values()];
}

export const getLocator = (item: Item): Locator | null =>
  ('block' in item ? item.block.locator : (item.row?.locator ?? item.table.locator)) ?? null;

/** The key that a part shares with its passages. */
export function toPartKey(locator: Locator): string {
  if ('slide' in locator) return `slide ${locator.slide}`;
  if ('page' in locator) return `page ${locator.page}`;
  return 'sheet' in locator ? `sheet ${locator.sheet}` : `chapter ${locator.chapter}`;
}

function newPart(locator: Locator | null, position: number): Part {
  const number =
    locator && 'slide' in locator
      ? locator.slide
      : locator && 'page' in locator
        ? locator.page
        : position;
  return { locator, number, items: [] };
}

function splitItems(block: Block): Item[] {
  if (block.kind !== 'table') return [{ block }];
  if (block.rows.length === 0) return [{ table: block, row: null }];
  return block.rows.map((row) => ({ table: block, row }));
}

export const getTexts = (item: Item): readonly string[] =>
  'block' in item ? [item.block.text] : (item.row?.cells ?? []);
