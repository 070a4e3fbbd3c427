import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../test/reading.js';
import { extract } from './extract.js';
import { readCsv } from './read-csv.js';

const of = async (text: string) => outline((await read(readCsv, text)).blocks);

describe('a CSV', () => {
  it.each([',', ';', '\t', '|'])('splits cells at %j', async (mark) => {
    const text = `Name${mark}City\n"Doe${mark} Jane"${mark}Oslo\n\nRoe${mark}"a ""b"""\n`;
    expect(await of(text)).toEqual([
      '[Name | City]',
      `| Doe${mark === '\t' ? ' ' : mark} Jane | Oslo`.replace('  ', ' '),
      '| Roe | a "b"',
    ]);
  });

  it('has column names even if the first column has none', async () => {
    expect(await of(',price\nLamp,12\n')).toEqual(['[ | price]', '| Lamp | 12']);
  });

  it('has no column names if the first row has numbers', async () => {
    expect(await of('2024,1.5\n2025,2.5\n')).toEqual(['| 2024 | 1.5', '| 2025 | 2.5']);
  });

  it('keeps rows that are shorter or longer than others', async () => {
    expect(await of('a,b\n1\n1,2,3\n')).toEqual(['[a | b]', '| 1', '| 1 | 2 | 3']);
  });

  it('is read as it stands if its quotes do not match', async () => {
    expect(await of('a,b\n"1,2\n3,4\n')).toEqual(['[a | b]', '| "1 | 2', '| 3 | 4']);
  });

  it.each([
    ['sep=;\nName;Qty\nBolt;5\n', ['[Name | Qty]', '| Bolt | 5']],
    ['\ufeffSEP=|\r\nName|Note\r\nBolt|a;b;c\r\n', ['[Name | Note]', '| Bolt | a;b;c']],
    ['"sep=,"\nName,Note\nBolt,1;2;3\n', ['[Name | Note]', '| Bolt | 1;2;3']],
    ['sep=\t\nName\tNote\nBolt\ta,b\n', ['[Name | Note]', '| Bolt | a,b']],
  ])('takes the delimiter that its first line names: %j', async (text, lines) => {
    expect(await of(text)).toEqual(lines);
  });

  it.each([
    [
      'Report generated 2026-04-01\nBy: Finance\n\nRegion,Sales\nNorth,12\nSouth,9\n',
      [
        'Report generated 2026-04-01',
        'By: Finance',
        '[Region | Sales]',
        '| North | 12',
        '| South | 9',
      ],
    ],
    [
      '"Sales, all regions"\n\nRegion\tSales\nNorth\t12\n\nSource: Finance\n',
      ['Sales, all regions', '[Region | Sales]', '| North | 12', 'Source: Finance'],
    ],
    [
      'Stock;;\nItem;Qty;Share\nBolt;5;1\nNut;;\n',
      ['Stock', '[Item | Qty | Share]', '| Bolt | 5 | 1', '| Nut |  | '],
    ],
    ['Item,Qty\nBolt,5\nNut\n', ['[Item | Qty]', '| Bolt | 5', '| Nut']],
    ['Item\nBolt\nNut\n', ['[Item]', '| Bolt', '| Nut']],
    ['# made by export\na;b\n1;2\n3;4\n', ['# made by export', '[a | b]', '| 1 | 2', '| 3 | 4']],
  ])('has lines before and behind its table as paragraphs: %j', async (text, lines) => {
    expect(await of(text)).toEqual(lines);
  });

  it('has no blocks if it is empty', async () => {
    expect(await of('\n\n')).toEqual([]);
  });

  it('becomes a few thousand passages for 100,000 rows, each with the column names', async () => {
    const columns = ['Article', 'Name', 'Price', 'Stock'];
    const rows = Array.from({ length: 100_000 }, (_, n) => [`ART-${n}`, 'Lamp', `${n % 900}`, '7']);
    const content = Buffer.from([columns, ...rows].map((row) => row.join(';')).join('\n'));
    const limits = { chunkSize: 300, chunkOverlap: 50, maxPages: 0 };
    const request = {
      mimeType: 'text/csv',
      content,
      ocr: 'off',
      recognised: [],
      ...limits,
    } as const;
    const { passages } = await extract(readCsv, request, () => undefined);
    expect(passages.length).toBeLessThan(10_000);
    const tables = passages.map(({ cells }) => cells);
    expect(new Set(tables.map((table) => table?.columns.join()))).toEqual(
      new Set([columns.join()]),
    );
    const names = new Set(tables.flatMap((table) => table?.rows.map(([name]) => name) ?? []));
    expect(names).toEqual(new Set(rows.map(([name]) => name)));
  });
});
