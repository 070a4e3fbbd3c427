import { Archive } from './archive/archive.js';
import { findMainPart, readRelationships } from './archive/relationships.js';
import { attribute, readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { withPictures } from './recognition/picture-places.js';
import { NumberFormats } from './sheet/number-formats.js';
import { toSheetBlocks } from './sheet/regions.js';
import { readSharedStrings } from './sheet/shared-strings.js';
import { findDrawing, newChartBudget, withPlaces } from './sheet/sheet-drawing.js';
import { type CellBudget, Worksheet } from './sheet/worksheet.js';
import { tidy } from './tidy.js';
import { Unreadable } from './unreadable.js';

const MAX_CELLS = 1_000_000;

interface Sheet {
  readonly name: string;
  readonly part: string | undefined;
  readonly isHidden: boolean;
}

/** Reads the sheets of an XLSX: each a heading, its rows with values as displayed, and what lies over its cells. */
export async function readXlsx(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const archive = await Archive.open(content, context);
  const main = await findMainPart(archive, 'xl/workbook.xml');
  const relationships = await readRelationships(archive, main);
  const findPart = (type: string) =>
    relationships.find((relationship) => relationship.type === type)?.target ?? '';
  const { sheets, countsFrom1904 } = await readWorkbook(archive, main, relationships);
  const formats = new NumberFormats(countsFrom1904);
  await formats.read(archive, findPart('styles'));
  const strings = await readSharedStrings(archive, findPart('sharedStrings'));
  const visible = new Set(sheets.flatMap(({ name, isHidden }) => (isHidden ? [] : [name])));
  const charts = newChartBudget();
  const budget: CellBudget = { left: MAX_CELLS };
  const blocks: Block[] = [];
  for (const { name, part, isHidden } of sheets) {
    if (isHidden) {
      context.warn({ code: 'sheet_hidden', message: `The hidden sheet “${name}” is left out.` });
      continue;
    }
    // Skip macro and dialog sheets.
    if (part === undefined) continue;
    const worksheet = new Worksheet(strings, formats, budget, () => {
      context.progress();
    });
    try {
      await readXml(archive.read(part), worksheet);
    } catch (error) {
      if (error instanceof Unreadable && error.code === 'too_large') throw error;
      context.warn({ code: 'sheet_unreadable', message: `The sheet “${name}” could not be read.` });
    }
    const locate = (row: number) => ({ sheet: name, row });
    const { count, first } = worksheet.withoutValue;
    if (count > 0) {
      const what = `${count === 1 ? first : `${count} cells from ${first} on`} in “${name}”`;
      context.warn({ code: 'values_missing', what });
    }
    const cells = toSheetBlocks(worksheet.hidden.leaveOut(worksheet.rows, name, context), locate);
    const drawing = await findDrawing(archive, part, visible, charts, context);
    const texts = drawing
      ? await withPictures(
          withPlaces(cells, drawing.rows),
          drawing.pictures,
          drawing.loadPicture,
          context,
        )
      : cells;
    if (texts.length > 0) {
      blocks.push({ kind: 'heading', level: 1, text: name, locator: locate(1) });
      for (const block of texts) blocks.push(block);
    }
    context.progress();
  }
  return blocks;
}

async function readWorkbook(
  archive: Archive,
  main: string,
  relationships: Awaited<ReturnType<typeof readRelationships>>,
) {
  const parts = new Map<string, string>();
  for (const { id, type, target } of relationships) {
    // A chartsheet contains a chart and no cells.
    if (type === 'worksheet' || type === 'chartsheet') parts.set(id, target);
  }
  const sheets: Sheet[] = [];
  let countsFrom1904 = false;
  await readXml(archive.read(main), {
    open(name, attributes) {
      if (name === 'workbookPr') {
        countsFrom1904 = ['1', 'true'].includes(attribute(attributes, 'date1904') ?? '');
      }
      if (name !== 'sheet') return;
      const part = parts.get(attribute(attributes, 'id') ?? '');
      // A damaged file may name a part many times; it is read once.
      if (part !== undefined && sheets.some((sheet) => sheet.part === part)) return;
      sheets.push({
        name: tidy(attribute(attributes, 'name') ?? ''),
        part,
        isHidden: /hidden/i.test(attribute(attributes, 'state') ?? ''),
      });
    },
  });
  return { sheets, countsFrom1904 };
}
