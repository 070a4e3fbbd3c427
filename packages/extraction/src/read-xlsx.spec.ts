import { describe, expect, it } from '@jest/globals';
import { relationships, sheetData, xlsx } from '../../../test/support/office-files.js';
import { outline, read } from '../test/reading.js';
import { readXlsx } from './read-xlsx.js';

const of = async (...workbook: Parameters<typeof xlsx>) =>
  outline((await read(readXlsx, xlsx(...workbook))).blocks);

describe('an XLSX', () => {
  it('has its sheets as headings, and rows that know the names of their columns', async () => {
    const stock = sheetData([
      ['Article', 'Price'],
      ['Lamp', 12],
      ['Chair', 80],
    ]);
    const { blocks } = await read(readXlsx, xlsx([{ name: 'Stock', data: stock }]));
    expect(outline(blocks)).toEqual([
      '# Stock',
      '[Article | Price]',
      '| Lamp | 12',
      '| Chair | 80',
    ]);
    const [, table] = blocks;
    expect(table?.kind === 'table' && table.rows.map(({ locator }) => locator)).toEqual([
      { sheet: 'Stock', row: 2 },
      { sheet: 'Stock', row: 3 },
    ]);
  });

  it('has titles above a table as paragraphs, and names over several rows joined', async () => {
    const data = sheetData([
      ['Analyses by segment'],
      [],
      [undefined, 'Sales', 'Profit'],
      [undefined, 2023, 2022],
      ['Europe', 9467, 1570],
      ['In millions.'],
    ]);
    expect(await of([{ name: 'A', data }])).toEqual([
      '# A',
      'Analyses by segment',
      '[ | Sales 2023 | Profit 2022]',
      '| Europe | 9467 | 1570',
      'In millions.',
    ]);
  });

  it.each<[what: string, second: (string | number | undefined)[][], lines: string[]]>([
    [
      'in other columns',
      [['Parts'], ['Part', undefined, 'Note'], ['Bolt', undefined, 'M8']],
      ['Parts', '[Part | Note]', '| Bolt | M8'],
    ],
    [
      'above numbers',
      [['Cities'], ['City', 'Inhabitants'], ['Oslo', 717710]],
      ['Cities', '[City | Inhabitants]', '| Oslo | 717710'],
    ],
    [
      'not where its rows go on',
      [['Vegetables'], ['Leek', 'Kg'], ['Chard', 'Bunch']],
      ['Vegetables', '[Fruit | Unit]', '| Leek | Kg', '| Chard | Bunch'],
    ],
  ])('has another table below a title: %s', async (_, second, lines) => {
    const data = sheetData([['Fruit', 'Unit'], ['Apple', 'Kg'], ['Pear', 'Kg'], [], ...second]);
    expect(await of([{ name: 'A', data }])).toEqual([
      '# A',
      ...['[Fruit | Unit]', '| Apple | Kg', '| Pear | Kg'],
      ...lines,
    ]);
  });

  it('shows numbers and dates as they are displayed', async () => {
    const formats = ['0.0%', '#,##0.00', 'yyyy-mm-dd', 'General'];
    const values = [0.125, 1234.5, 45292, 0.1];
    const cells = values.map(
      (value, n) => `<c r="${'ABCD'.charAt(n)}1" s="${n}"><v>${value}</v></c>`,
    );
    expect(
      await of([{ name: 'A', data: `<row r="1">${cells.join('')}</row>` }], { formats }),
    ).toEqual(['# A', '| 12.5% | 1,234.50 | 2024-01-01 | 0.1']);
  });

  it('has all digits of long numbers', async () => {
    const rows = [
      ['Product', 'EAN', 'Order', 'Serial'],
      ['Lamp', 4006381333931, 20260000123456, 123456789012],
      ['Chair', 4006381333948, 20260000123457, 12345678901],
    ];
    expect(await of([{ name: 'A', data: sheetData(rows) }])).toEqual([
      '# A',
      '[Product | EAN | Order | Serial]',
      '| Lamp | 4006381333931 | 20260000123456 | 123456789012',
      '| Chair | 4006381333948 | 20260000123457 | 12345678901',
    ]);
    const formats = ['0', '0.00E+00', '@', '0000000000000'];
    const values = ['1098765432109876543', '4006381333931', '4.006381333931E12', '400638133393'];
    const cells = values.map((value, n) => `<c s="${n}"><v>${value}</v></c>`);
    const data = `<row r="1">${cells.join('')}</row>`;
    expect(await of([{ name: 'A', data }], { formats })).toEqual([
      '# A',
      '| 1098765432109876543 | 4006381333931 | 4006381333931 | 0400638133393',
    ]);
  });

  it('shows formulas whose values are missing, and says so', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const formula = (value: string, type = '') => `<c ${type}><f>${value}</f><v></v></c>`;
    const data =
      `<row r="1">${text('Item')}${text('Net')}${text('VAT')}</row>` +
      `<row r="2">${text('Lamp')}<c><v>10</v></c>${formula('B2*0.19')}</row>` +
      `<row r="3">${text('Desk')}<c><f>B2+5</f><v>15</v></c>${formula('IF(B3>20,B3,"")', 't="str"')}</row>` +
      `<row r="4">${text('Total')}<c><f>_xlfn.SUM(B2:B3)</f></c></row>`;
    const { blocks, warnings } = await read(readXlsx, xlsx([{ name: 'A', data }]));
    expect(outline(blocks)).toEqual([
      '# A',
      '[Item | Net | VAT]',
      '| Lamp | 10 | =B2*0.19',
      '| Desk | 15',
      '| Total | =SUM(B2:B3)',
    ]);
    expect(warnings).toEqual([{ code: 'values_missing', what: '2 cells from C2 on in “A”' }]);
  });

  it.each([
    [
      [['Item', 'Qty', 'Share'], ['Bolt'], ['Nut']],
      ['[Item | Qty | Share]', '| Bolt', '| Nut'],
    ],
    [
      [['Item', 'Qty'], [undefined, 'open'], [], ['In millions.']],
      ['[Item | Qty]', '|  | open', 'In millions.'],
    ],
    [
      [['Item', 'Qty'], ['Fruits'], ['Apple', 3]],
      ['Fruits', '[Item | Qty]', '| Apple | 3'],
    ],
    [
      [['Stock'], ['Item', 'Qty'], ['Bolt']],
      ['Stock', '[Item | Qty]', '| Bolt'],
    ],
  ])('keeps the header where one column is filled: %j', async (rows, lines) => {
    expect(await of([{ name: 'A', data: sheetData(rows) }])).toEqual(['# A', ...lines]);
  });

  it('leaves out hidden rows and columns, and says so', async () => {
    const rows = [
      ['Plan', 'Price', 'Cost', 'Margin'],
      ['Basic', 10, 3, 7],
      ['Legacy', 7, 2, 5],
      ['Older', 6, 2, 4],
      ['Pro', 25, 6, 19],
    ];
    const data = sheetData(rows)
      .replace('<row r="3"', '<row hidden="1" r="3"')
      .replace('<row r="4"', '<row ht="0" r="4"');
    const columns =
      '<cols><col min="3" max="4" hidden="true"/><col min="9" max="16384" width="0"/></cols>';
    const { blocks, warnings } = await read(readXlsx, xlsx([{ name: 'A', data, columns }]));
    expect(outline(blocks)).toEqual(['# A', '[Plan | Price]', '| Basic | 10', '| Pro | 25']);
    expect(warnings).toEqual([
      { code: 'hidden_left_out', what: 'rows 3–4 of “A”' },
      { code: 'hidden_left_out', what: 'columns C–D of “A”' },
    ]);
  });

  it('shows a merged cell whose first row or column is hidden', async () => {
    const data = sheetData([
      ['Prices of all'],
      ['Code', 'Region', 'Days'],
      ['x', 'North', 1],
      ['y', undefined, 2],
    ]).replace('<row r="3"', '<row hidden="1" r="3"');
    const merged = '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="B3:B4"/></mergeCells>';
    const columns = '<cols><col min="1" max="1" hidden="1"/></cols>';
    expect(await of([{ name: 'A', data, columns, merged }])).toEqual([
      '# A',
      'Prices of all',
      '[Region | Days]',
      '| North | 2',
    ]);
  });

  it('takes shared texts by their number, and leaves errors out', async () => {
    const data =
      '<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" t="e"><v>#N/A</v></c><c r="C1" t="b"><v>1</v></c></row>';
    expect(await of([{ name: 'A', data }], { strings: ['zero', 'one'] })).toEqual([
      '# A',
      '| one | TRUE',
    ]);
  });

  it('repeats a cell merged over rows', async () => {
    const data = sheetData([
      ['Region', 'Town', 'Days'],
      ['North', 'A', 1],
      [undefined, 'B', 2],
    ]);
    const merged = '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>';
    expect(await of([{ name: 'A', data, merged }])).toEqual([
      '# A',
      '[Region | Town | Days]',
      '| North | A | 1',
      '| North | B | 2',
    ]);
  });

  it('takes no row of texts below the header for another header', async () => {
    const rows = [
      ['Plan', 'Support', 'Term'],
      ['Basic', 'by letter', 'a year'],
      ['Team', 'by telephone', 'a year'],
    ];
    const price = [
      ['Name', 'Price'],
      ['Lamp', 5],
      ['Desk', 'on request'],
      ['Chair', 7],
    ];
    expect(await of([{ name: 'A', data: sheetData(rows) }])).toEqual([
      '# A',
      '[Plan | Support | Term]',
      '| Basic | by letter | a year',
      '| Team | by telephone | a year',
    ]);
    expect(await of([{ name: 'A', data: sheetData(price) }])).toEqual([
      '# A',
      '[Name | Price]',
      '| Lamp | 5',
      '| Desk | on request',
      '| Chair | 7',
    ]);
  });

  it('repeats a cell merged over columns, but no title', async () => {
    const data = sheetData([
      ['Prices of all'],
      ['Region', '2025', '2026'],
      ['North', 1],
      [undefined, 2, 3],
    ]);
    const ranges = ['A1:C1', 'A3:A4', 'B3:C3'].map((range) => `<mergeCell ref="${range}"/>`);
    const merged = `<mergeCells>${ranges.join('')}</mergeCells>`;
    expect(await of([{ name: 'A', data, merged }])).toEqual([
      '# A',
      'Prices of all',
      '[Region | 2025 | 2026]',
      '| North | 1 | 1',
      '| North | 2 | 3',
    ]);
  });

  it('is read without hidden and damaged sheets, and says so', async () => {
    const data = sheetData([['Text', 'of it']]);
    const { blocks, warnings } = await read(
      readXlsx,
      xlsx([
        { name: 'Secret', data, state: 'hidden' },
        { name: 'Broken', data: `${sheetData([['Kept', 1]])}<row r="2"><c` },
        { name: 'Open', data },
      ]),
    );
    expect(outline(blocks)).toEqual(['# Broken', '| Kept | 1', '# Open', '| Text | of it']);
    expect(warnings.map(({ code }) => code)).toEqual(['sheet_hidden', 'sheet_unreadable']);
  });

  it('with a merge over the whole sheet, and cells at its edge, is read in a moment', async () => {
    const data =
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>';
    const merged = `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(1000)}</mergeCells>`;
    expect(await of([{ name: 'A', data, merged }])).toEqual(['# A', '| 1', '|  | 2']);
  });

  it.each<[what: string, bytes: Uint8Array, code: string]>([
    ['is cut off', xlsx([{ name: 'A', data: '' }]).subarray(0, 800), 'parse_failed'],
  ])('that %s is refused', async (_, bytes, code) => {
    await expect(read(readXlsx, bytes)).rejects.toMatchObject({ code });
  });
});

