import { beforeAll, expect, it } from '@jest/globals';
import { type AuditEvent, Client, type Page } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');

const DEFAULTS = {
  system_prompt: null,
  temperature: null,
  model: null,
  top_k: 5,
  min_score: null,
  answer_threshold: null,
  refusal_text: null,
  greeting: null,
  history_messages: 10,
  chunk_size: 300,
  chunk_overlap: 30,
  default_access: 'members',
  originals: 'members',
  ocr: 'auto',
  ocr_max_pages: 500,
  rate_limit_per_minute: 6000,
  rate_limit_per_end_user: null,
  budget_per_end_user: null,
  daily_message_limit: null,
  allowed_origins: null,
  retention_days: null,
  version_retention_days: 0,
  version_limit: 20,
  fallback_to_extractive: false,
  key_max_age_days: null,
  legal_hold: false,
};

const OTHERS = {
  system_prompt: 'Answer in French. 🇫🇷',
  temperature: 0.5,
  model: 'extractive',
  top_k: 9,
  min_score: -1.5,
  answer_threshold: 0.6,
  refusal_text: 'Ask us by mail.',
  greeting: { en: 'Hello!', de: 'Hallo!', 'pt-BR': 'Olá!' },
  history_messages: 0,
  chunk_size: 100,
  chunk_overlap: 0,
  default_access: 'closed',
  originals: 'readers',
  ocr: 'off',
  ocr_max_pages: 20,
  rate_limit_per_minute: 1_000_000,
  rate_limit_per_end_user: 1_000_000,
  budget_per_end_user: { cost: 0.5, period: 'month', soft: 0.8 },
  daily_message_limit: 0,
  allowed_origins: ['https://shop.example.com', 'http://127.0.0.1:8080'],
  retention_days: 30,
  version_retention_days: 90,
  version_limit: 5,
  fallback_to_extractive: true,
  key_max_age_days: 90,
  legal_hold: true,
};

let service: SharedService;
let alice: Client;

beforeAll(async () => {
  service = await sharedService();
  alice = new Client(service, ALICE);
});
it('shows every setting, set or by default', async () => {
  const { id } = await alice.createKnowledgeBase();
  expect((await alice.get(`/kbs/${id}/settings`)).body).toEqual(DEFAULTS);
});

it('changes what is named, keeps the rest and answers with the whole', async () => {
  const { id } = await alice.createKnowledgeBase();
  const all = await alice.call('PATCH', `/kbs/${id}/settings`, OTHERS);
  expect([all.status, all.body]).toEqual([200, OTHERS]);
  const one = await alice.call('PATCH', `/kbs/${id}/settings`, { top_k: 3 });
  expect(one.body).toEqual({ ...OTHERS, top_k: 3 });
  expect((await alice.get(`/kbs/${id}/settings`)).body).toEqual({ ...OTHERS, top_k: 3 });
  expect((await alice.call('PATCH', `/kbs/${id}/settings`, {})).body).toEqual(one.body);
});

it('brings back a default by null', async () => {
  const { id } = await alice.createKnowledgeBase();
  await alice.call('PATCH', `/kbs/${id}/settings`, OTHERS);
  const nothing = Object.fromEntries(Object.keys(OTHERS).map((name) => [name, null]));
  expect((await alice.call('PATCH', `/kbs/${id}/settings`, nothing)).body).toEqual(DEFAULTS);
});

it.each([
  ['an unknown setting', { colour: 'red' }, 'colour'],
  ['an empty refusal', { refusal_text: '' }, 'refusal_text'],
  ['a refusal in no language', { refusal_text: {} }, 'refusal_text'],
  ['a refusal in an unknown language', { refusal_text: { German: 'Nein.' } }, 'refusal_text'],
  ['a greeting that is no text', { greeting: { de: 1 } }, 'greeting'],
  ['a list of greetings', { greeting: ['Hi'] }, 'greeting'],
  ['a temperature above 2', { temperature: 2.1 }, 'temperature'],
  ['no passages at all', { top_k: 0 }, 'top_k'],
  ['too many passages', { top_k: 51 }, 'top_k'],
  ['half a passage', { top_k: 2.5 }, 'top_k'],
  ['a number in words', { history_messages: '3' }, 'history_messages'],
  ['an origin with a path', { allowed_origins: ['https://a.example/x'] }, 'allowed_origins'],
  [
    'an origin no host name is long enough for',
    { allowed_origins: [`https://${'a'.repeat(300)}`] },
    'allowed_origins',
  ],
  ['origins that are no list', { allowed_origins: 'https://a.example' }, 'allowed_origins'],
  ['a limit of 0 per minute', { rate_limit_per_minute: 0 }, 'rate_limit_per_minute'],
  ['a fallback in words', { fallback_to_extractive: 'yes' }, 'fallback_to_extractive'],
  ['a retention of no days', { retention_days: 0 }, 'retention_days'],
  ['more overlap than half a passage', { chunk_size: 40, chunk_overlap: 20 }, 'chunk_overlap'],
  ['a passage too small for the overlap there is', { chunk_size: 60 }, 'chunk_overlap'],
])('refuses %s and changes nothing', async (_, change, field) => {
  const { id } = await alice.createKnowledgeBase();
  const { status, body } = await alice.call('PATCH', `/kbs/${id}/settings`, {
    ...change,
    system_prompt: 'Never kept',
  });
  expect([status, body.code, body.errors?.map((error) => error.field)]).toEqual([
    400,
    'validation_failed',
    [field],
  ]);
  expect((await alice.get(`/kbs/${id}/settings`)).body).toEqual(DEFAULTS);
});

it('keeps both of two changes made at once', async () => {
  const { id } = await alice.createKnowledgeBase();
  await Promise.all([
    alice.call('PATCH', `/kbs/${id}/settings`, { top_k: 7 }),
    alice.call('PATCH', `/kbs/${id}/settings`, { retention_days: 7 }),
  ]);
  expect((await alice.get(`/kbs/${id}/settings`)).body).toEqual({
    ...DEFAULTS,
    top_k: 7,
    retention_days: 7,
  });
});

it('says in the audit events which settings were changed', async () => {
  const { id } = await alice.createKnowledgeBase();
  await alice.call('PATCH', `/kbs/${id}/settings`, { top_k: 7, model: null });
  const { data } = (await alice.get<Page<AuditEvent>>(`/kbs/${id}/audit-events`)).body;
  expect(data[0]).toMatchObject({
    actor: ALICE,
    action: 'settings.updated',
    target_id: id,
    details: { fields: ['model', 'top_k'] },
  });
});
