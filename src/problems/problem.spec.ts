import { describe, expect, it } from '@jest/globals';
import { Problem, type ProblemCode, PROBLEMS } from './problem.js';

const codesOf = (wanted: number) =>
  Object.entries(PROBLEMS)
    .filter(([, [status]]) => status === wanted)
    .map(([code]) => code as ProblemCode);

describe(Problem.name, () => {
  it.each(codesOf(503))('%s says when to try again', (code) => {
    expect(new Problem(code).headers).toEqual({ 'retry-after': '1' });
    const headers = { 'retry-after': '5', 'x-more': 'yes' };
    expect(new Problem(code, { headers }).headers).toEqual(headers);
  });

  it.each(codesOf(404))('%s does not', (code) => {
    expect(new Problem(code).headers).toEqual({});
  });
});
