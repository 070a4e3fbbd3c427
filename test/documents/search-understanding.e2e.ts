import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

interface Source {
  title: string;
  text: string;
}

const CJK: Source[] = [
  { title: '产品', text: '我们提供知识库管理服务，支持全文检索。' },
  { title: '退货', text: '退货政策：顾客可以在三十天内退货。' },
  { title: 'サポート', text: '営業時間は平日の九時からです。検索エンジンの使い方もご案内します。' },
  { title: '규정', text: '환불은 영업일 기준 오일 이내에 처리됩니다.' },
  { title: 'Mixed', text: '本服务使用PostgreSQL数据库与HTTP接口。' },
  { title: 'English', text: 'Nothing of the kind is said here.' },
];

const SHOP: Source[] = [
  { title: 'Returns', text: 'Customers may return any order within thirty days of delivery.' },
  { title: 'Warranty', text: 'The manufacturer guarantees every frame, but no battery.' },
  { title: 'Wings', text: 'A bird spreads its wing before it flies.' },
  { title: 'Government', text: 'The government taxes parcels; governments elsewhere do not.' },
  { title: 'Governor', text: 'A governor limits how fast an engine runs.' },
  { title: 'Müller', text: 'Our bäckerei bakes pumpernickel on Mondays.' },
  { title: 'Москва', text: 'Мы отправляем посылки самолётом.' },
];

