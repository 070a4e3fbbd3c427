import { expect, it } from '@jest/globals';
import { matchesWildcard } from './wildcard.js';

/** All texts of a few letters up to a length. */
function texts(letters: string, length: number): string[] {
  if (length === 0) return [''];
  const shorter = texts(letters, length - 1);
  const longest = shorter.filter((text) => text.length === length - 1);
  return [...shorter, ...longest.flatMap((text) => [...letters].map((letter) => text + letter))];
}

it('finds what a regular expression finds', () => {
  const wrong: string[] = [];
  for (const pattern of texts('ab*', 5)) {
    const expression = new RegExp(`^${pattern.replaceAll(/\*+/g, '.*')}$`);
    for (const text of texts('ab', 5)) {
      if (matchesWildcard(pattern, text) !== expression.test(text))
        wrong.push(`${pattern} ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('takes patterns that a search for each part takes long for', () => {
  const text = 'a'.repeat(200_000);
  expect(matchesWildcard(`*${'a'.repeat(100_000)}b*`, text)).toBe(false);
  expect(matchesWildcard('*a'.repeat(1000), text)).toBe(true);
  expect(matchesWildcard(`${'*a'.repeat(1000)}*b`, text)).toBe(false);
});
