import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey, outcome } from '../../../test/support/client.js';
import { answers, ModelServer, says } from '../../../test/support/model-server.js';
import { Service } from '../../../test/support/service.js';
import { sql } from '../../../test/support/sql.js';
import { withPlugins } from '../../../test/support/requirement.js';

const QUESTION = 'How long may customers return an order?';
const TEXT = 'Customers may return any order within 30 days of delivery.';
/** The cost of one answer of the model, at the prices below. */
const ANSWER = { messages: 1, prompt_tokens: 42, completion_tokens: 7, cost: 0.000112 };
const WITHOUT_MODEL = { messages: 1, prompt_tokens: 0, completion_tokens: 0, cost: 0 };

type Figures = typeof ANSWER;
interface Costs {
  data: (Figures & Record<string, unknown>)[];
  has_more: boolean;
  totals: Figures;
}

let model: ModelServer;
let service: Service;
let alice: Client;
let kbId: string;
let key: IssuedApiKey;

beforeAll(async () => {
  model = await ModelServer.start();
  service = await Service.start({
    ...model.environment,
    LLM_MODELS: 'free-model',
    LLM_PRICES: JSON.stringify({ 'test-model': { input: 1, output: 10 } }),
  });
  alice = new Client(service, 'alice');
});
beforeEach(async () => {
  model.behave = says('Within 30 days. [1]');
  kbId = (await alice.createKnowledgeBase()).id;
  key = await alice.createApiKey(kbId, { name: '=HYPERLINK("https://evil.example")' });
  await alice.addDocument(kbId, { title: 'Returns', text: TEXT });
});
afterAll(async () => {
  await service.stop();
  await model.stop();
});

const chat = (apiKey = key, more: object = {}) =>
  new Client(service).chat(apiKey.api_key, QUESTION, more);
const costs = async (search = '') => {
  const { status, body, text } = await alice.get<Costs>(`/kbs/${kbId}/costs?${search}`);
  if (status !== 200) throw new Error(text);
  return body;
};
const times = (count: number): Figures => ({
  messages: count,
  prompt_tokens: 42 * count,
  completion_tokens: 7 * count,
  cost: (112_000 * count) / 1_000_000_000,
});

