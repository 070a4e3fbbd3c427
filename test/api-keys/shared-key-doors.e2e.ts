import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, inTurns, type IssuedApiKey, outcome, type Page } from '../support/client.js';
import type { Answer } from '../support/answers.js';
import { furnish } from '../support/furnish.js';
import { repetitions } from '../support/repetitions.js';
import type { SharedService } from '../support/shared-service.js';

const QUESTION = 'How long may customers return an order?';
const ABSENT = 'kb_01kafdp6ygf4rs4s2cr5cvzwkc';

interface Found {
  readonly kb_id: string;
}

describe('a key for several knowledge bases, by every way in', () => {
  let service: SharedService;
  let elsewhere: Client;
  let alice: Client;
  let partner: Client;
  let shop: string;
  let lamps: string;
  let secret: string;

  beforeAll(async () => {
    const furnished = await furnish();
    ({ service, alice, partner, kbId: shop } = furnished);
    elsewhere = new Client(furnished.second);
    lamps = (await alice.createKnowledgeBase('Lamps')).id;
    const text = 'Customers may return an order within 30 days of delivery';
    await alice.addDocument(shop, { title: 'Returns', text: `${text}.` });
    await alice.addDocument(lamps, { title: 'Lamps', text: `${text}, and lamps within 60.` });
    secret = (await issue({})).api_key;
  });

  const issue = async (more: object) => {
    const kbs = [shop, lamps].map((kb_id) => ({ kb_id, ...more }));
    const answer = await alice.post<IssuedApiKey>('/api-keys', {
      name: 'Shared',
      environment: 'live',
      kbs,
    });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const call = <T>(path: string, body?: object): Promise<Answer<T>> =>
    partner.call<T>(body ? 'POST' : 'GET', `/../..${path}`, body, {
      ...bearer(secret),
      accept: 'application/json, text/event-stream',
    });
  const kbIdsOf = (found: readonly Found[]) => [...new Set(found.map(({ kb_id }) => kb_id))].sort();
  const both = () => [shop, lamps].sort();

  it('lists the knowledge bases as OpenAI’s models', async () => {
    const { body } = await call<{ data: { id: string }[] }>('/v1/models');
    expect(body.data.map(({ id }) => id)).toEqual(['latchkey', shop, lamps]);
    const complete = (more: object) =>
      call<{ sources: Found[] }>('/v1/chat/completions', {
        messages: [{ role: 'user', content: QUESTION }],
        ...more,
      });
    expect(kbIdsOf((await complete({ model: 'latchkey' })).body.sources)).toEqual(both());
    expect(kbIdsOf((await complete({ model: lamps })).body.sources)).toEqual([lamps]);
    const named = { model: 'latchkey', kb_ids: [shop] };
    expect(kbIdsOf((await complete(named)).body.sources)).toEqual([shop]);
    expect((await complete({ model: ABSENT })).status).toBe(404);
    expect((await complete({ model: 'latchkey', kb_ids: [ABSENT] })).status).toBe(404);
  });

  it('opens single ones as OpenAI’s vector stores and Dify’s knowledge', async () => {
    const titles = async (kbId: string) => {
      const store = await call<{ data?: { filename: string }[] }>(
        `/v1/vector_stores/${kbId}/search`,
        { query: QUESTION },
      );
      const dify = await call<{ records?: { title: string }[] }>('/dify/retrieval', {
        ...{ knowledge_id: kbId, query: QUESTION },
        retrieval_setting: { top_k: 5, score_threshold: 0 },
      });
      return [
        store.body.data?.map(({ filename }) => filename) ?? store.status,
        dify.body.records?.map(({ title }) => title) ?? dify.status,
      ];
    };
    expect(await titles(shop)).toEqual([['Returns'], ['Returns']]);
    expect(await titles(lamps)).toEqual([['Lamps'], ['Lamps']]);
    expect(await titles(ABSENT)).toEqual([404, 404]);
  });

  it('asks all, or the named ones, by MCP’s tools', async () => {
    const tool = async (name: string, input: object) => {
      const { text } = await call('/mcp', {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: input },
      });
      const [, json = ''] = /^data: (\{.*\})$/m.exec(text) ?? [];
      const { result } = JSON.parse(json) as {
        result: { isError?: boolean; structuredContent?: Record<string, Found[]> };
      };
      const { isError, structuredContent: content } = result;
      return isError ? 'refused' : kbIdsOf(content?.['results'] ?? content?.['sources'] ?? []);
    };
    expect(await tool('search', { query: QUESTION })).toEqual(both());
    expect(await tool('search', { query: QUESTION, kb_ids: [lamps] })).toEqual([lamps]);
    expect(await tool('ask', { question: QUESTION, kb_ids: [shop] })).toEqual([shop]);
    expect(await tool('search', { query: QUESTION, kb_ids: [ABSENT] })).toBe('refused');
  });

  it('links originals of the knowledge bases that allow readers', async () => {
    await alice.set(lamps, { originals: 'readers' });
    const { body } = await partner.call<{ results: (Found & { original_url?: string })[] }>(
      'POST',
      '/query',
      { message: QUESTION },
      bearer(secret),
    );
    const linked = body.results.filter(({ original_url: url }) => url !== undefined);
    expect(kbIdsOf(linked)).toEqual([lamps]);
    const response = await fetch(service.url + String(linked[0]?.original_url));
    expect(response.status).toBe(200);
  });

  it('writes documents to the named knowledge base', async () => {
    const key = await issue({ scopes: ['documents:read', 'documents:write'] });
    const put = (search: string) =>
      partner.call(
        'PUT',
        `/ingest/documents/a${search}`,
        { title: 'A', text: 'By key.' },
        bearer(key.api_key),
      );
    expect(outcome(await put(''))).toBe('400 validation_failed');
    expect(outcome(await put(`?kb_id=${ABSENT}`))).toBe('404 not_found');
    expect(outcome(await put(`?kb_id=${lamps}`))).toBe('202');
    const list = async (kbId: string) => {
      const path = `/ingest/documents?kb_id=${kbId}`;
      const answer = await partner.call<Page<{ external_id: string }>>(
        'GET',
        path,
        undefined,
        bearer(key.api_key),
      );
      return answer.body.data.map(({ external_id: id }) => id).filter((id) => id);
    };
    expect(await list(lamps)).toEqual(['a']);
    expect(await list(shop)).toEqual([]);
    await alice.call('DELETE', `/kbs/${lamps}/api-keys/${key.id}`);
    expect(outcome(await put(''))).toBe('202');
    expect(await list(shop)).toEqual(['a']);
  });

  it('ends in every process when a knowledge base is taken out', async () => {
    const late = await inTurns(repetitions(10, 1000), 5, async () => {
      const { id, api_key: key } = await issue({});
      const ask = (client: Client) => client.query(key, QUESTION, { kb_ids: [lamps] });
      expect(outcome(await ask(partner))).toBe('200');
      await alice.call('DELETE', `/kbs/${lamps}/api-keys/${id}`);
      const answers = await Promise.all([partner, elsewhere].map(ask));
      await alice.call('DELETE', `/api-keys/${id}`);
      return answers.map(outcome).filter((answer) => answer !== '404 not_found');
    });
    expect(late.flat()).toEqual([]);
  }, 900_000);

  it('ends too when the key is rotated at the same time', async () => {
    for (let index = 0; index < repetitions(5, 200); index++) {
      const key = await issue({});
      const [rotated] = await Promise.all([
        alice.post<IssuedApiKey>(`/api-keys/${key.id}/rotate`, {}),
        alice.call('DELETE', `/kbs/${lamps}/api-keys/${key.id}`),
      ]);
      for (const { api_key: each } of [key, rotated.body]) {
        const answer = await partner.query(each, QUESTION, { kb_ids: [lamps] });
        expect(outcome(answer)).toBe('404 not_found');
      }
      await alice.call('DELETE', `/api-keys/${key.id}`);
      await alice.call('DELETE', `/api-keys/${rotated.body.id}`);
    }
  });

  it('leaves no more than one owner’s knowledge base when both take theirs out at once', async () => {
    for (let index = 0; index < repetitions(5, 200); index++) {
      const { id, api_key: key } = await issue({});
      const answers = await Promise.all(
        [shop, lamps].map((kbId) => alice.call('DELETE', `/kbs/${kbId}/api-keys/${id}`)),
      );
      expect(answers.map(outcome)).toEqual(['200', '200']);
      expect(outcome(await partner.query(key, QUESTION))).toBe('401 api_key_revoked');
    }
  });
});
