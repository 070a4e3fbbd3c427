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

  it('has its code for a title, in words', () => {
    const titleOf = (code: ProblemCode) => new Problem(code).toBody('')['title'];
    expect(titleOf('api_key_revoked')).toBe('API key revoked');
    expect(titleOf('not_found')).toBe('Not found');
    expect(titleOf('ip_not_allowed')).toBe('Address not allowed');
  });

  it.each(codesOf(404))('%s does not', (code) => {
    expect(new Problem(code).headers).toEqual({});
  });
});
