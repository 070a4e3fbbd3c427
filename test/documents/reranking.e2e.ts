import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LOOK_INTERVAL_MS } from '../../src/chat/answer-watch.js';
import { Client, outcome, type QueryAnswer } from '../support/client.js';
import { figure } from '../support/figure.js';
import { freePort } from '../support/postgres.mjs';
import { FAILURES, RELEVANT, RerankServer } from '../support/rerank-server.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const KEY = 'sk-reranker-0123456789abcdef';
const QUESTION = 'May customers return an order?';
/** In the order in which the search finds them by their words. */
const DOCUMENTS = [
  { title: 'Words', text: 'Customers may return an order. Customers return an order.' },
  {
    title: 'Silver',
    text: `Customers may return it, says the ${RELEVANT} card.`,
    metadata: { tier: 1 },
  },
  { title: 'Gold', text: `An order on the desk: ${RELEVANT}, ${RELEVANT}.`, metadata: { tier: 1 } },
];
const BY_WORDS = ['Words', 'Silver', 'Gold'];
const BY_RELEVANCE = ['Gold', 'Silver', 'Words'];

describe('search with a reranker', () => {
  let endpoint: RerankServer;
  let service: Service;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  const environment = (): NodeJS.ProcessEnv => ({
    RERANK_BASE_URL: endpoint.url,
    RERANK_MODEL: 'gold-digger',
    RERANK_API_KEY: KEY,
  });

  beforeAll(async () => {
    endpoint = await RerankServer.start();
    // Long enough for a busy machine.
    service = await Service.start({ ...environment(), RERANK_TIMEOUT_MS: '60000' });
    alice = new Client(service, 'alice');
    partner = new Client(service);
    ({ kbId, secret } = await knowledgeBase());
  });

  beforeEach(() => {
    endpoint.requests.length = 0;
    endpoint.failure = undefined;
    endpoint.form = 'documents';
  });

  afterAll(async () => {
    await service.stop();
    await endpoint.stop();
  });

  async function knowledgeBase(documents: readonly object[] = DOCUMENTS) {
    const { id } = await alice.createKnowledgeBase();
    await Promise.all(documents.map((document) => alice.addDocument(id, document)));
    return { kbId: id, secret: (await alice.createApiKey(id)).api_key };
  }

  const titlesOf = (rows: readonly { document_title: string }[]) =>
    rows.map(({ document_title: title }) => title);
  const ask = async (message: string, more: object = {}, client = partner, key = secret) => {
    const answer = await client.query(key, message, more);
    expect(outcome(answer)).toBe('200');
    return answer.body.results;
  };

  it('gives no answer from a document that is deleted while it is reranked', async () => {
    const { kbId: kb, secret: key } = await knowledgeBase();
    const text = 'Customers may return an order within 30 days.';
    const { id } = await alice.addDocument(kb, { title: 'Returns', text });
    const chat = () => partner.chat(key, 'How long may customers return an order?');
    expect((await chat()).text).toContain(id);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    endpoint.gate = promise;
    endpoint.credentials.clear();
    const late = chat();
    await eventually(() => endpoint.credentials.size > 0);
    endpoint.gate = Promise.resolve();
    expect(outcome(await alice.call('DELETE', `/documents/${id}`))).toBe('200');
    // An answer without a model is checked again only if it took longer.
    await setTimeout(LOOK_INTERVAL_MS);
    resolve(undefined);
    expect(outcome(await late)).toBe('409 access_changed');
  });

  it('orders passages by their relevance, and their scores with them', async () => {
    const results = await ask(QUESTION);
    expect(titlesOf(results)).toEqual(BY_RELEVANCE);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    expect(scores.at(-1)).toBeGreaterThan(0);
    const [request, ...more] = endpoint.requests;
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      path: '/v1/rerank',
      body: { model: 'gold-digger', query: QUESTION },
    });
    expect(request?.texts[0]).toBe(`${DOCUMENTS[0]?.title}\n${DOCUMENTS[0]?.text}`);
    expect([...endpoint.credentials]).toEqual([`Bearer ${KEY}`]);
  });

  it('does so wherever passages are searched', async () => {
    const dashboard = await alice.post<QueryAnswer>(`/kbs/${kbId}/query`, { message: QUESTION });
    expect(titlesOf(dashboard.body.results)).toEqual(BY_RELEVANCE);
    const { body: chat } = await partner.chat(secret, QUESTION);
    expect(titlesOf(chat.sources as unknown as QueryAnswer['results'])).toEqual(BY_RELEVANCE);
    const post = async <T>(path: string, body: object) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${secret}`,
      };
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const text = await (await fetch(service.url + path, request)).text();
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as T;
    };
    const tool = await post<{ result: { structuredContent: QueryAnswer } }>('/mcp', {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'search', arguments: { query: QUESTION } },
    });
    expect(titlesOf(tool.result.structuredContent.results)).toEqual(BY_RELEVANCE);
    const store = await post<{ data: { filename: string; score: number }[] }>(
      `/v1/vector_stores/${kbId}/search`,
      { query: QUESTION },
    );
    expect(store.data.map(({ filename }) => filename)).toEqual(BY_RELEVANCE);
    const dify = await post<{ records: { title: string }[] }>('/dify/retrieval', {
      ...{ knowledge_id: kbId, query: QUESTION },
      retrieval_setting: { top_k: 5, score_threshold: 0 },
    });
    expect(dify.records.map(({ title }) => title)).toEqual(BY_RELEVANCE);
    expect(endpoint.requests).toHaveLength(5);
  });

  it('shows it no document outside the filter of a key', async () => {
    const filter = { type: 'eq', key: 'tier', value: 1 };
    const { api_key: restricted } = await alice.createApiKey(kbId, { filter });
    expect(titlesOf(await ask(QUESTION, {}, partner, restricted))).toEqual(['Gold', 'Silver']);
    expect(endpoint.requests.flatMap(({ texts }) => texts)).toHaveLength(2);
  });

  it('does not ask it about a single passage', async () => {
    expect(await ask('desk')).toHaveLength(1);
    expect(endpoint.requests).toEqual([]);
  });

  it('reranks fifty passages, in either form of the request', async () => {
    const passages = Array.from(
      { length: 60 },
      (_, n) => `# Order ${n}\n\nOrder ${n} says ${'on '.repeat(n)}${n === 45 ? RELEVANT : 'on'}.`,
    );
    const { secret: key } = await knowledgeBase([
      { title: 'Orders', text: passages.join('\n\n'), mime_type: 'text/markdown' },
    ]);
    for (const form of ['documents', 'texts'] as const) {
      endpoint.form = form;
      endpoint.requests.length = 0;
      const results = await ask('order', { top_k: 3 }, partner, key);
      expect(results).toHaveLength(3);
      expect(results[0]?.text).toContain(RELEVANT);
      expect(endpoint.requests.flatMap(({ texts }) => texts)).toHaveLength(50);
    }
  });

  it('refuses what the documents do not answer, and nothing else, however they are ranked', async () => {
    const text = `${RELEVANT} customers. ${RELEVANT} orders.`;
    const returns = 'Customers may return any order within 30 days of delivery.';
    const { secret: key } = await knowledgeBase([
      { title: 'Returns', text: returns },
      { title: 'Noise', text },
    ]);
    const chat = async (message: string) =>
      (await partner.chat(key, message, { top_k: 1 })).body as { answered?: boolean };
    expect(await chat('Who is the king of customers in France?')).toMatchObject({
      answered: false,
    });
    const answer = await chat('Within how many days of delivery may customers return any order?');
    expect(answer).toMatchObject({ answered: true, sources: [{ document_title: 'Noise' }] });
  });

  it('keeps the order of the search while the reranker fails, counts that, and logs it once', async () => {
    const port = await freePort();
    const knowledgeBases = await Promise.all(Object.keys(FAILURES).map(() => knowledgeBase()));
    const other = await Service.start({
      ...service.environment,
      ...environment(),
      METRICS_PORT: String(port),
      LOG_LEVEL: 'warn',
      // Long enough for a request to arrive from a busy machine, and for a question to wait for.
      RERANK_TIMEOUT_MS: '2500',
    });
    try {
      for (const [index, failure] of Object.keys(FAILURES).entries()) {
        endpoint.failure = failure as keyof typeof FAILURES;
        const key = knowledgeBases[index]?.secret ?? '';
        const begun = performance.now();
        for (let count = 0; count < 2; count++) {
          const results = await ask(QUESTION, {}, new Client(other), key);
          expect([failure, ...titlesOf(results)]).toEqual([failure, ...BY_WORDS]);
        }
        const took = performance.now() - begun;
        figure(`two questions while the reranker fails by ${failure}: ${took.toFixed()} ms`);
        expect(took).toBeLessThan(STALLED_MS);
      }
      // After a failure it is left alone, by this knowledge base.
      expect(endpoint.requests).toHaveLength(Object.keys(FAILURES).length);
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const fallbacks = 2 * Object.keys(FAILURES).length;
      expect(metrics).toContain(`latchkey_rerank_fallbacks_total ${fallbacks}\n`);
      expect(metrics).toContain('latchkey_rerank_duration_seconds_count{status="failed"}');
      expect(other.logs.match(/stay in search order/g)).toHaveLength(1);
      expect(other.logs + service.logs).not.toContain(KEY);
    } finally {
      await other.stop();
    }
  });
});
