import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { indexed } from '../support/ranked-collection.js';
import { newUserId, sharedService } from '../support/shared-service.js';

/** With stemmers and without, near each other and not; most of them are wrong for most texts. */
const LANGUAGES = [
  ...[
    'en',
    'de',
    'fr',
    'es',
    'it',
    'nl',
    'sv',
    'da',
    'nb',
    'fi',
    'hu',
    'tr',
    'ro',
    'pt',
    'pl',
    'vi',
  ],
  ...['ru', 'bg', 'uk', 'sr', 'el', 'lt', 'ga', 'id'],
];

describe('a document whose language was not detected correctly', () => {
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    const service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });

  it.each([
    ['return', 'Customers may return damaged deliveries', 'damaged deliveries'],
    ['получения', 'Время получения заказа и миллинген', 'времени получения миллинген'],
    ['градовете', 'Клиентите от градовете получават поръчките', 'градовете поръчките'],
    ['Bestellungen', 'Kunden dürfen Bestellungen zurückgeben', 'Bestellungen zurückgeben'],
  ])('is found by its words, in any of many languages: %s', async (word, text, question) => {
    const sources = LANGUAGES.map((language) => ({ title: language, text: `${text}.`, language }));
    // The texts differ, since of equal ones a result has one.
    const different = sources.map((source, n) => ({ ...source, text: `${source.text} No. ${n}` }));
    const index = await indexed(alice, partner, different);
    expect((await index.titles(word)).sort()).toEqual([...LANGUAGES].sort());
    expect((await index.titles(question)).sort()).toEqual([...LANGUAGES].sort());
  });

  it('is found by other forms of a word where the language is Bulgarian', async () => {
    const language = 'bg';
    const index = await indexed(alice, partner, [
      { title: 'Книги', text: 'Книгите са в библиотеката.', language },
      { title: 'Градове', text: 'Градът има нова библиотека.', language },
      { title: 'Поръчки', text: 'Поръчката пристига утре.', language },
    ]);
    expect(await index.titles('книга')).toEqual(['Книги']);
    expect(await index.titles('градове')).toEqual(['Градове']);
    expect(await index.titles('поръчки')).toEqual(['Поръчки']);
    expect((await index.titles('библиотеки')).sort()).toEqual(['Градове', 'Книги']);
  });
});
