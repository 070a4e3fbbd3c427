import { describe, expect, it } from '@jest/globals';
import { invalidField, Problem } from './problem.js';
import { textOf } from './remediation.js';

describe(textOf, () => {
  it('says what is wrong and what to do', () => {
    expect(textOf(new Problem('payload_too_large'))).toBe(
      'The body is too large for this endpoint. Send less at once.',
    );
  });

  // The formats that it is for have no `errors`.
  it.each([
    [invalidField('name', 'name must have 1 to 100 characters'), /^name must .* characters\.$/],
    [
      new Problem('validation_failed', { detail: 'The body is no JSON.' }),
      /^The body is no JSON\.$/,
    ],
  ])('names fields, and points to no list of them', (problem, text) => {
    expect(textOf(problem)).toMatch(text);
  });
});
