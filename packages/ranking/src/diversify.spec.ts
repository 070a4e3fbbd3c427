import { describe, expect, it } from '@jest/globals';
import { diversify } from './diversify.js';
import type { FoundPassage } from './search-index.js';

const list = (...passages: [documentId: string, score: number][]) =>
  passages.map(([documentId, score], index) => {
    return { passageId: `${documentId}${index}`, documentId, score } as FoundPassage;
  });
const chosen = (passages: FoundPassage[], limit: number) =>
  diversify(passages, limit).map(({ passageId, score }) => [passageId, score]);

describe(diversify.name, () => {
  it('puts different documents first where their scores are near', () => {
    expect(chosen(list(['a', 0.9], ['a', 0.88], ['a', 0.85], ['b', 0.82], ['c', 0.4]), 4)).toEqual([
      ['a0', 0.9],
      ['b3', 0.88],
      ['a1', 0.85],
      ['a2', 0.82],
    ]);
  });

  it('leaves the order where other documents have much lower scores', () => {
    const passages = list(['a', 0.9], ['a', 0.88], ['a', 0.85], ['b', 0.4]);
    expect(diversify(passages, 3)).toEqual(passages.slice(0, 3));
  });

  it('reduces a passage for each better one of its document', () => {
    const passages = list(['a', 1], ['a', 1], ['a', 1], ['b', 0.89], ['c', 0.8]);
    expect(chosen(passages, 4).map(([id]) => id)).toEqual(['a0', 'a1', 'b3', 'a2']);
  });

  it('gives all there are, and none of none', () => {
    expect(chosen(list(['a', 0]), 5)).toEqual([['a0', 0]]);
    expect(diversify([], 5)).toEqual([]);
  });
});
