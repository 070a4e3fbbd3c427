import { describe, expect, it } from '@jest/globals';
import { matchesPattern } from './subject-pattern.js';

describe(matchesPattern.name, () => {
  it.each([
    ['repo:shop/site:ref:refs/heads/main', 'repo:shop/site:ref:refs/heads/main', true],
    ['repo:shop/site:ref:refs/heads/main', 'repo:shop/site:*', true],
    ['repo:shop/site:', 'repo:shop/site:*', true],
    ['repo:shop/site2:ref', 'repo:shop/site:*', false],
    ['xrepo:shop/site:ref', 'repo:shop/site:*', false],
    ['repo:shop/a:ref:refs/heads/main', 'repo:shop/*:ref:refs/heads/main', true],
    ['repo:shop/a:ref:refs/heads/main2', 'repo:shop/*:ref:refs/heads/main', false],
    ['aba', 'a*b*a', true],
    // The two ends must not overlap.
    ['a', 'a*a', false],
    ['ab', 'a*b*b', false],
    ['anything', '*', true],
    ['', '*', true],
    ['A', 'a', false],
    ['.x', '?x', false],
    ['abc', 'a.c', false],
    ['*', 'repo:*', false],
    ['repo:*', 'repo:shop', false],
    ['repo:shop', 'repo:*p', true],
  ])('%p is %p: %p', (subject, pattern, expected) => {
    expect(matchesPattern(subject, pattern)).toBe(expected);
  });

  it('takes no longer for patterns made to be slow', () => {
    const before = process.cpuUsage();
    expect(matchesPattern('a'.repeat(1000), `${'*a'.repeat(500)}b`)).toBe(false);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(100);
  });
});
