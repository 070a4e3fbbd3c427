import { describe, expect, it } from '@jest/globals';
import { withBullets } from './bullets.js';
import type { PageRow } from './segment.js';

const rows = (lines: readonly string[]): PageRow[] =>
  lines.map((line, index) => ({
    page: 1,
    y: 700 - 12 * index,
    segments: line.split('|').map((text, place) => ({
      text,
      left: 72 + 20 * place,
      right: 90 + 200 * place,
      y: 700 - 12 * index,
      size: 10,
      bold: false,
      monospaced: false,
      rightToLeft: false,
    })),
  }));
const getTexts = (found: readonly PageRow[]) =>
  found.map(({ segments }) => segments.map(({ text }) => text).join('|'));

describe(withBullets.name, () => {
  it('takes a letter that begins each item of a list for a bullet', () => {
    const list = ['What we do:', 'r Training', 'r 24 h support', 'r|Migration'];
    expect(getTexts(withBullets(rows(list)))).toEqual([
      'What we do:',
      '• Training',
      '• 24 h support',
      '•|Migration',
    ]);
  });

  it.each([
    ['few', ['y Pedro', 'y Ana']],
    ['words', ['y Pedro', 'y Ana', 'y Luis', 'y la casa']],
    ['several', ['b Beta', 'c Gamma', 'd Delta']],
    ['parts of words', ['rTraining', 'rSupport', 'rMigration']],
  ])('takes no letters that are %s', (_, lines) => {
    expect(getTexts(withBullets(rows(lines)))).toEqual(lines);
  });
});
