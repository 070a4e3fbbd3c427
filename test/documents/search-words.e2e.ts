import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { indexed } from '../support/ranked-collection.js';
import { newUserId, sharedService } from '../support/shared-service.js';

describe('the words of the search index', () => {
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    const service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });

  const index = (sources: { title: string; text: string }[]) => indexed(alice, partner, sources);

  it('takes no notice of stop words, unless there is nothing else', async () => {
    const stage = await index([
      { title: 'Soliloquy', text: 'To be or not to be' },
      { title: 'Ghost', text: 'A ghost walks on the battlements' },
      { title: 'Players', text: 'The players are here and they are ready' },
    ]);
    expect(await stage.titles('Where is the ghost?')).toEqual(['Ghost']);
    expect(await stage.titles('ghost')).toEqual(['Ghost']);
    expect((await stage.titles('to be'))[0]).toBe('Soliloquy');
    expect((await stage.titles('are they here'))[0]).toBe('Players');
  });

  it('goes on after a mark that stands alone, of which no word is left', async () => {
    const notes = await index([{ title: 'Mark', text: 'A mark \u0301 stands alone' }]);
    await alice.addDocument(notes.id, { title: 'Next', text: 'The next one is about zebras' });
    expect(await notes.titles('zebras')).toEqual(['Next']);
  });

  it('takes no stop word for one that is another language’s word', async () => {
    const menu = await index([
      { title: 'One', text: 'Thé' },
      { title: 'Two', text: 'Vert' },
      { title: 'Three', text: 'Eau' },
    ]);
    expect((await menu.titles('thé vert')).sort()).toEqual(['One', 'Two']);
  });

  it.each([
    ['returns', 'returned'],
    ['connection', 'connecting'],
    ['policies', 'policy'],
    ['generalizations', 'generalization'],
    ['hopping', 'hop'],
    ['ponies', 'pony'],
    ['relational', 'relate'],
  ])('finds %s by %s, and the other way round', async (one, other) => {
    const words = await index([
      { title: 'One', text: `It says ${one} there` },
      { title: 'Two', text: `It says ${other} there` },
      { title: 'Three', text: 'It says nothing of the kind' },
    ]);
    expect((await words.titles(one)).sort()).toEqual(['One', 'Two']);
    expect((await words.titles(other)).sort()).toEqual(['One', 'Two']);
  });

  it.each([
    ['café', 'cafe'],
    ['Crème Brûlée', 'creme brulee'],
    ['MÜLLER', 'muller'],
    ['façade', 'FAÇADE'],
    ['naïve'.normalize('NFD'), 'naïve'],
    ['Łódź', 'łódź'],
    ['nội', 'noi'],
    ['Straße', 'STRAßE'],
    ['Москва', 'МОСКВА'],
    ['Αθήνα', 'ΑΘΉΝΑ'],
  ])('finds %s by %s, and the other way round', async (one, other) => {
    const words = await index([
      { title: 'One', text: one },
      { title: 'Two', text: other },
      { title: 'Three', text: 'Nothing of the kind' },
    ]);
    expect((await words.titles(one)).sort()).toEqual(['One', 'Two']);
    expect((await words.titles(other)).sort()).toEqual(['One', 'Two']);
  });

  it.each([
    '退货政策',
    '退货 政策',
    'サポート',
    '한국어 문서',
    'مرحبا',
    'שלום',
    'हिन्दी',
    'ภาษาไทย',
    '30',
    '007',
    '3.14',
    '-5',
    '1e5',
    '20th',
    'v1.2.3',
    'e-mail',
    'help@example.com',
    'https://example.com/a/b?c=d',
    '/etc/passwd',
    'snake_case',
    'C++',
    'x²',
    'AT&T',
    "don't",
    'MK-677',
    'mRNA',
  ])('finds what is written as %s', async (written) => {
    const words = await index([
      { title: 'It', text: `Here ${written} stands` },
      { title: 'Other', text: 'Here nothing else stands' },
    ]);
    expect(await words.titles(written)).toEqual(['It']);
    expect(await words.titles(`¿${written}?`)).toEqual(['It']);
  });
});
