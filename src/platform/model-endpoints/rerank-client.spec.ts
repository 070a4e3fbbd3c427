import { describe, expect, it } from '@jest/globals';
import { readScores } from './rerank-client.js';

describe(readScores, () => {
  it('reads the answers of Cohere, Jina and vLLM, in the order of the texts', () => {
    const results = [
      { index: 1, relevance_score: 0.9, document: { text: 'b' } },
      { index: 0, relevance_score: -0.1 },
    ];
    expect(readScores({ id: 'rerank-1', results, usage: {} }, 2)).toEqual([-0.1, 0.9]);
  });

  it('reads the answers of Text Embeddings Inference', () => {
    const results = [
      { index: 1, score: 0.9 },
      { index: 0, score: 0 },
    ];
    expect(readScores(results, 2)).toEqual([0, 0.9]);
  });

  const complete = { index: 0, relevance_score: 1 };
  it.each([
    ['text', 'an error page'],
    ['nothing', null],
    ['no results', { data: [] }],
    ['too few', { results: [complete] }],
    ['too many', [complete, { index: 1, score: 1 }, { index: 2, score: 1 }]],
    ['an index twice', [complete, complete]],
    ['an index below 0', [complete, { index: -1, score: 1 }]],
    ['an index between two', [complete, { index: 0.5, score: 1 }]],
    ['an index as text', [complete, { index: '1', score: 1 }]],
    ['no index', [complete, { score: 1 }]],
    ['no score', [complete, { index: 1 }]],
    ['a score of null, which JSON has for NaN', [complete, { index: 1, score: null }]],
    ['a score as text', [complete, { index: 1, score: '1' }]],
    ['a score that is infinite', JSON.parse('[{"index":0,"score":1},{"index":1,"score":1e999}]')],
    ['no objects', [1, null]],
  ])('refuses %s', (_, answer: unknown) => {
    expect(() => readScores(answer, 2)).toThrow(Error);
  });
});
