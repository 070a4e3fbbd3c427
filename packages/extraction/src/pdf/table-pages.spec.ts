import { describe, expect, it } from '@jest/globals';
import { at, read, getTexts } from '../../test/pdf-lines.js';
import { pdf } from '../../../../test/support/pdf.mjs';
import type { Block, Table } from '../block.js';
import { readPdf } from './read-pdf.js';

const PARTS = ['Article', 'Stock', 'Reserved', 'Reorder level'];
const parts = (count: number) =>
  Array.from({ length: count }, (_, n) => [
    `Part ${String(n + 1).padStart(3, '0')}`,
    ...[3, 2, 1].map((times) => String(times * (n + 1))),
  ]);

interface Layout {
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
  readonly perPage?: number;
  readonly isRepeated?: boolean;
  readonly title?: string;
  /** The lines above the rows of a page, whose number counts from 1. */
  readonly head?: (page: number) => string;
  readonly pitch?: number;
}

/** A table of plain text that goes on over pages, as programs write it that draw no lines. */
function writePages(layout: Layout): string[] {
  const { header, rows, perPage = 12, isRepeated = false, title, head, pitch = 18 } = layout;
  const pages: string[] = [];
  const left = [...rows];
  while (left.length > 0) {
    const isFirst = pages.length === 0;
    const names = header && (isFirst || isRepeated) ? [header] : [];
    const shown = [...names, ...left.splice(0, perPage - names.length)];
    const above = (head?.(pages.length + 1) ?? '') + (isFirst && title ? at(72, 750, title) : '');
    const top = isFirst && title ? 726 : 740;
    const cells = shown.map((row, index) =>
      row.map((cell, column) => at(72 + 110 * column, top - pitch * index, cell)).join(''),
    );
    pages.push(above + cells.join(''));
  }
  return pages;
}

/** With a bold font. */
function withBold(pages: readonly string[]): Buffer {
  const objects = ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>'];
  const bytes = pdf(pages, { objects }).toString('latin1');
  return Buffer.from(bytes.replaceAll('/F1 3 0 R', '/F1 3 0 R /F2 4 0 R'), 'latin1');
}

const getTables = (blocks: readonly Block[]) =>
  blocks.filter(({ kind }) => kind === 'table') as Table[];
const getRows = (blocks: readonly Block[]) =>
  getTables(blocks).flatMap(({ rows }) => rows.map(({ cells }) => cells));

