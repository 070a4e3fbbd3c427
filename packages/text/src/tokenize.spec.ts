import { describe, expect, it } from '@jest/globals';
import { stem, tokenize } from './tokenize.js';

const terms = (text: string, language: string | null = null) =>
  tokenize(text, language).map((word) => stem(word, language));

describe(tokenize.name, () => {
  it('finds the words of a script without spaces, in long texts too', () => {
    expect(tokenize('ภาษาไทยเขียนติดกัน').length).toBeGreaterThan(2);
    expect(tokenize('ภาษาไทย '.repeat(2000))).toHaveLength(2 * 2000);
    const unbroken = 'ภาษาไทย'.repeat(2000);
    expect(tokenize(unbroken).join('')).toBe(unbroken);
    expect(new Set(tokenize(unbroken)).size).toBe(2);
  });

  it('gives bigrams of Chinese, and digits of any script as 0 to 9', () => {
    expect(tokenize('知识库 ٢٠٢٤ २०')).toEqual(['知识', '识库', '2024', '20']);
  });
});

describe(stem.name, () => {
  it.each([
    ['de', 'Häuser', 'Haeuser'],
    ['de', 'Straße', 'STRASSE'],
    ['es', 'canciones', 'canción'],
    ['ru', 'университетов', 'университеты'],
    ['tr', 'KITAPLARI', 'kitap'],
    ['ro', 'orașului', 'oraşului'],
    ['el', 'πανεπιστήμια', 'πανεπιστημίων'],
    ['ar', 'والكتاب', 'كِتاب'],
    ['ar', 'المكتبة', 'مكتبه'],
    ['he', 'הברית', 'ברית'],
    ['he', 'החנות', 'חנות'],
    ['he', 'הכלבים', 'כלב'],
    [null, 'café', 'cafe'],
  ])('makes one of %s %s and %s', (language, one, other) => {
    expect(terms(one, language)).toEqual(terms(other, language));
  });

  it('keeps apart what marks distinguish in Vietnamese and Hindi', () => {
    expect(terms('má', 'vi')).not.toEqual(terms('mà', 'vi'));
    expect(terms('दिन', 'hi')).not.toEqual(terms('दान', 'hi'));
  });

  it('stems a word in another script as the language that mostly uses it', () => {
    expect(terms('universities', 'ru')).toEqual(terms('university', 'en'));
  });
});
