import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from '../support/client.js';
import { Service } from '../support/service.js';

const SHOP = 'https://shop.example.com';
const DASHBOARD = 'https://dashboard.example.com';
const OTHERS = [
  'https://evil.example',
  'https://shop.example.com.evil.example',
  'https://shop.example.com:444',
  'http://shop.example.com',
  'https://SHOP.example.com',
  'null',
];

let service: Service;
let alice: Client;
let kbId: string;
let secret: string;

beforeAll(async () => {
  service = await Service.start({ DASHBOARD_ALLOWED_ORIGINS: DASHBOARD });
  alice = new Client(service, 'alice');
});
beforeEach(async () => {
  kbId = (await alice.createKnowledgeBase()).id;
  secret = (await alice.createApiKey(kbId)).api_key;
});
afterAll(() => service.stop());

const post = (path: string, body: object, origin: string) =>
  new Client(service).post(path, body, { origin });
const ask = (origin: string, more: object = {}, path = '/query') =>
  post(path, { api_key: secret, message: 'Anything?', ...more }, origin);
const allowed = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');
const preflight = (path: string, origin: string) =>
  fetch(`${service.url}/api/v1${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });

it('lets the pages of any origin ask where a knowledge base lists none', async () => {
  for (const origin of [SHOP, ...OTHERS]) {
    const answer = await ask(origin);
    expect([outcome(answer), allowed(answer)]).toEqual(['200', origin]);
    expect(answer.headers.get('vary')).toMatch(/origin/i);
  }
});

it('lets the pages of listed origins ask, and no others', async () => {
  await alice.set(kbId, { allowed_origins: [SHOP] });
  for (const path of ['/query', '/chat']) {
    const answer = await ask(SHOP, {}, path);
    expect([outcome(answer), allowed(answer)]).toEqual(['200', SHOP]);
    for (const origin of OTHERS) {
      const refusal = await ask(origin, {}, path);
      expect([outcome(refusal), allowed(refusal)]).toEqual(['403 origin_not_allowed', null]);
    }
  }
  const { body } = await alice.get<Page<unknown>>(`/kbs/${kbId}/conversations`);
  expect(body.total).toBe(1);
});

it('lets no browser ask where the list is empty, and every backend', async () => {
  await alice.set(kbId, { allowed_origins: [] });
  expect(outcome(await ask(SHOP))).toBe('403 origin_not_allowed');
  expect(outcome(await new Client(service).query(secret, 'Anything?'))).toBe('200');
  await alice.set(kbId, { allowed_origins: null });
  expect(outcome(await ask(SHOP))).toBe('200');
});

it('says nothing of origins to who has no valid key', async () => {
  await alice.set(kbId, { allowed_origins: [] });
  expect(outcome(await ask(SHOP, { api_key: 'nonsense' }))).toBe('401 invalid_api_key');
});

it('lets a listed page read errors and streams', async () => {
  await alice.set(kbId, { allowed_origins: [SHOP] });
  for (const more of [{ message: '' }, { api_key: 'nonsense' }, { api_key: undefined }]) {
    const refusal = await ask(SHOP, more, '/chat');
    expect(refusal.status).toBeGreaterThanOrEqual(400);
    expect(allowed(refusal)).toBe(SHOP);
  }
  const stream = await ask(SHOP, { stream: true }, '/chat');
  expect([stream.headers.get('content-type'), allowed(stream)]).toEqual([
    'text/event-stream',
    SHOP,
  ]);
  expect(stream.headers.get('access-control-expose-headers')).toMatch(/Retry-After/);
});

it.each(['/chat', '/query', '/messages/msg_01kafdp6ygf4rs4s2cr5cvzwkc/feedback'])(
  'lets the preflight to %s pass, whoever asks',
  async (path) => {
    for (const origin of [SHOP, ...OTHERS]) {
      const { status, headers } = await preflight(path, origin);
      expect([status, allowed({ headers })]).toEqual([204, origin]);
      expect(headers.get('access-control-allow-methods')).toBe('POST');
      expect(headers.get('access-control-allow-headers')).toBe('content-type');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  },
);

it('keeps the management endpoints to the pages of the dashboard', async () => {
  for (const path of ['/kbs', `/kbs/${kbId}/settings`, '/chat/more', '/leaked-api-keys']) {
    expect(allowed(await preflight(path, SHOP))).toBeNull();
    expect(allowed(await preflight(path, DASHBOARD))).toBe(DASHBOARD);
  }
  const answer = await alice.call('GET', '/kbs', undefined, { origin: SHOP });
  expect([outcome(answer), allowed(answer)]).toEqual(['200', null]);
});
