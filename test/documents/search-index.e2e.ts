import { beforeAll, describe, expect, it } from '@jest/globals';
import { bm25 } from '../support/bm25.js';
import { Client } from '../support/client.js';
import {
  bm25Proportions,
  COLLECTION,
  type Index,
  indexed,
  ranking,
  rounded,
  type Source,
} from '../support/ranked-collection.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

/** Questions, what of them says something, and the passages that answer them, best first. */
const QUESTIONS: [question: string, words: string, titles: string[]][] = [
  ['How long will a refund take?', 'long refund', ['Refund times', 'Returns']],
  ['How can I return my order?', 'return order', ['Returns', 'Damaged goods']],
  [
    'Is a damaged battery under warranty?',
    'damaged battery warranty',
    ['Batteries', 'Warranty', 'Damaged goods'],
  ],
  [
    'Who repairs electric bicycles',
    'repair electric bicycle',
    ['Careers', 'Bicycle repairs', 'Warranty', 'Press', 'Delivery'],
  ],
  ['gift card', 'gift card', ['Gift cards', 'Refund times', 'The café']],
  ['CAFE', 'café', ['The café', 'Opening hours']],
  ['crème brûlée?', 'creme brulee', ['The café']],
  ['Is the shop open on Sundays?', 'shop open sundays', ['Opening hours', 'Press']],
  ['free charges', 'free charge', ['Press', 'Warranty', 'Batteries']],
  ['days', 'days', ['Returns', 'Refund times', 'Delivery', 'Bicycle repairs']],
  ['delivering to an island', 'deliver island', ['Delivery', 'Damaged goods']],
  ['battery, battery, frame', 'battery battery frame', ['Batteries', 'Warranty']],
];