describe('a question', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });

  async function index(sources: Source[]) {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(id);
    const documents = [];
    for (const source of sources) documents.push(await alice.addDocument(id, source));
    const ask = async (message: string, more: object = {}) => {
      const answer = await partner.query(secret, message, more);
      expect(outcome(answer)).toBe('200');
      return answer.body.results;
    };
    const titles = async (message: string, more?: object) =>
      (await ask(message, more)).map(({ document_title }) => document_title);
    return { secret, documents, ask, titles };
  }

  type Index = Awaited<ReturnType<typeof index>>;

  describe('in a language without spaces', () => {
    let texts: Index;

    beforeAll(async () => {
      texts = await index(CJK);
    });

    it.each([
      ['知识', '产品'],
      ['管理', '产品'],
      ['知识管理', '产品'],
      ['知识库怎么管理？', '产品'],
      ['持', '产品'],
      ['退货', '退货'],
      ['政策', '退货'],
      ['検索', 'サポート'],
      ['エンジン', 'サポート'],
      ['時', 'サポート'],
      ['환불', '규정'],
      ['영업일에 환불', '규정'],
      ['数据库', 'Mixed'],
      ['postgresql', 'Mixed'],
      ['ＨＴＴＰ', 'Mixed'],
    ])('finds the word wherever it stands: %s', async (question, title) => {
      expect((await texts.titles(question))[0]).toBe(title);
    });

    it('finds nothing for characters that stand nowhere together', async () => {
      expect(await texts.titles('识知')).toEqual([]);
      expect(await texts.titles('猫')).toEqual([]);
    });

    it('is answered by /chat too', async () => {
      const { body } = await partner.chat(texts.secret, '退货政策');
      expect([body.answered, body.sources[0]?.index]).toEqual([true, 1]);
    });
  });

  describe('with a misspelt word', () => {
    let shop: Index;

    beforeAll(async () => {
      shop = await index(SHOP);
    });

    it.each([
      ['retrun', 'Returns'],
      ['custmers', 'Returns'],
      ['delivvery', 'Returns'],
      ['delivary', 'Returns'],
      ['elivery', 'Returns'],
      ['wnig', 'Wings'],
      ['bidr', 'Wings'],
      ['brid', 'Wings'],
      ['manufaturerr', 'Warranty'],
      ['guaranteees', 'Warranty'],
      ['govermnent', 'Government'],
      ['goverment', 'Government'],
      ['pumpernikel', 'Müller'],
      ['backerie', 'Müller'],
      ['посылик', 'Москва'],
    ])('finds what was meant: %s', async (question, title) => {
      expect(await shop.titles(question)).toEqual([title]);
    });

    it('takes a word that is known as it is written', async () => {
      expect(await shop.titles('governor')).toEqual(['Governor']);
      expect(await shop.titles('wing')).toEqual(['Wings']);
    });

    it.each(['xqzv', 'zzzzzzzz', 'qwertzuiop', 'bbbbb', '4711', 'ab', 'x'.repeat(8000)])(
      'finds nothing where nothing is like it: %s',
      async (question) => {
        expect(await shop.titles(question.slice(0, 8000))).toEqual([]);
      },
    );

    it('is not corrected by the words of another knowledge base', async () => {
      const other = await index([{ title: 'Secret', text: 'Project chrysanthemum is secret.' }]);
      expect(await shop.titles('chrysantemum')).toEqual([]);
      expect(await other.titles('chrysantemum')).toEqual(['Secret']);
    });

    it('is not corrected by words that were deleted', async () => {
      const shelf = await index([
        { title: 'One', text: 'The chrysanthemum stands left.' },
        { title: 'Two', text: 'The chrysanthemums stand right, beside the marigolds.' },
      ]);
      expect((await shelf.titles('chrysantemum')).sort()).toEqual(['One', 'Two']);
      for (const { id } of shelf.documents) await alice.call('DELETE', `/documents/${id}`);
      expect(await shelf.titles('chrysantemum')).toEqual([]);
    });
  });

  it('finds words that stand side by side before the same words apart', async () => {
    const texts = await index([
      { title: 'Apart', text: 'A station for trains, in space; orbiting stones are near it too.' },
      {
        title: 'Together',
        text: 'A train goes near; it has a space station, orbiting for stones.',
      },
      { title: 'Other', text: 'Trains and stones.' },
      { title: 'More', text: 'Nothing else.' },
    ]);
    expect((await texts.titles('space station'))[0]).toBe('Together');
  });

  it('is answered by different documents first where their scores are near', async () => {
    const { id } = await alice.createKnowledgeBase();
    await alice.set(id, { chunk_size: 20, chunk_overlap: 0 });
    const { api_key: secret } = await alice.createApiKey(id);
    const about = (rest: string) => `The heron of the wetland eats ${rest}, as one reads here.`;
    const foods = ['small green frogs', 'young brown eels', 'old grey voles', 'quick red newts'];
    const more = 'slow fish and mice and now and then a beetle';
    await alice.addDocument(id, { title: 'Long', text: foods.map(about).join('\n\n') });
    await alice.addDocument(id, { title: 'Short', text: about(more) });
    await alice.addDocument(id, { title: 'Far', text: 'A wetland is a meadow that is often wet.' });
    const ask = async (fields: object) => {
      const { body } = await partner.query(secret, 'What does the heron of the wetland eat?', {
        ...{ top_k: 3, ...fields },
      });
      const scores = body.results.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      return body.results.map(({ document_title }) => document_title);
    };
    expect(await ask({ diversity: 'none' })).toEqual(['Long', 'Long', 'Long']);
    expect(await ask({})).toEqual(['Long', 'Short', 'Long']);
    expect(await ask({ diversity: 'documents' })).toEqual(['Long', 'Short', 'Long']);
    const sources = async (diversity?: string) => {
      const { body } = await partner.chat(secret, 'What does the heron of the wetland eat?', {
        ...{ top_k: 2, diversity },
      });
      return body.sources.map(({ document_title }) => document_title);
    };
    expect(await sources()).toEqual(['Long', 'Short']);
    expect(await sources('none')).toEqual(['Long', 'Long']);
    expect(outcome(await partner.query(secret, 'Herons?', { diversity: 'some' }))).toBe(
      '400 validation_failed',
    );
  });

  describe('with many passages alike', () => {
    const sentence = (n: number) =>
      `Paragraph number ${n} explains how parcels travel by bicycle and by train through the city. `;
    const policy = Array.from({ length: 8 }, (_, n) => sentence(n)).join('');

    it('is answered with each text once, and top_k of them', async () => {
      const texts = await index([
        { title: 'Original', text: policy },
        { title: 'Copy', text: `  ${policy.replaceAll('. ', '.\n')}` },
        { title: 'One word more', text: `${policy}Finally.` },
        { title: 'Short', text: 'Bicycle parcels.' },
        { title: 'Other short', text: 'Bicycle parcels?' },
        { title: 'Different', text: 'Parcels are not carried by train, but by bicycle.' },
        { title: 'Last', text: 'In winter a bicycle is slower.' },
      ]);
      const all = await texts.ask('parcels by bicycle', { top_k: 50 });
      const titles = all.map(({ document_title }) => document_title);
      const alike = ['Original', 'Copy', 'One word more'];
      expect(titles.filter((title) => alike.includes(title))).toHaveLength(1);
      expect(titles.filter((title) => !alike.includes(title)).sort()).toEqual([
        'Different',
        'Last',
        'Other short',
        'Short',
      ]);
      expect(await texts.ask('parcels by bicycle', { top_k: 5 })).toEqual(all);
    });

    it('fills top_k behind more copies than are weighed at once', async () => {
      const { id } = await alice.createKnowledgeBase();
      const { api_key: secret } = await alice.createApiKey(id);
      const sections = Array.from({ length: 150 }, (_, n) => `# Part ${n}\n\nParcels by bicycle.`);
      await alice.addDocument(id, {
        title: 'Parcels by bicycle',
        text: sections.join('\n\n'),
        mime_type: 'text/markdown',
      });
      for (const n of [1, 2, 3]) {
        const text = `Number ${n} says in many more words than needed that there is a bicycle.`;
        await alice.addDocument(id, { title: `Note ${n}`, text });
      }
      const { body } = await partner.query(secret, 'parcels by bicycle', { top_k: 4 });
      expect(new Set(body.results.map(({ text }) => text)).size).toBe(4);
    });
  });
});
