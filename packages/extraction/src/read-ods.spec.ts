import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { zip } from '../../../test/support/files.js';
import { outline, read } from '../test/reading.js';
import { readOdp } from './read-odp.js';
import { readOds } from './read-ods.js';

const real = (name: string) => readFileSync(new URL(`../test/files/${name}`, import.meta.url));
const sheet = (rows: string) =>
  zip([
    {
      name: 'content.xml',
      content: `<office:document-content><office:automatic-styles><style:style style:name="hid"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>${rows}</office:spreadsheet></office:body></office:document-content>`,
    },
  ]);
const cell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const number = (value: string) => cell(value, 'office:value-type="float"');
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
const table = (name: string, rows: string, style = '') =>
  `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`;

describe(readOds.name, () => {
  it('reads what LibreOffice has written, and says where each row stands', async () => {
    const { blocks } = await read(readOds, real('stock.ods'));
    expect(outline(blocks)).toEqual([
      '# st',
      '[Name | Price | State]',
      '| Lamp | 12.5 | in stock',
      '| Desk | 99 | sold',
      '| Chair | 20 | in stock',
    ]);
    expect(blocks[1]).toMatchObject({ rows: [{ locator: { sheet: 'st', row: 2 } }, {}, {}] });
  });

  it('keeps columns apart over empty, covered and repeated cells', async () => {
    const empty = '<table:table-cell table:number-columns-repeated="2"/>';
    const wide = cell('Both', 'table:number-columns-spanned="2"');
    const rows = [
      row(cell('A'), empty, cell('D')),
      row(number('1'), empty, number('4')),
      row(wide, '<table:covered-table-cell/>', '<table:table-cell/>', number('5')),
      '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
    ];
    expect(outline((await read(readOds, sheet(table('S', rows.join(''))))).blocks)).toEqual([
      '# S',
      '[A |  | D]',
      '| 1 |  | 4',
      '| Both | Both | 5',
    ]);
  });

  it('repeats merged cells in each of them, but no title', async () => {
    const covered = (count = 1) =>
      `<table:covered-table-cell table:number-columns-repeated="${count}"/>`;
    const rows = [
      row(cell('Prices of all', 'table:number-columns-spanned="3"'), covered(2)),
      row(cell('Region'), cell('2025'), cell('2026')),
      row(cell('North', 'table:number-rows-spanned="2"'), number('1'), number('2')),
      row(
        covered(),
        cell('3', 'office:value-type="float" table:number-columns-spanned="2"'),
        covered(),
      ),
    ];
    expect(outline((await read(readOds, sheet(table('S', rows.join(''))))).blocks)).toEqual([
      '# S',
      'Prices of all',
      '[Region | 2025 | 2026]',
      '| North | 1 | 2',
      '| North | 3 | 3',
    ]);
  });

  it('leaves out comments and hidden sheets', async () => {
    const note = '<office:annotation><text:p>Ask Jane</text:p></office:annotation>';
    const content = table('S', row(cell('Lamp').replace('<text:p>', `${note}<text:p>`)));
    const hidden = table('Secret', row(cell('x')), 'hid');
    const { blocks, warnings } = await read(readOds, sheet(content + hidden));
    expect(outline(blocks)).toEqual(['# S', 'Lamp']);
    expect(warnings).toMatchObject([{ code: 'sheet_hidden' }]);
  });

  it('leaves out hidden, collapsed and filtered rows and columns, and says so', async () => {
    const hiddenRow = (visibility: string, ...cells: string[]) =>
      row(...cells).replace('>', ` table:visibility="${visibility}">`);
    const rows = [
      '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>',
      row(cell('Plan'), cell('Price'), cell('Cost')),
      row(cell('Basic'), number('10'), number('3')),
      hiddenRow('filter', cell('Legacy'), number('7'), number('2')),
      hiddenRow('collapse', cell('Older'), number('6'), number('2')),
      row(cell('Pro'), number('25'), number('6')),
    ];
    const { blocks, warnings } = await read(readOds, sheet(table('S', rows.join(''))));
    expect(outline(blocks)).toEqual(['# S', '[Plan | Price]', '| Basic | 10', '| Pro | 25']);
    expect(warnings).toEqual([
      { code: 'hidden_left_out', what: 'rows 3–4 of “S”' },
      { code: 'hidden_left_out', what: 'column C of “S”' },
    ]);
  });

  it('has all digits of long numbers, and formulas whose values are missing', async () => {
    const value = (text: string, exact: string) =>
      cell(text, `office:value-type="float" office:value="${exact}"`);
    const formula = '<table:table-cell table:formula="of:=SUM([.B2:.B4])*[.C1]"/>';
    const rows = [
      row(cell('Product'), cell('EAN')),
      row(cell('Lamp'), value('4.00638E+12', '4006381333931')),
      row(cell('Chair'), value('4,00638E+12', '4006381333948')),
      row(
        cell('Desk'),
        '<table:table-cell office:value-type="float" office:value="4006381333955"/>',
      ),
      row(cell('Total'), formula),
    ];
    const { blocks, warnings } = await read(readOds, sheet(table('S', rows.join(''))));
    expect(outline(blocks)).toEqual([
      '# S',
      '[Product | EAN]',
      '| Lamp | 4006381333931',
      '| Chair | 4006381333948',
      '| Desk | 4006381333955',
      '| Total | =SUM(B2:B4)*C1',
    ]);
    expect(warnings).toEqual([{ code: 'values_missing', what: '1 cell in “S”' }]);
  });

  it('bounds what a few bytes can say', async () => {
    const many = `<table:table-row table:number-rows-repeated="100000000">${cell('x', 'table:number-columns-repeated="100000000"')}</table:table-row>`;
    await expect(read(readOds, sheet(table('S', many)))).rejects.toMatchObject({
      code: 'too_large',
    });
  });
});

