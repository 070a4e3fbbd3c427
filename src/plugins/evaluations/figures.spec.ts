import { describe, expect, it } from '@jest/globals';
import { type AskedQuestion, computeScores, computeRank } from './figures.js';

const asked = (more: Partial<AskedQuestion>): AskedQuestion => ({
  externalIds: [],
  answerable: true,
  rank: null,
  ndcg: null,
  answered: true,
  isRight: null,
  latencyMs: 5,
  ...more,
});

describe(computeRank.name, () => {
  it('is the place of the first passage of a named document', () => {
    expect(computeRank(['a', null, 'b'], ['b'])).toEqual({ rank: 3, ndcg: 0.5 });
    expect(computeRank(['a'], ['b'])).toEqual({ rank: null, ndcg: 0 });
    expect(computeRank(['a'], [])).toEqual({ rank: null, ndcg: null });
  });

  it('counts a document once', () => {
    expect(computeRank(['a', 'a'], ['a']).ndcg).toBe(1);
    expect(computeRank(['a', 'a'], ['a', 'b']).ndcg).toBeCloseTo(0.613, 3);
  });
});

describe(computeScores.name, () => {
  it('takes each figure over the questions that say what it needs', () => {
    const figures = computeScores([
      asked({ externalIds: ['a'], rank: 1, ndcg: 1, isRight: true }),
      asked({ externalIds: ['a'], rank: 6, ndcg: 0.4, answered: false, isRight: false }),
      asked({ answerable: false, answered: true, isRight: false, latencyMs: 9 }),
    ]);
    expect(figures).toEqual({
      hit_at_1: 0.5,
      hit_at_5: 0.5,
      mrr_at_10: 0.5833,
      ndcg_at_10: 0.7,
      answered_rate: 0.5,
      right_rate: 0.5,
      false_answer_rate: 1,
      latency_p50_ms: 5,
    });
  });

  it('is null where no question says what it needs', () => {
    expect(computeScores([asked({})])).toMatchObject({
      hit_at_1: null,
      right_rate: null,
      false_answer_rate: null,
      answered_rate: 1,
    });
  });
});
