import { describe, expect, it } from '@jest/globals';
import { denies, hasDenial } from './denials.js';

describe(denies, () => {
  it.each([
    ['en', 'Gift cards never expire.', 'gift cards expire'],
    ['en', 'There is no charge for returns.', 'charge returns'],
    ['en', 'Delivery costs nothing.', 'delivery costs'],
    ['de', 'Gutscheine verfallen nie.', 'gutscheine verfallen'],
    ['de', 'Für Rücksendungen gibt es keine Gebühr.', 'rücksendungen gebühr'],
    ['fr', 'Les cartes cadeaux n’expirent jamais.', 'cartes cadeaux expirent'],
    ['es', 'Las tarjetas regalo nunca caducan.', 'tarjetas regalo caducan'],
    ['pl', 'Karty podarunkowe nigdy nie wygasają.', 'karty podarunkowe wygasają'],
    ['ru', 'Подарочные карты никогда не истекают.', 'подарочные карты истекают'],
    ['ja', 'ギフトカードに有効期限はありません。', ''],
  ])('takes a denial of what is asked for an answer (%s): %s', (language, text, asked) => {
    expect(denies(text, language, (word) => asked.split(' ').includes(word))).toBe(true);
  });

  it.each([
    ['en', 'Gift cards never expire.', 'gift cards'],
    ['en', 'There are no parking spaces for trucks.', 'parking spaces'],
    ['en', 'Gift cards expire.', 'gift cards expire'],
    ['de', 'Am Sonntag gibt es keine Führungen.', 'führungen'],
    ['pl', 'Karty podarunkowe wygasają.', 'karty podarunkowe wygasają'],
  ])('takes no denial of something else for one (%s): %s', (language, text, asked) => {
    expect(denies(text, language, (word) => asked.split(' ').includes(word))).toBe(false);
  });

  it('knows no words of a language that cannot be told', () => {
    expect(denies('Gift cards never expire.', null, () => true)).toBe(false);
  });
});

describe(hasDenial, () => {
  it.each([
    ['en', 'Workshop staff may not.', true],
    ['en', 'Workshop staff may too.', false],
    ['de', 'Für Akkus gilt sie nicht.', true],
    ['zh', '电池不在保修范围内。', true],
    [null, 'Workshop staff may not.', false],
  ])('finds a denial of anything (%s): %s', (language, text, expected) => {
    expect(hasDenial(text, language)).toBe(expected);
  });
});