describe('what lies over the cells of an ODS', () => {
  const box = (text: string) =>
    `<draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
  const chart = (series: string) =>
    `<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Sales</text:p></chart:title><chart:plot-area><chart:axis><chart:title><text:p>Year</text:p></chart:title></chart:axis>${series}</chart:plot-area><table:table table:name="local-table">${row(cell('2025'), number('410'))}</table:table></chart:chart></office:chart></office:body></office:document-content>`;
  const series = (address: string) =>
    `<chart:series chart:values-cell-range-address="${address}"/>`;
  const withChart = (content: string) =>
    zip([
      {
        name: 'META-INF/manifest.xml',
        content:
          '<m><manifest:file-entry manifest:full-path="O1/" manifest:media-type="application/vnd.oasis.opendocument.chart"/></m>',
      },
      { name: 'O1/content.xml', content },
      {
        name: 'content.xml',
        content: `<office:document-content><office:body><office:spreadsheet>${table('S', `<table:shapes><draw:frame><draw:object xlink:href="./O1"/></draw:frame></table:shapes>${row(cell('a'), cell('b'))}`)}</office:spreadsheet></office:body></office:document-content>`,
      },
    ]);

  it('is text of boxes and shapes, behind the row in which they begin', async () => {
    const shapes = `<table:shapes>${box('Floating')}<draw:g><draw:custom-shape><text:p>Grouped</text:p></draw:custom-shape></draw:g></table:shapes>`;
    const inCell = `<table:table-cell><text:p>Ann</text:p>${box('Head of sales')}</table:table-cell>`;
    const rows = [
      row(cell('Name'), cell('Age')),
      row(inCell, number('41')),
      `<table:table-row table:number-rows-repeated="3">${cell('')}</table:table-row>`,
      row(cell('Below.')),
    ];
    const { blocks } = await read(readOds, sheet(table('S', shapes + rows.join(''))));
    expect(outline(blocks)).toEqual([
      '# S',
      '[Name | Age]',
      '| Ann | 41',
      'Floating',
      'Grouped',
      'Head of sales',
      'Below.',
    ]);
  });

  it.each<[what: string, content: string, lines: string[], warnings: string[]]>([
    ['title of a chart of cells', chart(series('S.B2:S.B3')), ['(caption) Sales'], []],
    [
      'values that a chart has of its own',
      chart(series('local-table.B2')),
      ['(caption) Sales', '| 2025 | 410'],
      [],
    ],
    ['nothing of a damaged chart, which is said', '<office', [], ['chart']],
  ])('is the %s', async (_, content, lines, unread) => {
    const { blocks, warnings } = await read(readOds, withChart(content));
    expect(outline(blocks)).toEqual(['# S', '| a | b', ...lines]);
    expect(warnings).toEqual(unread.map((what) => ({ code: 'not_read', what })));
  });
});

describe(readOdp.name, () => {
  it.each<[what: string, places: (string | undefined)[], lines: string[]]>([
    ['by columns', ['15cm 5cm', '1cm 5cm', '1cm 12cm'], ['two', 'three', 'one']],
    ['in any unit', ['150mm 50mm', '0.5in 5cm', '28pt 120mm'], ['two', 'three', 'one']],
    ['of the file without places', [undefined, undefined, undefined], ['one', 'two', 'three']],
    [
      'of the file where that goes down',
      ['1cm 1cm', '1cm 5cm', '1cm 9cm'],
      ['one', 'two', 'three'],
    ],
  ])('reads shapes in their order, %s', async (_, places, lines) => {
    const shapes = ['one', 'two', 'three'].map((text, n) => {
      const [x, y] = places[n]?.split(' ') ?? [];
      const box = x && y ? ` svg:x="${x}" svg:y="${y}" svg:width="10cm" svg:height="3cm"` : '';
      return n === 1
        ? `<draw:g><draw:custom-shape${box}><text:p>${text}</text:p></draw:custom-shape></draw:g>`
        : `<draw:frame${box}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    });
    const title =
      '<draw:frame presentation:class="title" svg:x="1cm" svg:y="18cm" svg:width="20cm" svg:height="1cm"><draw:text-box><text:p>Title</text:p></draw:text-box></draw:frame>';
    const notes =
      '<presentation:notes><draw:frame svg:x="0cm" svg:y="0cm" svg:width="1cm" svg:height="1cm"><draw:text-box><text:p>Say this</text:p></draw:text-box></draw:frame></presentation:notes>';
    const content = `<office:document-content><office:body><office:presentation><draw:page>${shapes.join('')}${title}${notes}</draw:page></office:presentation></office:body></office:document-content>`;
    const { blocks } = await read(readOdp, zip([{ name: 'content.xml', content }]));
    expect(outline(blocks)).toEqual(['# Title', ...lines, '(note) Say this']);
  });

  it('leaves hidden slides out, and says so', async () => {
    const page = (style: string, text: string) =>
      `<draw:page draw:style-name="${style}"><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`;
    const content = `<office:document-content><office:automatic-styles><style:style style:name="H"><style:drawing-page-properties presentation:visibility="hidden"/></style:style></office:automatic-styles><office:body><office:presentation>${page('', 'Shown')}${page('H', 'Secret')}</office:presentation></office:body></office:document-content>`;
    const { blocks, warnings } = await read(readOdp, zip([{ name: 'content.xml', content }]));
    expect(outline(blocks)).toEqual(['# Slide 1', 'Shown']);
    expect(warnings).toEqual([{ code: 'hidden_left_out', what: 'slide 2' }]);
  });

  it('reads what LibreOffice has written, slide by slide', async () => {
    const { blocks } = await read(readOdp, real('returns.odp'));
    expect(outline(blocks).slice(0, 5)).toEqual([
      '# Returns Handbook',
      'Jane Doe\nBob Roe',
      '# Returns',
      'Customers may return any order within thirty days¹. See our site.',
      'Steps',
    ]);
    expect(outline(blocks)).toContain('| Iceland | 9');
    expect(blocks.at(-1)).toMatchObject({ locator: { slide: 4 } });
  });
});