describe('GET /kbs/{kb_id}/costs', () => {
  it('adds up answers by key, the most expensive first', async () => {
    const other = await alice.createApiKey(kbId, { name: 'Other', environment: 'test' });
    await chat();
    await chat(other);
    await chat(other);
    const rows = [
      { api_key_id: other.id, api_key_name: 'Other', ...times(2) },
      { api_key_id: key.id, api_key_name: key.name, ...ANSWER },
    ];
    expect(await costs()).toEqual({ data: rows, has_more: false, totals: times(3) });
    expect((await costs('group_by=api_key&environment=test')).data).toEqual([rows[0]]);
  });

  it('names a key of several knowledge bases in each', async () => {
    const main = await alice.createKnowledgeBase();
    const kbs = [{ kb_id: main.id }, { kb_id: kbId }];
    const shared = await alice.post<IssuedApiKey>('/api-keys', {
      ...{ name: 'Shared', environment: 'live', kbs },
    });
    await chat(shared.body);
    expect((await costs()).data).toMatchObject([
      { api_key_id: shared.body.id, api_key_name: 'Shared' },
    ]);
  });

  it('adds up answers by model, at the prices of their time', async () => {
    await chat();
    await alice.set(kbId, { model: 'free-model' });
    await chat();
    await alice.set(kbId, { model: 'extractive' });
    await chat();
    const { data, totals } = await costs('group_by=model');
    expect(data).toEqual([
      { model: 'test-model', ...ANSWER },
      { model: 'free-model', ...ANSWER, cost: 0 },
      { model: 'extractive', ...WITHOUT_MODEL },
    ]);
    expect(totals).toEqual({ ...times(2), messages: 3, cost: ANSWER.cost });
  });

  it('adds up answers by end user; nobody’s and those of erased ones are together', async () => {
    await chat();
    await chat(key, { end_user_id: 'ann' });
    await chat(key, { end_user_id: 'ann' });
    await chat(key, { end_user_id: 'bob' });
    expect((await costs('group_by=end_user')).data).toEqual([
      { end_user_id: 'ann', ...times(2) },
      { end_user_id: 'bob', ...ANSWER },
      { end_user_id: null, ...ANSWER },
    ]);
    await alice.call('DELETE', `/kbs/${kbId}/conversations?end_user_id=ann`);
    const { data, totals } = await costs('group_by=end_user');
    expect(data).toEqual([
      { end_user_id: 'bob', ...ANSWER },
      { end_user_id: null, ...times(3) },
    ]);
    expect(totals).toEqual(times(4));
  });

  it('leaves out small talk, searches, answers that fail and other times', async () => {
    await new Client(service).chat(key.api_key, 'Hello!');
    await new Client(service).query(key.api_key, QUESTION);
    model.behave = answers(400, {});
    expect(outcome(await chat())).toBe('502 model_unavailable');
    const none = { messages: 0, prompt_tokens: 0, completion_tokens: 0, cost: 0 };
    expect(await costs()).toEqual({ data: [], has_more: false, totals: none });
    model.behave = says('Within 30 days. [1]');
    await chat();
    await sql(
      service.environment,
      `UPDATE usage_members SET quarter = ${Date.parse('2026-03-28T23:45:00Z') / 900_000}
       WHERE kb_id = '${kbId}'`,
    );
    expect((await costs()).data).toEqual([]);
    // Already the next day in Berlin.
    const day = (date: string) => `from=${date}&to=2026-03-30&timezone=Europe/Berlin`;
    expect((await costs(day('2026-03-29'))).totals).toEqual(ANSWER);
    expect((await costs(`from=2026-03-29&to=2026-03-30`)).totals).toEqual(none);
  });

  it('is a table for a spreadsheet, in which no name is a formula', async () => {
    await chat(key, { end_user_id: '@SUM(1+1)' });
    await chat(key, { end_user_id: 'a,"b"' });
    const csv = async (group: string) => {
      const response = await fetch(`${service.url}/api/v1/kbs/${kbId}/costs?group_by=${group}`, {
        headers: { 'x-idp-user-id': 'alice', accept: 'text/csv' },
      });
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      return response.text();
    };
    const figures = 'messages,prompt_tokens,completion_tokens,cost';
    expect(await csv('api_key')).toBe(
      `api_key_id,api_key_name,${figures}\r\n` +
        `${key.id},"'=HYPERLINK(""https://evil.example"")",2,84,14,0.000224\r\n`,
    );
    const lines = (await csv('end_user')).split('\r\n').sort();
    expect(lines).toEqual([
      '',
      `"a,""b""",1,42,7,0.000112`,
      `'@SUM(1+1),1,42,7,0.000112`,
      `end_user_id,${figures}`,
    ]);
    expect(await csv('model')).toBe(`model,${figures}\r\ntest-model,2,84,14,0.000224\r\n`);
  });

  it('is for members, in the form that it has', async () => {
    const path = `/kbs/${kbId}/costs`;
    expect(outcome(await new Client(service, 'mallory').get(path))).toBe('404 not_found');
    expect(outcome(await new Client(service).get(path))).toBe(
      '401 dashboard_authentication_required',
    );
    for (const search of [
      'group_by=owner',
      'from=yesterday',
      'timezone=Mars',
      'since=2026-01-01',
    ]) {
      expect(outcome(await alice.get(`${path}?${search}`))).toBe('400 validation_failed');
    }
  });

  withPlugins('service-accounts').it('is open to management keys, by scope', async () => {
    const { id } = await alice.createServiceAccount(kbId);
    const path = `/kbs/${kbId}/costs`;
    const by = async (scope: string) => {
      const { api_key: secret } = await alice.createManagementKey(id, [scope]);
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(`${service.url}/api/v1${path}`, { headers })).status;
    };
    expect([await by('analytics:read'), await by('keys:read')]).toEqual([200, 403]);
  });
});