describe('what lies over the cells of an XLSX', () => {
  const anchor = (row: number | undefined, inside: string) =>
    row === undefined
      ? `<xdr:absoluteAnchor>${inside}</xdr:absoluteAnchor>`
      : `<xdr:twoCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:row>${row - 1}</xdr:row></xdr:from><xdr:to><xdr:row>${row + 8}</xdr:row></xdr:to>${inside}</xdr:twoCellAnchor>`;
  const box = (...texts: string[]) =>
    `<xdr:sp><xdr:txBody>${texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</xdr:txBody></xdr:sp>`;
  const frame = (inside: string) =>
    `<xdr:graphicFrame><a:graphic><a:graphicData>${inside}</a:graphicData></a:graphic></xdr:graphicFrame>`;
  const CHART = frame('<c:chart r:id="r1"/>');
  const cached = (kind: string, reference: string, ...values: (string | number)[]) =>
    `<c:${kind}><c:ref><c:f>${reference}</c:f><c:cache>${values.map((value, n) => `<c:pt idx="${n}"><c:v>${value}</c:v></c:pt>`).join('')}</c:cache></c:ref></c:${kind}>`;
  const writeChart = (...series: string[]) =>
    `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>${series.map((inside) => `<c:ser>${inside}</c:ser>`).join('')}</c:barChart></c:plotArea></c:chart></c:chartSpace>`;
  const readWith = async (drawing: string, parts: [type: string, content: string][] = []) => {
    const sheets = ["Bob's sales", 'Data'].map((name, n) => ({
      name,
      data: sheetData(n === 0 ? [['Name', 'Age'], ['Ann', 41], [], [], ['Below.']] : [['x']]),
      ...(n === 1 && { state: 'hidden' }),
    }));
    const more = [
      relationships('xl/worksheets/sheet1.xml', [['drawing', '../drawings/drawing1.xml']]),
      { name: 'xl/drawings/drawing1.xml', content: `<xdr:wsDr>${drawing}</xdr:wsDr>` },
      relationships(
        'xl/drawings/drawing1.xml',
        parts.map(([type], n) => [type, `part${n + 1}.xml`]),
      ),
      ...parts.map(([, content], n) => ({ name: `xl/drawings/part${n + 1}.xml`, content })),
    ];
    const { blocks, warnings } = await read(readXlsx, xlsx(sheets, {}, more));
    return {
      lines: outline(blocks),
      unread: warnings.flatMap((warning) => ('what' in warning ? [warning.what] : [])),
    };
  };
  const CELLS = ["# Bob's sales", '[Name | Age]', '| Ann | 41'];

  it('is text of boxes and groups of shapes, behind the row in which they begin', async () => {
    const drawing =
      anchor(2, `<xdr:grpSp>${box('Head of sales: Ida Moe', 'since 2021')}</xdr:grpSp>`) +
      anchor(9, box('Last')) +
      anchor(undefined, box('Without a cell')) +
      anchor(
        9,
        `<mc:AlternateContent><mc:Choice>${box('Chosen')}</mc:Choice><mc:Fallback>${box('Not shown here')}</mc:Fallback></mc:AlternateContent>`,
      );
    const { lines, unread } = await readWith(drawing);
    expect(lines).toEqual([
      ...CELLS,
      'Without a cell',
      'Head of sales: Ida Moe',
      'since 2021',
      'Below.',
      'Last',
      'Chosen',
    ]);
    expect(unread).toEqual([]);
  });

  it.each<[what: string, chart: string, lines: string[], unread: string[]]>([
    [
      'title of a chart of cells that are read',
      writeChart(cached('val', "'Bob''s sales'!$B$2:$B$3", 41)),
      ['(caption) Sales'],
      [],
    ],
    [
      'values of a chart of a hidden sheet',
      writeChart(cached('cat', 'Data!$A$1', 'Jan') + cached('val', 'Data!$B$1', 7)),
      ['(caption) Sales', '[ | ]', '| Jan | 7'],
      [],
    ],
    [
      'values of a chart of another workbook, beside one of cells',
      writeChart(
        cached('val', "'Bob''s sales'!$B$2", 41),
        cached('cat', '[1]S!$A$1', 'Jan') + cached('val', '[1]S!$B$1', 8),
      ),
      ['(caption) Sales', '[ |  | ]', '|  | 41 | 8'],
      [],
    ],
    [
      'title of a chart that has no values, which is said',
      writeChart('<c:val/>'),
      ['(caption) Sales'],
      ['chart'],
    ],
    ['nothing of a damaged chart, which is said', '<c:chartSpace', [], ['chart']],
  ])('is the %s', async (_, chart, lines, unread) => {
    expect(await readWith(anchor(2, CHART), [['chart', chart]])).toEqual({
      lines: [...CELLS, ...lines, 'Below.'],
      unread,
    });
  });

  it('is SmartArt', async () => {
    const points = `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Ask first</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`;
    const smartArt = anchor(2, frame('<dgm:relIds r:dm="r1"/>'));
    expect(await readWith(smartArt, [['diagramData', points]])).toEqual({
      lines: [...CELLS, 'Ask first', 'Below.'],
      unread: [],
    });
    expect((await readWith(smartArt)).unread).toEqual(['SmartArt']);
  });

  it('is said to be unread where it is damaged', async () => {
    expect(await readWith('<xdr:')).toEqual({
      lines: [...CELLS, 'Below.'],
      unread: ['drawing'],
    });
  });

  it('is said to be unread where it is too much, without what has no text', async () => {
    const boxes = Array.from({ length: 1001 }, (_, n) => anchor(2, box(`Box ${n}.`))).join('');
    const all = await readWith(boxes);
    expect(all.lines).toContain('Box 999.');
    expect(all.unread).toEqual(['more than 1000 drawings']);
    const lines = anchor(2, '<xdr:cxnSp/>').repeat(1001);
    expect(await readWith(lines + anchor(2, box('Box.')))).toEqual({
      lines: [...CELLS, 'Box.', 'Below.'],
      unread: [],
    });
  });

  it.each<[what: string, chart: string]>([
    ['points', writeChart(cached('val', '[1]S!$B$1', ...Array<number>(1001).fill(7)))],
    ['series', writeChart(...Array<string>(51).fill(cached('val', '[1]S!$B$1', 7)))],
  ])('is a chart, once, of which it is said that it has more %s', async (_, chart) => {
    const { lines, unread } = await readWith(anchor(2, CHART).repeat(3), [['chart', chart]]);
    expect(lines.filter((line) => line.startsWith('('))).toEqual(['(caption) Sales']);
    expect(unread).toEqual(['chart']);
  });

  it('leaves charts out, and says so, rather than the cells', async () => {
    const full = cached('val', '[1]S!$B$1', ...Array<number>(1000).fill(7));
    const charts = Array.from({ length: 6 }, (): [string, string] => [
      'chart',
      writeChart(...Array<string>(50).fill(full)),
    ]);
    const anchors = charts.map((_, n) => anchor(2, frame(`<c:chart r:id="r${n + 1}"/>`))).join('');
    const { lines, unread } = await readWith(anchors, charts);
    expect(lines.filter((line) => line.startsWith('('))).toHaveLength(4);
    expect(lines).toEqual(expect.arrayContaining(CELLS));
    expect(unread).toEqual(['chart', 'chart']);
  });

  it('is the chart that fills a sheet', async () => {
    const book = xlsx([{ name: 'Big', data: '' }], {}, [
      relationships('xl/workbook.xml', [['chartsheet', 'worksheets/sheet1.xml']]),
      relationships('xl/worksheets/sheet1.xml', [['drawing', '../drawings/drawing1.xml']]),
      {
        name: 'xl/drawings/drawing1.xml',
        content: `<xdr:wsDr>${anchor(undefined, CHART)}</xdr:wsDr>`,
      },
      relationships('xl/drawings/drawing1.xml', [['chart', 'part1.xml']]),
      { name: 'xl/drawings/part1.xml', content: writeChart(cached('val', '[1]S!$B$1', 7)) },
    ]);
    expect(outline((await read(readXlsx, book)).blocks)).toEqual([
      '# Big',
      '(caption) Sales',
      '[ | ]',
      '|  | 7',
    ]);
  });
});
