import { describe, expect, it } from '@jest/globals';
import { CitationFilter } from './citations.js';

const filtered = (pieces: Iterable<string>, sources: number) => {
  const filter = new CitationFilter(sources);
  let text = '';
  for (const piece of pieces) text += filter.push(piece);
  return text + filter.end();
};

describe(CitationFilter.name, () => {
  it.each([
    ['Yes [12345], no[99999999999999999999].', 'Yes, no.'],
    ['All [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].', 'All [1, 2].'],
    [`None [${Array.from({ length: 60 }, (_, n) => n + 10).join(', ')}].`, 'None.'],
    ['Glued[1,9] and apart [9,2]', 'Glued[1] and apart [2]'],
    ['Kept [1] [1, 2][2] [x] [] [1.5]', 'Kept [1] [1, 2][2] [x] [] [1.5]'],
  ])('keeps only the citations of the 2 sources in %j', (text, expected) => {
    expect(filtered([text], 2)).toBe(expected);
    // In pieces of one character.
    expect(filtered(Array.from(text), 2)).toBe(expected);
  });
});
