import { describe, expect, it } from '@jest/globals';
import { Problem } from '../problems/problem.js';
import { requireNothing } from './refuse-unread-bodies.js';

function errorsOf(body: unknown): unknown {
  try {
    requireNothing(body);
    return undefined;
  } catch (error) {
    return error instanceof Problem ? (error.toBody('').errors ?? error.code) : error;
  }
}

describe(requireNothing.name, () => {
  it.each([[undefined], [null], [{}]])('takes %j for nothing', (body) => {
    expect(errorsOf(body)).toBeUndefined();
  });

  it('names each field', () => {
    expect(errorsOf({ constructor: 1, ['x'.repeat(200)]: 2 })).toEqual([
      { field: 'constructor', message: 'constructor is not a known field' },
      { field: `${'x'.repeat(100)}…`, message: `${'x'.repeat(100)}… is not a known field` },
    ]);
  });

  it.each([[[]], ['text'], [1], [false]])('refuses %j', (body) => {
    expect(errorsOf(body)).toBe('validation_failed');
  });
});
