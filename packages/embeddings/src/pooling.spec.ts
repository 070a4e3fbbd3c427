import { describe, expect, it } from '@jest/globals';
import { pool, readPooling } from './pooling.js';

describe(readPooling, () => {
  it.each([
    [{}, 'mean'],
    [{ word_embedding_dimension: 4, pooling_mode_cls_token: true }, 'first'],
    [{ pooling_mode_mean_tokens: true, pooling_mode_cls_token: false }, 'mean'],
    [{ pooling_mode: 'lasttoken' }, 'last'],
  ])('reads %j', (config, pooling) => {
    expect(readPooling(config)).toBe(pooling);
  });

  it.each([
    [{ pooling_mode_mean_tokens: true, pooling_mode_max_tokens: true }],
    [{ pooling_mode_mean_sqrt_len_tokens: true }],
    [{ pooling_mode: 'weightedmean' }],
  ])('refuses %j, since the vectors would be wrong', (config) => {
    expect(() => readPooling(config)).toThrow('not supported');
  });
});

describe(pool, () => {
  const tokens = Float32Array.of(1, 5, 3, 1, 2, 0);

  it.each([
    ['mean', [2, 2]],
    ['first', [1, 5]],
    ['last', [2, 0]],
    ['max', [3, 5]],
  ] as const)('takes the %s of the tokens', (pooling, vector) => {
    expect([...pool(tokens, 2, pooling)]).toEqual(vector);
  });
});
