import { describe, expect, it } from '@jest/globals';
import { LatchkeyChat } from './index.js';
import { LANGUAGES } from './languages.js';
import { findWords, isRightToLeft } from './words.js';

describe(findWords.name, () => {
  it('speaks twelve languages, each in whole', () => {
    expect(Object.keys(LANGUAGES)).toHaveLength(12);
    for (const words of Object.values(LANGUAGES)) {
      expect(Object.values<string>({ ...words }).filter((text) => text.trim() === '')).toEqual([]);
      for (const pattern of [words.page, words.slide, words.row]) expect(pattern).toContain('{}');
    }
  });

  it.each([
    ['de', 'de', 'Senden'],
    ['DE-ch', 'DE-ch', 'Senden'],
    ['zh_TW', 'zh_TW', '发送'],
    ['sv', 'en', 'Send'],
    ['', 'en', 'Send'],
    ['constructor', 'en', 'Send'],
  ])('has for %j the words of %j', (tag, language, send) => {
    const found = findWords(tag);
    expect([found.language, found.words.send]).toEqual([language, send]);
  });

  it('knows which run from right to left', () => {
    expect(['ar', 'ar-EG', 'arn', 'en'].map(isRightToLeft)).toEqual([true, true, false, false]);
  });
});

describe('the package', () => {
  it('is loaded where there are no elements, such as on a server', () => {
    expect(typeof LatchkeyChat).toBe('function');
  });
});
