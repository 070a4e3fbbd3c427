import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ATTACK_TEST_MS, expectUnnoticed } from '../support/attack.js';
import { atOnce, Client, type Document, type Page } from '../support/client.js';
import { eventually, Service } from '../support/service.js';

const WORDS = Array.from({ length: 128 }, (_, n) => `word${n}`);
const QUESTION = WORDS.join(' ');
/** No document matches it. */
const FILTER = { type: 'eq', key: 'kind', value: 'none' };
const DOCUMENTS = 20;
const PASSAGES = 1000;
const LEAVE_AFTER_MS = 300;
const INDEXING_MS = 600_000;

/** Twenty of the words in each small passage, so that each word is in thousands. */
const text = (document: number): string =>
  Array.from({ length: PASSAGES }, (_, passage) => {
    const words = Array.from(
      { length: 20 },
      (_, n) => WORDS[(passage * 7 + n * 13 + document) % 128],
    );
    return `# ${document} ${passage}\n\n${words.join(' ')}`;
  }).join('\n\n');

describe('heavy questions to a large knowledge base', () => {
  let service: Service;
  let secret: string;

  beforeAll(async () => {
    service = await Service.start({ LOG_LEVEL: 'error' });
    const mallory = new Client(service, 'mallory');
    const { id } = await mallory.createKnowledgeBase();
    for (let n = 0; n < DOCUMENTS; n++) {
      const document = { title: `Part ${n}`, text: text(n), mime_type: 'text/markdown' };
      expect((await mallory.post(`/kbs/${id}/documents`, document)).status).toBe(202);
    }
    await eventually(async () => {
      const ready = `/kbs/${id}/documents?status=ready&limit=1`;
      return (await mallory.get<Page<Document>>(ready)).body.total === DOCUMENTS;
    }, INDEXING_MS);
    const key = await mallory.createApiKey(id, { rate_limit_per_minute: 1_000_000 });
    secret = key.api_key;
  }, INDEXING_MS);

  afterAll(() => service.stop());

  /** @returns the status; undefined when the client has left before */
  const ask = async (signal: AbortSignal, more: object): Promise<number | undefined> => {
    const response = await fetch(`${service.url}/api/v1/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: secret, message: QUESTION, ...more }),
      signal,
    }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    return response?.status;
  };

  it(
    'whose clients leave hold up nobody',
    () =>
      expectUnnoticed(service, 'four heavy questions, their clients gone after 0.3 s', (signal) =>
        atOnce(4, () => {
          const leaving = AbortSignal.any([signal, AbortSignal.timeout(LEAVE_AFTER_MS)]);
          return ask(leaving, { filter: FILTER });
        }),
      ),
    ATTACK_TEST_MS,
  );

  it.each([
    ['with a filter', { filter: FILTER }],
    ['without a filter', { top_k: 50 }],
  ])(
    'that come twelve at once hold up nobody and are no fault of the service: %s',
    async (kind, more) => {
      const statuses = new Set<number | undefined>();
      await expectUnnoticed(service, `twelve heavy questions at once ${kind}`, async (signal) => {
        for (const status of await atOnce(12, () => ask(signal, more))) statuses.add(status);
      });
      statuses.delete(undefined);
      expect([...statuses]).toEqual([200]);
    },
    ATTACK_TEST_MS,
  );
});