describe(`${readPdf.name}, tables over pages`, () => {
  const rows = parts(46);
  const cities = ['Oslo', 'Rome', 'Bern', 'Kyiv', 'Lyon'];
  it.each<[what: string, layout: Layout]>([
    ['whose header is repeated', { header: PARTS, rows, isRepeated: true }],
    [
      'whose header is repeated below a title',
      { header: PARTS, rows, isRepeated: true, title: 'Parts' },
    ],
    ['whose header is not repeated', { header: PARTS, rows, title: 'Parts' }],
    ['with the last row alone on its page', { header: PARTS, rows: parts(12) }],
    [
      'of two columns of numbers',
      {
        header: ['Code', 'Price'],
        rows: rows.map((_, n) => [String(1001 + n), `${n * 7}.50`]),
        isRepeated: true,
      },
    ],
    [
      'of words alone',
      {
        header: ['Room', 'Owner', 'State'],
        rows: rows.map((_, n) => [
          cities[n % 5] ?? '',
          cities[(n * 3) % 4] ?? '',
          n % 3 === 0 ? 'open' : 'shut',
        ]),
        isRepeated: true,
      },
    ],
    [
      'below a running head with numbers',
      {
        header: PARTS,
        rows,
        isRepeated: true,
        head: (page) => at(72, 770, 'Stock report 2026') + at(402, 770, `Page ${page} of 4`),
      },
    ],
    [
      'close below a running head that counts the pages',
      {
        header: PARTS,
        rows,
        isRepeated: true,
        head: (page) => at(72, 757, 'Stock report 2026') + at(402, 757, `Page ${page}`),
      },
    ],
    [
      'below a head of two parts that is always the same',
      {
        header: ['Code', 'Price'],
        rows: rows.map((_, n) => [String(1001 + n), `${n * 7}.50`]),
        isRepeated: true,
        head: () => at(72, 775, 'Stock report') + at(182, 775, 'Warehouse 7'),
      },
    ],
  ])('keeps each row of one %s, below the names of its columns', async (_, layout) => {
    const pages = writePages(layout);
    const { blocks } = await read(pdf(pages));
    expect(getRows(blocks)).toEqual(layout.rows);
    expect(getTables(blocks).map(({ header }) => header)).toEqual(pages.map(() => layout.header));
  });

  it('keeps each row of a table without header', async () => {
    const numbers = parts(40).map(([, ...values]) => values);
    const { blocks } = await read(pdf(writePages({ header: null, rows: numbers })));
    expect(getRows(blocks)).toEqual(numbers);
  });

  it('keeps each line of a list of numbered things', async () => {
    const names = parts(40).map(([name = '']) => [name]);
    const { blocks } = await read(pdf(writePages({ header: null, rows: names, pitch: 14 })));
    expect(
      getTexts(blocks)
        .join(' ')
        .match(/Part \d+/g),
    ).toEqual(names.flat());
  });

  it('gives a table with a header of its own none of the page before', async () => {
    const bold = (row: readonly string[], y: number) =>
      row.map((cell, column) => at(72 + 110 * column, y, cell, { font: 'F2' })).join('');
    const body = (y: number) =>
      parts(4)
        .map((row, index) =>
          row.map((cell, column) => at(72 + 110 * column, y - 18 * index, cell)).join(''),
        )
        .join('');
    const other = ['Lamp', 'Watts', 'Lumens', 'Hours'];
    const content = withBold([bold(PARTS, 740) + body(722), bold(other, 740) + body(722)]);
    const { blocks } = await read(content);
    expect(getTables(blocks).map(({ header }) => header)).toEqual([PARTS, other]);
  });

  it('joins the lines of the names of columns', async () => {
    const page = [
      at(182, 740, 'Stock') + at(292, 740, 'Reserved'),
      at(72, 733, 'Article'),
      at(182, 727, 'on hand') + at(292, 727, 'for orders'),
      ...parts(4).map((row, index) =>
        row
          .slice(0, 3)
          .map((cell, column) => at(72 + 110 * column, 700 - 20 * index, cell))
          .join(''),
      ),
    ];
    const { blocks } = await read(pdf([page.join('')]));
    expect(getTables(blocks)[0]?.header).toEqual([
      'Article',
      'Stock on hand',
      'Reserved for orders',
    ]);
    expect(getRows(blocks)).toHaveLength(4);
  });

  it('gives names in the middle of columns to the values at their edge', async () => {
    const page = [
      at(140, 740, 'Code', { font: 'F2' }) + at(380, 740, 'Price', { font: 'F2' }),
      ...parts(4).map(
        ([, code = '', price = ''], index) =>
          at(72, 722 - 18 * index, code) + at(300, 722 - 18 * index, price),
      ),
    ];
    const { blocks } = await read(withBold([page.join('')]));
    expect(getTables(blocks)).toMatchObject([{ header: ['Code', 'Price'] }]);
  });

  it('keeps a number that is the same in all headers once', async () => {
    const pages = Array.from({ length: 4 }, (_, n) =>
      [
        at(72, 770, 'Policy 4711-B') + at(402, 770, `Page ${n + 1} of 4`),
        at(72, 700, `Rule ${cities[n] ?? ''} begins here and says what is to be done.`),
      ].join(''),
    );
    const text = getTexts((await read(pdf(pages))).blocks).join('\n');
    expect(text.match(/Policy 4711-B/g)).toHaveLength(1);
    expect(text).not.toMatch(/Page \d/);
  });
});
