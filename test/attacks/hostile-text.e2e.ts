import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ATTACK_TEST_MS, expectUnnoticed } from '../support/attack.js';
import { Client, type Document, outcome } from '../support/client.js';
import { eventually, Service } from '../support/service.js';

/** Indexing takes its time beside everything else; what is tested is what others notice of it. */
const INDEXING_MS = 120_000;

describe('others do not notice', () => {
  let service: Service;
  let mallory: Client;

  beforeAll(async () => {
    service = await Service.start({ SEARCH_TIMEOUT_MS: '2000' });
    mallory = new Client(service, 'mallory');
  });
  afterAll(() => service.stop());

  const indexed = async (id: string) => {
    let document: Document | undefined;
    await eventually(async () => {
      document = (await mallory.get<Document>(`/documents/${id}`)).body;
      return document.status === 'ready' || document.status === 'failed';
    }, INDEXING_MS);
    return document;
  };

  const add = async (kbId: string, text: string) => {
    const answer = await mallory.post<Document>(`/kbs/${kbId}/documents`, {
      title: 'Hostile',
      text,
      on_duplicate: 'replace',
    });
    expect(outcome(answer)).toBe('202');
    return answer.body.id;
  };

  it.each([
    ['runs of spaces', `returns ${' '.repeat(20_000)}x `],
    ['full stops and signs', 'returns '.padEnd(20_000, '.$')],
  ])(
    'an answer without a model from ten documents of %s',
    async (what, text) => {
      const { id } = await mallory.createKnowledgeBase();
      const { api_key: apiKey } = await mallory.createApiKey(id);
      for (let index = 0; index < 10; index++) {
        expect((await indexed(await add(id, `${index} ${text}`)))?.status).toBe('ready');
      }
      await expectUnnoticed(service, `/chat over ${what}`, async () => {
        const answer = await new Client(service).chat(apiKey, 'returns', { top_k: 10 });
        expect(outcome(answer)).toBe('200');
      });
    },
    ATTACK_TEST_MS,
  );

  it(
    'the indexing of a document of the most passages',
    async () => {
      const { id } = await mallory.createKnowledgeBase();
      await mallory.set(id, { chunk_size: 20, chunk_overlap: 0 });
      const text = 'a '.repeat(390_000);
      await expectUnnoticed(service, 'indexing of 19,500 passages', async () => {
        await indexed(await add(id, `${Math.random()} ${text}`));
      });
    },
    INDEXING_MS + ATTACK_TEST_MS,
  );
});
