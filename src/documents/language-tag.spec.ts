import { describe, expect, it } from '@jest/globals';
import { canonicalLanguageTag } from './language-tag.js';

describe(canonicalLanguageTag, () => {
  it.each([
    ['de', 'de'],
    ['DE-at', 'de-AT'],
    ['zh-hans', 'zh-Hans'],
    ['pt-BR', 'pt-BR'],
    ['deu', 'de'],
    ['gsw', 'gsw'],
    ['sl-rozaj', 'sl-rozaj'],
  ])('takes %s as %s', (tag, canonical) => {
    expect(canonicalLanguageTag(tag)).toBe(canonical);
  });

  it.each([
    '',
    ' ',
    'd',
    'de ',
    'de_DE',
    'de-',
    'xx',
    'english',
    'German',
    'x-klingon',
    'i-klingon',
    '日本',
    'de\0',
    'de-' + 'x'.repeat(40),
    `de${'-abcde'.repeat(6)}`,
  ])('refuses %j', (tag) => {
    expect(canonicalLanguageTag(tag)).toBeUndefined();
  });
});
