import { describe, expect, it } from '@jest/globals';
import { depthExceeds } from './json-body.js';

describe(depthExceeds.name, () => {
  it.each<[string, boolean]>([
    ['[[]]', false],
    ['[[[]]]', true],
    ['[{"a":[', true],
    ['[[],[],[]]', false],
    ['"[[["', false],
    ['["\\"[[["]', false],
    ['["\\\\",[[', true],
    [']]]]', false],
  ])('%s at a limit of 2: %p', (text, exceeds) => {
    expect(depthExceeds(text, 2)).toBe(exceeds);
  });
});
