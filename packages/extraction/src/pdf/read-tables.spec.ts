import { describe, expect, it } from '@jest/globals';
import { at, getKinds, read, getTexts } from '../../test/pdf-lines.js';
import { pdf } from '../../../../test/support/pdf.mjs';
import { readPdf } from './read-pdf.js';

describe(`${readPdf.name}, tables`, () => {
  it('reads the labels of a drawing as no table', async () => {
    const labels = [
      at(100, 700, 'Reader'),
      at(300, 700, 'Writer of passages'),
      at(180, 670, 'Blocks'),
      at(350, 670, 'Index'),
      at(120, 640, 'Questions of people'),
      at(420, 640, 'Answers'),
    ];
    const { blocks } = await read(pdf([labels.join('')]));
    expect(getKinds(blocks)).not.toContain('table');
  });

  it('keeps the numbers of a table at the edge of pages', async () => {
    const pages = Array.from({ length: 4 }, (_, page) =>
      [760, 744, 728].map((y, row) =>
        row === 0
          ? at(72, y, 'Price list') + at(400, y, `${page + 1}`)
          : at(72, y, `4.${row}`) + at(200, y, `Lamp ${'abcd'.charAt(page)}${row} of glass`),
      ),
    );
    const { blocks } = await read(pdf(pages.map((parts) => parts.join(''))));
    expect(
      getTexts(blocks)
        .flat(2)
        .filter((text) => /^4\.\d$/.test(text)),
    ).toHaveLength(8);
  });

  it('reads a table by its rows', async () => {
    const rows = [
      ['Product', 'Price', 'Stock'],
      ['Lamp', '12.50', '4'],
      ['Table', '99.00', '1'],
    ];
    const page = rows.map((cells, row) =>
      cells.map((cell, index) => at(72 + 120 * index, 700 - 16 * row, cell)).join(''),
    );
    const { blocks } = await read(pdf([page.join('')]));
    expect(blocks).toMatchObject([
      { kind: 'table', header: rows[0], rows: [{ cells: rows[1] }, { cells: rows[2] }] },
    ]);
  });

  it('joins the words that are cut in the cells of a table', async () => {
    const rows = [
      ['Code', 'Meaning of it'],
      ['12', 'The premium assis-'],
      ['', 'tance that was paid'],
      ['13', 'Nothing else'],
    ];
    const page = rows.map((cells, row) =>
      cells.map((cell, index) => at(72 + 120 * index, 700 - 12 * row, cell)).join(''),
    );
    const { blocks } = await read(pdf([page.join('')]));
    expect(blocks).toMatchObject([
      {
        kind: 'table',
        rows: [{ cells: ['12', 'The premium assistance that was paid'] }, {}],
      },
    ]);
  });
});
