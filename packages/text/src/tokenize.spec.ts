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

describe(`${tokenize.name}, raised and lowered characters`, () => {
  it.each([
    ['a power', '10⁶ cells', '10^6 cells'],
    ['a negative power', '10⁻¹² F', '10^-12 f'],
    ['a power of two with a letter', '2ⁿ', '2 n'],
    ['a mark of a note at a number', '24¹ months', '24 1 months'],
    ['a letter of a note at a number', '24ᵃ months', '24 a months'],
    ['a mark of a note at a word', 'all pumps¹ and seals²³', 'all pumps 1 and seals 23'],
    ['a number with a base', '101₂', '101 2'],
    ['a unit', '25 m² and km²', '25 m2 and km2'],
    ['a formula', 'H₂O and CO₂', 'h2o and co2'],
  ])('reads %s as it is typed', (_, text, typed) => {
    expect(tokenize(text)).toEqual(tokenize(typed));
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
