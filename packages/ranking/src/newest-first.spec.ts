import { describe, expect, it } from '@jest/globals';
import { findAskedYears, putNewestFirst } from './newest-first.js';
import type { FoundPassage } from './search-index.js';

const list = (...passages: [title: string, text: string, date?: string][]) =>
  passages.map(([documentTitle, text, date], index) => {
    const given = date === undefined ? null : { value: date, from: 'given' as const };
    return {
      documentTitle,
      text,
      heading: null,
      date: given,
      score: 1 - index / 10,
    } as FoundPassage;
  });
const sort = (passages: FoundPassage[], question = 'the rate?') =>
  putNewestFirst(passages, findAskedYears({ question })).map(({ documentTitle, score }) => [
    documentTitle,
    score,
  ]);

const RATE = (value: number) => `The hourly rate for consulting is ${value} euros.`;
const RATES = list(
  ['Rates 2024', RATE(95)],
  ['Food', 'Soup'],
  ['Rates 2026', RATE(118)],
  ['Rates 2025', RATE(104)],
);

describe(putNewestFirst.name, () => {
  it('puts the newest of passages that say the same into the first of their places', () => {
    expect(sort(RATES)).toEqual([
      ['Rates 2026', 1],
      ['Food', 0.9],
      ['Rates 2025', 0.8],
      ['Rates 2024', 0.7],
    ]);
  });

  it('puts the year that is asked for before it', () => {
    expect(sort(RATES, 'the rate in 2025?').map(([title]) => title)).toEqual([
      'Rates 2025',
      'Food',
      'Rates 2026',
      'Rates 2024',
    ]);
  });

  it('goes by given dates where no title names a year', () => {
    const rates = list(['Old', RATE(95), '2024-03'], ['New', RATE(104), '2025']);
    expect(sort(rates).map(([title]) => title)).toEqual(['New', 'Old']);
  });

  it('leaves what says something else, and what is of no year', () => {
    const others = list(
      ['Rates 2024', RATE(95)],
      ['Menu 2026', 'Soup costs 5 euros.'],
      ['Rates', RATE(1)],
    );
    expect(putNewestFirst(others, new Set())).toEqual(others);
  });
});
