import { describe, expect, it } from '@jest/globals';
import { findNamedRows } from './named-rows.js';

const named = (question: string, ...names: string[]) => [
  ...findNamedRows({ columns: [], rows: names.map((name) => [name, '1']) }, question),
];

describe(findNamedRows, () => {
  it('has the rows that the question names, as they are read', () => {
    expect(named('delivery to NORWAY, and C++ (new)?', 'Norway', 'C++ (new)', 'Sweden')).toEqual([
      'Norway | 1',
      'C++ (new) | 1',
    ]);
    expect(named('送到挪威要多少钱', '挪威', '瑞典')).toEqual(['挪威 | 1']);
  });

  it('has no row whose name is a part of a word, or a small letter', () => {
    expect(named('What is a Norwegian?', 'Norway', 'Norwegia', 'a', 'A', '')).toEqual([]);
    expect(named('COVID-19 in 3.5 of 7,000 cases?', '19', '3', '5', '7')).toEqual([]);
    expect(named('What is category A?', 'A')).toEqual(['A | 1']);
  });
});
