import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, outcome, type Page, type Problem } from '../support/client.js';
import { uploadFile } from '../support/files.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

type Described = Document & { language: string | null; warnings: unknown[] };

const GERMAN = 'Kunden können jede Bestellung innerhalb von dreißig Tagen zurückgeben.';

describe('the language of a document', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const upload = (body: object) =>
    alice.post<Described & Problem>(`/kbs/${kbId}/documents`, {
      title: 'Rückgabe',
      external_id: 'returns',
      on_duplicate: 'replace',
      ...body,
    });
  const ready = async (id: string): Promise<Described> => {
    let document: Described | undefined;
    await eventually(async () => {
      document = (await alice.get<Described>(`/documents/${id}`)).body;
      return document.status === 'ready';
    });
    if (!document) throw new Error('unreachable');
    return document;
  };
  const languageOf = async (body: object) => (await ready((await upload(body)).body.id)).language;

  it.each([
    ['de', GERMAN],
    ['th', 'ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวันหลังจากได้รับสินค้า'],
    ['zh', '客户可以在收到订单后三十天内退货。退款将在五个工作日内支付。'],
    [null, '4711'],
  ])('is detected: %s', async (language, text) => {
    expect(await languageOf({ text })).toBe(language);
  });

  it('is the one that was given, in its usual form, from the upload on', async () => {
    const { status, body } = await upload({ text: `${GERMAN} 1`, language: 'EN-us' });
    expect([status, body.language, body.warnings]).toEqual([202, 'en-US', []]);
    await ready(body.id);
    await alice.post(`/documents/${body.id}/reindex`, {});
    expect((await ready(body.id)).language).toBe('en-US');
    const { data } = (await alice.get<Page<Described>>(`/kbs/${kbId}/documents`)).body;
    expect(data.map(({ language, warnings }) => [language, warnings])).toEqual([['en-US', []]]);
    // Replaced without one, it is detected again.
    expect(await languageOf({ text: `${GERMAN} 2`, language: null })).toBe('de');
  });

  it('is that in which its words are searched, also of the first documents of a knowledge base', async () => {
    const { id } = await alice.createKnowledgeBase();
    const text = 'Unsere Mitarbeiter sind freundlich und helfen jedem Kunden gern weiter.';
    const uploaded = await alice.post<Described>(`/kbs/${id}/documents`, { title: 'Wir', text });
    await ready(uploaded.body.id);
    const query = { message: 'Freundlichkeiten' };
    const { results } = (await alice.post<{ results: object[] }>(`/kbs/${id}/query`, query)).body;
    expect(results).toHaveLength(1);
  });

  it('comes with a file too', async () => {
    const file = { name: 'a.txt', bytes: Buffer.from(`${GERMAN} Datei`) };
    const answer = await uploadFile(alice, kbId, file, { language: 'gsw' });
    expect([answer.status, (answer.body as unknown as Described).language]).toEqual([202, 'gsw']);
  });

  it.each(['', 'xx', 'german', 'de_DE', 'de\0', 'x'.repeat(36), 7, ['de'], {}])(
    'is refused when it is no language tag: %j',
    async (language) => {
      const answer = await upload({ text: 'Never stored.', language });
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.body.errors?.map(({ field }) => field)).toEqual(['language']);
    },
  );

  it('cannot be changed without the content', async () => {
    const { id } = (await upload({ text: GERMAN })).body;
    const answer = await alice.call('PATCH', `/documents/${id}`, { language: 'en' });
    expect(outcome(answer)).toBe('400 validation_failed');
  });
});
