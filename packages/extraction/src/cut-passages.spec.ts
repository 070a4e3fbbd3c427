import { describe, expect, it } from '@jest/globals';
import type { Block } from './block.js';
import { cutPassages } from './cut-passages.js';

const passages = (blocks: readonly Block[], chunkSize = 20, chunkOverlap = 0) => [
  ...cutPassages(blocks, { chunkSize, chunkOverlap }),
];
const texts = (...args: Parameters<typeof passages>) => passages(...args).map(({ text }) => text);
const words = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `w${first + index}`).join(' ');
const paragraph = (text: string, page?: number): Block => ({
  kind: 'paragraph',
  text,
  ...(page !== undefined && { locator: { page } }),
});
const heading = (text: string, level = 1): Block => ({ kind: 'heading', level, text });

describe(cutPassages.name, () => {
  it('keeps paragraphs whole where they fit', () => {
    const [one, two, three] = [words(1, 12), words(13, 19), words(20, 30)];
    expect(texts([one, two, three].map((text) => paragraph(text)))).toEqual([
      `${one}\n\n${two}`,
      three,
    ]);
  });

  it('keeps sentences whole where a paragraph does not fit', () => {
    const [one, two] = [`One ${words(1, 14)}.`, `Two ${words(15, 30)}.`];
    expect(texts([paragraph(`${one} ${two}`)])).toEqual([one, two]);
  });

  it('fills a nearly empty passage with the sentences of what does not fit', () => {
    const [one, two] = [`One ${words(1, 9)}.`, `Two ${words(10, 17)}.`];
    expect(texts([paragraph('Few words.'), paragraph(`${one} ${two}`)])).toEqual([
      `Few words.\n\n${one}`,
      two,
    ]);
  });

  it('repeats whole sentences of the passage before, and words of an endless one', () => {
    const [one, two, three] = [`One ${words(1, 9)}.`, 'Two is short.', `Three ${words(1, 9)}.`];
    expect(texts([paragraph([one, two, three].join(' '))], 15, 5)).toEqual([
      `${one} ${two}`,
      `${two} ${three}`,
    ]);
    expect(texts([paragraph(words(1, 30))], 20, 5)).toEqual([words(1, 20), words(16, 30)]);
    expect(texts([paragraph(words(1, 20))], 20, 5)).toEqual([words(1, 20)]);
  });

  it('gives each passage its path of headings', () => {
    const blocks = [
      heading('Returns'),
      paragraph('Any order.'),
      heading('Refunds', 2),
      paragraph('Paid soon.'),
      heading('Shipping'),
      paragraph('Nine days.'),
    ];
    expect(passages(blocks).map(({ heading: path, text }) => [path, text])).toEqual([
      ['Returns', 'Any order.'],
      ['Returns › Refunds', 'Paid soon.'],
      ['Shipping', 'Nine days.'],
    ]);
  });

  it('joins small sections of one parent, each below its heading', () => {
    const blocks = [
      heading('Leave'),
      heading('Sick', 2),
      paragraph('Call us.'),
      heading('Unpaid', 2),
      paragraph('Ask us.'),
      heading('Parental', 2),
      paragraph(`Write to us ${words(1, 15)}.`),
    ];
    expect(passages(blocks).map(({ heading: path, text }) => [path, text])).toEqual([
      ['Leave › Sick / Unpaid', 'Sick\n\nCall us.\n\nUnpaid\n\nAsk us.'],
      ['Leave › Parental', `Write to us ${words(1, 15)}.`],
    ]);
  });

  it('writes a heading with nothing under it as text', () => {
    const blocks = [heading('Title'), heading('Empty', 2), heading('Other'), paragraph('Text.')];
    expect(passages(blocks).map(({ heading: path, text }) => [path, text])).toEqual([
      ['Title', 'Empty'],
      ['Other', 'Text.'],
    ]);
  });

  it('repeats the header of a table above its rows, and cuts no row', () => {
    const rows = Array.from({ length: 7 }, (_, n) => ({
      cells: [`Name${n}`, words(1, 4), `${n}.50`],
    }));
    const table: Block = { kind: 'table', header: ['Name', 'Words', 'Price'], rows };
    const found = texts([paragraph('Prices:'), table]);
    expect(found).toHaveLength(4);
    expect(passages([paragraph('Prices:'), table])[1]?.cells).toEqual({
      columns: ['Name', 'Words', 'Price'],
      rows: rows.slice(2, 4).map(({ cells }) => cells),
    });
    expect(found[0]).toBe(
      'Prices:\n\n| Name | Words | Price |\n| Name0 | w1 w2 w3 w4 | 0.50 |\n| Name1 | w1 w2 w3 w4 | 1.50 |',
    );
    for (const text of found.slice(1)) {
      expect(text).toMatch(
        /^\| Name \| Words \| Price \|\n(\| Name\d \| w1 w2 w3 w4 \| \d.50 \|\n?)+$/,
      );
    }
  });

  it('writes rows as lines of a name and a value where the names are too long to be repeated', () => {
    const names = ['Country', 'a long name of a column', 'and another one that is as long'];
    const rows = ['Norway', 'Sweden'].map((name) => ({ cells: [name, words(1, 4), words(5, 9)] }));
    const table: Block = { kind: 'table', header: names, rows };
    expect(passages([table])[1]?.cells).toEqual({
      columns: ['Country', 'and another one that is as long'],
      rows: [
        ['Norway', words(5, 9)],
        ['Sweden', ''],
      ],
    });
    expect(texts([table])).toEqual([
      'Country: Norway\na long name of a column: w1 w2 w3 w4',
      `Country: Norway\nand another one that is as long: ${words(5, 9)}\n\nCountry: Sweden`,
      'Country: Sweden\na long name of a column: w1 w2 w3 w4',
      `Country: Sweden\nand another one that is as long: ${words(5, 9)}`,
    ]);
  });

  it('cuts a row that is too long between its cells', () => {
    const row = { cells: [words(1, 9), words(10, 18), words(19, 27)] };
    expect(texts([{ kind: 'table', header: null, rows: [row] }])).toEqual([
      `| ${words(1, 9)} | ${words(10, 18)} |`,
      `${words(19, 27)} |`,
    ]);
    expect(passages([{ kind: 'table', header: null, rows: [row] }])).toMatchObject([
      { cells: { columns: [], rows: [[words(1, 9), words(10, 18)]] } },
      { cells: { columns: [], rows: [[words(19, 27)]] } },
    ]);
  });

  it('gives no passage rows of tables with other columns', () => {
    const tables = ['Price', 'Price', 'Weight (kg)'].map((name): Block => ({
      kind: 'table',
      header: [name],
      rows: [{ cells: ['1'] }],
    }));
    expect(passages(tables).map(({ cells }) => cells)).toEqual([
      { columns: ['Price'], rows: [['1'], ['1']] },
      { columns: ['Weight (kg)'], rows: [['1']] },
    ]);
  });

  it('fills rows to the same length', () => {
    const rows = [{ cells: ['a'] }, { cells: ['b', 'c', '', ''] }, { cells: ['', '', 'd'] }];
    expect(passages([{ kind: 'table', header: ['Name', ''], rows }])).toMatchObject([
      {
        cells: {
          columns: ['Name', '', ''],
          rows: [
            ['a', '', ''],
            ['b', 'c', ''],
            ['', '', 'd'],
          ],
        },
      },
    ]);
  });

  it('keeps a line of code that is too long on one line', () => {
    expect(texts([{ kind: 'code', text: words(1, 30) }])).toEqual([words(1, 20), words(21, 30)]);
  });

  it('keeps the lines and the indentation of code, and the markers of lists', () => {
    const code: Block = { kind: 'code', text: '\n  if (x) {\n    y();\n\n  }\n' };
    const item = (depth: number, marker: string, text: string): Block => ({
      kind: 'list-item',
      depth,
      marker,
      text,
    });
    expect(texts([code])).toEqual(['  if (x) {\n    y();\n\n  }']);
    expect(
      texts([paragraph('Do:'), item(0, '1.', 'This.'), item(1, '–', 'That.'), paragraph('End.')]),
    ).toEqual(['Do:\n\n1. This.\n  – That.\n\nEnd.']);
    const lines = Array.from({ length: 12 }, (_, n) => `  call${n}(a, b);`);
    expect(
      texts([{ kind: 'code', text: lines.join('\n') }]).flatMap((text) => text.split('\n')),
    ).toEqual(lines);
  });

  it('begins a passage with each page, but not within a paragraph', () => {
    const blocks: Block[] = [
      paragraph('One.', 1),
      {
        kind: 'paragraph',
        text: 'Two goes on.',
        locator: { page: 1 },
        pageBreaks: [{ offset: 4, locator: { page: 2 } }],
      },
      paragraph('Three.', 2),
    ];
    expect(passages(blocks)).toEqual([
      { text: 'One.\n\nTwo goes on.', heading: null, page: 1, locator: { page: 1 }, cells: null },
      { text: 'Three.', heading: null, page: 2, locator: { page: 2 }, cells: null },
    ]);
  });

  it('knows on which page the rest of a long paragraph begins', () => {
    const [one, two] = [`One ${words(1, 14)}. `, `Two ${words(15, 30)}.`];
    const block: Block = {
      kind: 'paragraph',
      text: one + two,
      locator: { page: 1 },
      pageBreaks: [{ offset: one.length, locator: { page: 2 } }],
    };
    expect(passages([block]).map(({ page }) => page)).toEqual([1, 2]);
  });

  it('joins rows of one sheet', () => {
    const locator = (row: number) => ({ sheet: 'Prices', row });
    const rows = [2, 3, 4].map((row) => ({ cells: [`Row${row}`], locator: locator(row) }));
    const table: Block = { kind: 'table', header: ['Name'], rows, locator: locator(1) };
    expect(passages([table])).toMatchObject([{ page: null, locator: { sheet: 'Prices', row: 2 } }]);
  });

  it.each([
    ['Thai', 'ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวันหลังจากได้รับสินค้า'],
    ['Lao', 'ລູກຄ້າສາມາດສົ່ງຄືນສິນຄ້າພາຍໃນສາມສິບວັນ'],
    ['Khmer', 'អតិថិជនអាចប្រគល់ទំនិញវិញក្នុងរយៈពេលសាមសិបថ្ងៃ'],
    ['Burmese', 'ဖောက်သည်များသည်ရက်ပေါင်းသုံးဆယ်အတွင်းပြန်ပို့နိုင်သည်'],
    ['Chinese', '客户可以在收到订单后三十天内退货'],
    ['Japanese', 'お客様は商品到着後三十日以内であれば返品することができます'],
    ['Korean', '고객은 배송 후 삼십 일 이내에 모든 주문을 반품할 수 있습니다 '],
  ])('counts the words of %s as its segmenter does', (_, text) => {
    const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
    const count = (passage: string) =>
      [...segmenter.segment(passage)].filter(({ isWordLike }) => isWordLike).length;
    const sizes = texts([paragraph(text.repeat(200))], 300, 30).map(count);
    expect(sizes.length).toBeGreaterThan(2);
    for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThan(250);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(320);
  });

  it('cuts what is endless, and finds nothing in white space', () => {
    const endless = texts([paragraph('x'.repeat(10_000))], 20, 9).map(({ length }) => length);
    expect(Math.max(...endless)).toBeLessThanOrEqual(20 * 20);
    expect(endless.length).toBeLessThan(100);
    expect(texts([paragraph(' \n\n\u3000\n'), paragraph('\0')])).toEqual([]);
    expect(texts([paragraph('soft\u00adened \ud800')])).toEqual(['softened \ufffd']);
  });

  it.each(['w ', '. ', 'a. ', '( ', '退', 'ก', '|', 'x', '\n', ' '])(
    'takes time in proportion to many %j',
    (unit) => {
      const text = unit.repeat(100_000 / unit.length);
      const startedAt = performance.now();
      for (const block of [paragraph(text), { kind: 'code', text } as const]) {
        for (const { text: passage } of passages([block], 300, 30)) {
          expect(passage.length).toBeLessThan(6100);
        }
      }
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    },
  );
});