describe('the search index', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });

  const index = (sources: Source[]) => indexed(alice, partner, sources);

  describe('of a small collection', () => {
    let shop: Index;

    beforeAll(async () => {
      shop = await index(COLLECTION);
    });

    it.each(QUESTIONS)(
      'ranks, with scores in the proportions of BM25: %s',
      async (question, words, titles) => {
        const results = await shop.ask(question);
        expect(results.map(({ title }) => title)).toEqual(titles);
        expect(bm25Proportions(results)).toEqual(rounded(ranking(COLLECTION, words)));
      },
    );

    it('does not depend on what else the service holds', async () => {
      const before = await shop.ask('refund warranty bicycle');
      await index(
        Array.from({ length: 20 }, (_, n) => ({
          title: `Refund ${n}`,
          text: `Foreign: refund, warranty and bicycle ${n}`,
        })),
      );
      const after = await shop.ask('refund warranty bicycle');
      expect(after).toEqual(before);
      expect(after.map(({ text }) => text).join()).not.toContain('Foreign');
    });

    it.each([
      '"refund times"',
      'refund" times',
      'refund AND times',
      'refund NOT times',
      'NOT refund OR NOT times',
      'refund -times',
      'refund + times',
      'refund* ^times',
      'title:refund text:times',
      '{title text}: refund times',
      "refund' times'; --",
      'refund & !times',
      'refund <-> times',
      '(refund | times):*A',
      'refund/times',
      'refund_times',
      'refund\u0000times',
      '¿Refund… TIMES?!',
    ])('reads no query language: %j', async (question) => {
      const words = question
        .toLowerCase()
        .replace(/[^a-z]+/g, ' ')
        .replace(/\b(and|or|a)\b/g, '');
      expect(bm25Proportions(await shop.ask(question))).toEqual(
        rounded(ranking(COLLECTION, words)),
      );
    });

    it('finds nothing for words that occur nowhere', async () => {
      expect(await shop.ask('zeppelin quartz')).toEqual([]);
    });
  });

  it('lets a title weigh more than a text', async () => {
    const sources = [
      { title: 'Penguins', text: 'Birds of the south that swim well' },
      { title: 'Birds', text: 'Penguins of the south that swim well' },
      { title: 'Fish', text: 'They swim well too, and penguins eat them' },
      { title: 'Bears', text: 'They live in the north' },
      { title: 'Whales', text: 'They live in every sea' },
    ];
    const south = await index(sources);
    const results = await south.ask('penguins');
    expect(results.map(({ title }) => title)).toEqual(['Penguins', 'Birds', 'Fish']);
    expect(bm25Proportions(results)).toEqual(rounded(ranking(sources, 'penguins')));
  });

  it('counts the headings of a passage as its words', async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(id);
    const mime_type = 'text/markdown';
    const text = '# Penguins\n\nBirds.\n\n## On ice\n\nThey slide.\n\n# Bears\n\nThey sleep.';
    await alice.addDocument(id, { title: 'Animals', text, mime_type });
    await alice.addDocument(id, { title: 'Plants', text: 'They grow.' });
    await alice.addDocument(id, { title: 'Stones', text: 'They lie.' });
    const passages = [
      { title: 'Animals', heading: 'Penguins', text: 'Birds.' },
      { title: 'Animals', heading: 'Penguins On ice', text: 'They slide.' },
      { title: 'Animals', heading: 'Bears', text: 'They sleep.' },
      { title: 'Plants', text: 'They grow.' },
      { title: 'Stones', text: 'They lie.' },
    ];
    const { results } = (await partner.query(secret, 'penguins slide')).body;
    const scores = bm25(passages, 'penguins slide');
    expect(bm25Proportions(results.map(({ text, score }) => ({ text, score })))).toEqual(
      rounded([
        { text: 'They slide.', score: Number(scores[1]) },
        { text: 'Birds.', score: Number(scores[0]) },
      ]),
    );
  });

  it('no longer finds a document from the moment its delete was answered', async () => {
    const shop = await index(COLLECTION);
    const question = 'return refund delivery bicycle warranty battery café gift photograph open';
    const titles = COLLECTION.map(({ title }) => title);
    expect((await shop.titles(question)).sort()).toEqual([...titles].sort());
    for (const [n, { id }] of shop.documents.entries()) {
      await alice.call('DELETE', `/documents/${id}`);
      expect((await shop.titles(question)).sort()).toEqual(titles.slice(n + 1).sort());
    }
  });

  it('scores after deletes as if what is left were all there ever was', async () => {
    const shop = await index(COLLECTION);
    for (const { id } of shop.documents.filter((_, n) => n % 3 === 0)) {
      await alice.call('DELETE', `/documents/${id}`);
    }
    const left = COLLECTION.filter((_, n) => n % 3 !== 0);
    await becomes(shop, left, 'refund days of the battery warranty and bicycle repair');
  });

  it('scores after replacements as if the old texts had never been', async () => {
    const sources = COLLECTION.map((source) => ({ ...source, external_id: source.title }));
    const shop = await index(sources);
    const replaced = sources.map((source, n) =>
      n % 2 === 0 ? source : { ...source, text: `Batteries and bicycles, in ${n} days.` },
    );
    for (const source of replaced.filter((_, n) => n % 2 !== 0)) {
      await alice.addDocument(shop.id, { ...source, on_duplicate: 'replace' });
    }
    await becomes(shop, replaced, 'refund days of the battery warranty and bicycle repair');
  });

  /** Statistics follow as the purge in the background does; what is found is right at once. */
  async function becomes(changed: Index, sources: Source[], question: string) {
    const expected = await (await index(sources)).ask(question);
    expect(expected.length).toBeGreaterThan(2);
    const isEqual = (results: typeof expected) =>
      results.length === expected.length &&
      results.every(({ text, score }, n) => {
        const other = expected[n];
        return other?.text === text && Math.abs(other.score - score) < 1e-6;
      });
    await eventually(async () => isEqual(await changed.ask(question)));
  }
});
