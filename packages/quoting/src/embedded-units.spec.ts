import { describe, expect, it } from '@jest/globals';
import { embeddedUnits } from './embedded-units.js';

const embed = (text: string, heading: string | null = null) =>
  embeddedUnits({ title: 'Shop', heading, text });

describe(embeddedUnits, () => {
  it('is each sentence below its headings, with its place in the passage', () => {
    const text = 'Money comes back in **five** days. The rest is a voucher.';
    const [first, second] = embed(text, 'About › Returns');
    expect(first?.embedded).toBe('Shop\nReturns\nMoney comes back in five days.');
    expect(text.slice(second?.start, second?.end)).toBe('The rest is a voucher.');
  });

  it('is each row below the names of its columns, which are none themselves', () => {
    const rows = embed('| Country | Delivery |\n| Norway | 12.90 |\n| Germany | 8.50 |');
    expect(rows.map(({ embedded }) => embedded)).toEqual([
      'Shop\nCountry | Delivery\nNorway | 12.90',
      'Shop\nCountry | Delivery\nGermany | 8.50',
    ]);
  });

  it('has neither headings nor questions, which answer nothing', () => {
    expect(embed('## Returns\n\nIs it late? Write to us.').map(({ embedded }) => embedded)).toEqual(
      ['Shop\nReturns\nWrite to us.'],
    );
  });

  it('has no clauses of a script in which nothing marks where sentences end', () => {
    expect(embed('คืนเงินภายในห้าวัน ส่วนที่เหลือเป็นบัตรกำนัล')).toEqual([]);
    expect(embed('คืนเงินภายในห้าวัน')).toHaveLength(1);
  });

  it('has a limit, so that a table of a thousand rows costs no more than a page', () => {
    const rows = Array.from({ length: 1000 }, (_, index) => `| ${index} | row |`);
    expect(embed(rows.join('\n')).length).toBeLessThan(40);
  });
});
