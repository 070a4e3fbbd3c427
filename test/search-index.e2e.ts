import { beforeAll, describe, expect, it } from '@jest/globals';
import { bm25 } from './support/bm25.js';
import { Client, type Document, outcome } from './support/client.js';
import { eventually } from './support/service.js';
import { newUserId, sharedService, type SharedService } from './support/shared-service.js';

interface Source {
  title: string;
  text: string;
  external_id?: string;
}

const COLLECTION: Source[] = [
  {
    title: 'Returns',
    text: 'Customers may return any order within 30 days of delivery. The refund is paid within five working days.',
  },
  {
    title: 'Refund times',
    text: 'A refund to a credit card takes up to ten days. Bank transfers are quicker.',
  },
  {
    title: 'Delivery',
    text: 'Parcels are delivered by bicycle within the city and by train everywhere else. Delivery to islands takes nine days.',
  },
  {
    title: 'Damaged goods',
    text: 'Send us a photograph of the damage. We deliver a replacement and collect the damaged order.',
  },
  {
    title: 'Gift cards',
    text: 'A gift card is valid for three years and cannot be exchanged for money.',
  },
  {
    title: 'Opening hours',
    text: 'The shop opens at nine and closes at six. On Sundays the café alone is open.',
  },
  {
    title: 'Bicycle repairs',
    text: 'Our mechanics repair bicycles of every make. A repair takes two days; brakes, gears and wheels are in stock.',
  },
  {
    title: 'Warranty',
    text: 'Frames carry a warranty of ten years, batteries one of two. Repairs under warranty are free of charge.',
  },
  {
    title: 'Batteries',
    text: 'Charge the battery indoors. A battery that is charged in frost is damaged and its warranty ends.',
  },
  {
    title: 'Careers',
    text: 'We are looking for mechanics who can repair electric bicycles, and for bakers.',
  },
  {
    title: 'The café',
    text: 'Coffee, crème brûlée and cake from our own bakery. Gift vouchers are sold at the counter.',
  },
  {
    title: 'Press',
    text: 'Photographs of the shop and of our bicycles may be printed free of charge.',
  },
];

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

  /** A knowledge base of its own with these documents, in this order. */
  async function index(sources: Source[]) {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(id);
    const documents: Document[] = [];
    for (const source of sources) documents.push(await alice.addDocument(id, source));
    const ask = async (question: string) => {
      const answer = await partner.query(secret, question, { top_k: 50 });
      expect(outcome(answer)).toBe('200');
      return answer.body.results.map(({ document_title, text, score }) => ({
        title: document_title,
        text,
        score,
      }));
    };
    return {
      id,
      documents,
      ask,
      titles: async (question: string) => (await ask(question)).map(({ title }) => title),
    };
  }

  type Index = Awaited<ReturnType<typeof index>>;

  /** What BM25 comes to on these passages, best first. */
  function ranking(sources: Source[], words: string) {
    const scores = bm25(sources, words);
    return sources
      .map(({ title, text }, position) => ({ title, text, score: Number(scores[position]) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score);
  }

  const rounded = (results: { title: string; text: string; score: number }[]) =>
    results.map((result) => ({ ...result, score: expect.closeTo(result.score, 3) }));

  describe('of a small collection', () => {
    let shop: Index;

    beforeAll(async () => {
      shop = await index(COLLECTION);
    });

    it.each(QUESTIONS)('ranks, with the scores of BM25: %s', async (question, words, titles) => {
      const results = await shop.ask(question);
      expect(results.map(({ title }) => title)).toEqual(titles);
      expect(results).toEqual(rounded(ranking(COLLECTION, words)));
    });

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
      expect(await shop.ask(question)).toEqual(rounded(ranking(COLLECTION, words)));
    });

    it('counts a word twice that is said twice', async () => {
      const [once] = await shop.ask('warranty');
      const [twice] = await shop.ask('warranty, warranty');
      expect(twice?.score).toBeCloseTo(2 * Number(once?.score), 3);
    });

    it('finds nothing for words that occur nowhere', async () => {
      expect(await shop.ask('zeppelin quartz')).toEqual([]);
    });
  });

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
    expect(results).toEqual(rounded(ranking(sources, 'penguins')));
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
    expect(results.map(({ text, score }) => ({ text, score }))).toEqual([
      { text: 'They slide.', score: expect.closeTo(Number(scores[1]), 3) },
      { text: 'Birds.', score: expect.closeTo(Number(scores[0]), 3) },
    ]);
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
