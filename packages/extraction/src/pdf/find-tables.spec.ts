import { describe, expect, it } from '@jest/globals';
import { findTables } from './find-tables.js';
import type { PageRow } from './segment.js';

const row = (y: number, cells: readonly string[], bold = false): PageRow => ({
  page: 1,
  y,
  segments: cells.map((text, index) => ({
    text,
    left: 60 + 120 * index,
    right: 60 + 120 * index + 5 * text.length,
    y,
    size: 10,
    bold,
    monospaced: false,
    rightToLeft: false,
  })),
});
const NAMES = ['LINE', 'POSITION', 'DESCRIPTION'];
const CELLS = [
  ['1', '01-05', 'Command code'],
  ['2', '06', 'Definer code'],
];

describe(findTables.name, () => {
  it('takes a bold row for the header, also at some distance', () => {
    const rows = [
      row(700, NAMES, true),
      ...CELLS.map((cells, index) => row(662 - 18 * index, cells)),
    ];
    expect(findTables(rows)).toMatchObject([{ page: 1, header: NAMES, rows: CELLS }]);
  });

  it('puts a name above the cells that stand apart from it', () => {
    const beside = row(662, ['7', '8']).segments.map((segment) => ({
      ...segment,
      left: segment.left + 60,
      right: segment.right + 60,
    }));
    const rows = [row(680, ['LINE', 'PLACE'], true), { page: 1, y: 662, segments: beside }];
    const second = { page: 1, y: 644, segments: beside.map((each) => ({ ...each, y: 644 })) };
    expect(findTables([...rows, second])).toMatchObject([
      {
        page: 1,
        header: ['LINE', 'PLACE'],
        rows: [
          ['7', '8'],
          ['7', '8'],
        ],
      },
    ]);
  });

  it('takes no row at that distance that is not bold', () => {
    const rows = [row(700, NAMES), ...CELLS.map((cells, index) => row(662 - 18 * index, cells))];
    expect(findTables(rows)).toMatchObject([rows[0], { page: 1, header: null, rows: CELLS }]);
  });
});
