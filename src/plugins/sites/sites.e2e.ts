import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type ChatAnswer, Client, outcome } from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import { sendRaw } from '../../../test/support/raw-request.js';
import { type Challenge, solveChallenge } from '../../../test/support/solve-challenge.js';

interface Site {
  id: string;
  name: string;
  state: string;
  origins: string[];
  daily_messages: number;
  messages_today: number;
}

interface Visit {
  client_token: string;
  expires_at: string;
}

const ORIGIN = 'https://shop.example.com';
const QUESTION = 'How long may customers return an order?';

describe('a site', () => {
  let alice: Client;
  let visitor: Client;
  let onSecond: Client;
  let kbId: string;
  let serviceUrl: string;

  beforeAll(async () => {
    const furnished = await furnish();
    ({ alice, kbId } = furnished);
    serviceUrl = furnished.service.url;
    visitor = furnished.partner;
    onSecond = new Client(furnished.second);
    await alice.addDocument(kbId, {
      title: 'Returns',
      text: 'Customers may return an order within 30 days.',
    });
    await alice.addDocument(kbId, {
      title: 'Returns of employees',
      text: 'Employees may return an order within 90 days.',
      access: { allow: ['group:staff'], deny: [] },
    });
  });

  const create = async (more: object = {}) => {
    const body = { name: 'Help centre', origins: [ORIGIN], proof_of_work: 8, ...more };
    return (await alice.post<Site>(`/kbs/${kbId}/sites`, body)).body;
  };
  const solve = async ({ id }: Site) =>
    solveChallenge((await visitor.get<Challenge>(`/sites/${id}/challenge`)).body);
  const visit = (site: Site, body: object, origin = ORIGIN, client = visitor) =>
    client.post<Visit>(`/sites/${site.id}/visitors`, body, { origin });
  const begin = async (site: Site, origin = ORIGIN) =>
    (await visit(site, { altcha: await solve(site) }, origin)).body.client_token;
  const ask = (token: string, origin: string | undefined = ORIGIN, client = visitor) =>
    client.post<ChatAnswer>(
      '/chat',
      { message: QUESTION },
      { authorization: `Bearer ${token}`, ...(origin && { origin }) },
    );
  const isAnswered = (answer: Answer<ChatAnswer>) => [answer.status, answer.body.answered];

  it('lets the visitors of its pages ask without a key', async () => {
    const site = await create();
    const token = await begin(site);
    const answer = await ask(token);
    expect(isAnswered(answer)).toEqual([200, true]);
    expect(answer.body.answer).toContain('30 days');
    expect(isAnswered(await ask(token, ORIGIN, onSecond))).toEqual([200, true]);
  });

  it('answers from what everybody may read', async () => {
    const { body } = await ask(await begin(await create()));
    expect(body.sources.map((source) => source.document_title)).toEqual(['Returns']);
  });

  it.each([
    ['another page', 'https://copied.example.com'],
    ['no page', undefined],
    ['a page without a name', 'null'],
  ])('is of no use to %s', async (_, origin) => {
    const site = await create();
    const altcha = await solve(site);
    const headers: Record<string, string> = origin === undefined ? {} : { origin };
    const begun = await visitor.post(`/sites/${site.id}/visitors`, { altcha }, headers);
    expect(outcome(begun)).toBe('403 origin_not_allowed');
    const token = await begin(site);
    const asked = await visitor.post(
      '/chat',
      { message: QUESTION },
      { authorization: `Bearer ${token}`, ...headers },
    );
    expect(outcome(asked)).toBe('403 origin_not_allowed');
  });

  it('asks for work, once for each visit', async () => {
    const site = await create();
    const other = await create();
    const altcha = await solve(site);
    expect(outcome(await visit(site, {}))).toBe('403 invalid_solution');
    expect(outcome(await visit(other, { altcha }))).toBe('403 invalid_solution');
    expect(outcome(await visit(site, { altcha }))).toBe('201');
    expect(outcome(await visit(site, { altcha }))).toBe('403 invalid_solution');
    expect(outcome(await visit(site, { altcha }, ORIGIN, onSecond))).toBe('403 invalid_solution');
  });

  it.each<[string, (solution: Record<string, unknown>) => unknown]>([
    ['a guess', (solution) => ({ ...solution, number: Number(solution['number']) + 1 })],
    ['another salt', (solution) => ({ ...solution, salt: `${String(solution['salt'])}0` })],
    ['no signature', ({ signature: _, ...solution }) => solution],
    ['a list', () => []],
    ['nothing', () => null],
  ])('takes no solution that is %s', async (_, change) => {
    const site = await create();
    const solution = JSON.parse(Buffer.from(await solve(site), 'base64').toString()) as Record<
      string,
      unknown
    >;
    const altcha = Buffer.from(JSON.stringify(change(solution))).toString('base64');
    expect(outcome(await visit(site, { altcha }))).toBe('403 invalid_solution');
    expect(outcome(await visit(site, { altcha: '%%%' }))).toBe('403 invalid_solution');
  });

  it('takes no solution whose salt and number are cut elsewhere', async () => {
    const site = await create();
    // The hash is the same, and the challenge would expire centuries later.
    let spliced: object | undefined;
    while (!spliced) {
      const solution = JSON.parse(Buffer.from(await solve(site), 'base64').toString()) as {
        salt: string;
        number: number;
      };
      const [first = '', ...rest] = String(solution.number);
      const number = Number(rest.join(''));
      if (String(number) !== rest.join('')) continue;
      spliced = { ...solution, salt: `${solution.salt}${first}`, number };
    }
    const altcha = Buffer.from(JSON.stringify(spliced)).toString('base64');
    expect(outcome(await visit(site, { altcha }))).toBe('403 invalid_solution');
  });

  it.each([
    ['POST', '/query', { message: QUESTION }],
    ['GET', '/key', undefined],
    ['POST', '/client-tokens', { end_user_id: 'anna' }],
    ['GET', '/ingest/documents', undefined],
    ['POST', '/../../v1/chat/completions', { model: 'latchkey', messages: [] }],
    ['POST', '/../../v1/responses', { model: 'latchkey', input: QUESTION }],
    ['POST', '/../../mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ])('opens nothing but the chat: not %s %s', async (method, path, body) => {
    const token = await begin(await create());
    const accept = 'application/json, text/event-stream';
    const headers = { authorization: `Bearer ${token}`, origin: ORIGIN, accept };
    const { status } = await visitor.call(method, path, body, headers);
    // Some doors are those of plugins, which may not run.
    expect([401, 403, 404]).toContain(status);
  });

  it('has a page of its own, also where the knowledge base lists other origins', async () => {
    const site = await create();
    const { origin } = new URL(serviceUrl);
    await alice.call('PATCH', `/kbs/${kbId}/settings`, { allowed_origins: [ORIGIN] });
    const token = await begin(site, origin);
    expect(outcome(await ask(token, origin))).toBe('200');
    expect(outcome(await ask(token, 'https://copied.example.com'))).toBe('403 origin_not_allowed');
    const { status } = await alice.post(`/kbs/${kbId}/sites`, { name: 'X', origins: [origin] });
    expect(status).toBe(400);
    await alice.call('PATCH', `/kbs/${kbId}/settings`, { allowed_origins: null });
  });

  it('is of no use to a page whose program has called itself the service', async () => {
    const site = await create();
    const altcha = await solve(site);
    const forged = { host: 'evil.example', origin: 'http://evil.example' };
    const begun = await sendRaw(
      { url: serviceUrl },
      `POST /api/v1/sites/${site.id}/visitors`,
      [`Host: ${forged.host}`, `Origin: ${forged.origin}`, 'Content-Type: application/json'],
      JSON.stringify({ altcha }),
    );
    expect(begun.status).toBe(201);
    const { client_token: token } = begun.body as unknown as Visit;
    expect(outcome(await ask(token, forged.origin))).toBe('403 origin_not_allowed');
  });

  it('tells the questions of today, also where they are more than it may answer now', async () => {
    const site = await create();
    const token = await begin(site);
    await ask(token);
    await ask(token);
    const { body } = await alice.call<Site>('PATCH', `/sites/${site.id}`, { daily_messages: 1 });
    expect(body).toMatchObject({ daily_messages: 1, messages_today: 2 });
    expect(outcome(await ask(token))).toBe('429 budget_reached');
  });

  it('may ask for no work', async () => {
    expect(outcome(await visit(await create({ proof_of_work: 0 }), {}))).toBe('201');
  });

  it('is paused at the next request, and goes on', async () => {
    const site = await create();
    const token = await begin(site);
    expect(outcome(await ask(token))).toBe('200');
    await alice.call('PATCH', `/sites/${site.id}`, { state: 'paused' });
    for (const client of [visitor, onSecond]) {
      expect(outcome(await ask(token, ORIGIN, client))).toBe('403 site_paused');
    }
    expect(outcome(await visit(site, { altcha: await solve(site) }))).toBe('403 site_paused');
    await alice.call('PATCH', `/sites/${site.id}`, { state: 'active' });
    expect(outcome(await ask(token))).toBe('200');
  });

  it('ends with its deletion', async () => {
    const site = await create();
    const token = await begin(site);
    await alice.call('DELETE', `/sites/${site.id}`);
    expect(outcome(await ask(token))).toBe('401 invalid_api_key');
    expect(outcome(await visitor.get(`/sites/${site.id}/challenge`))).toBe('404 not_found');
    expect(outcome(await alice.get(`/sites/${site.id}`))).toBe('404 not_found');
  });

  it('answers exactly its questions of a day, whoever asks at once', async () => {
    const site = await create({ daily_messages: 5, per_visitor_per_minute: 100 });
    const tokens = [await begin(site), await begin(site)];
    const asked = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        ask(tokens[index % 2] ?? '', ORIGIN, index % 3 ? visitor : onSecond),
      ),
    );
    const outcomes = asked.map(outcome).sort();
    expect(outcomes.filter((one) => one === '200')).toHaveLength(5);
    expect(new Set(outcomes)).toEqual(new Set(['200', '429 budget_reached']));
    const { body } = await alice.get<Site>(`/sites/${site.id}`);
    expect(body).toMatchObject({ daily_messages: 5, messages_today: 5 });
  });

  it('tells where a conversation was asked', async () => {
    const site = await create();
    const { body } = await ask(await begin(site));
    await ask(await begin(await create()));
    const asked_at = { site_id: site.id };
    const id = body.conversation_id;
    expect((await alice.get(`/conversations/${id}`)).body).toMatchObject({ asked_at });
    const list = await alice.get<{ data: unknown[] }>(
      `/kbs/${kbId}/conversations?asked_at=${site.id}`,
    );
    expect(list.body.data).toEqual([expect.objectContaining({ id, asked_at })]);
    await alice.call('DELETE', `/sites/${site.id}`);
    expect((await alice.get(`/conversations/${id}`)).body).toMatchObject({ asked_at });
  });

  it('limits each visitor', async () => {
    const site = await create({ per_visitor_per_minute: 2 });
    const [one, other] = [await begin(site), await begin(site)];
    const outcomes = [];
    for (const token of [one, one, one, other]) outcomes.push(outcome(await ask(token)));
    expect(outcomes).toEqual(['200', '200', '429 rate_limited', '200']);
  });

  it('shows a visitor nothing of other visitors', async () => {
    const site = await create();
    const [one, other] = [await begin(site), await begin(site)];
    const { body } = await ask(one);
    const headers = { authorization: `Bearer ${other}`, origin: ORIGIN };
    const conversation = { conversation_id: body.conversation_id };
    const asked = await visitor.post('/chat', { message: QUESTION, ...conversation }, headers);
    expect(outcome(asked)).toBe('404 not_found');
    const rate = (token: string) =>
      visitor.post(
        `/messages/${body.message_id}/feedback`,
        { rating: 'up' },
        { ...headers, authorization: `Bearer ${token}` },
      );
    expect(outcome(await rate(other))).toBe('404 not_found');
    expect(outcome(await rate(one))).toBe('200');
  });

  it('goes on with a visit, with the token that the visitor had', async () => {
    const site = await create();
    const token = await begin(site);
    const { body } = await ask(token);
    const next = await visit(site, { altcha: await solve(site), client_token: token });
    const asked = await visitor.post<ChatAnswer>(
      '/chat',
      { message: QUESTION, conversation_id: body.conversation_id },
      { authorization: `Bearer ${next.body.client_token}`, origin: ORIGIN },
    );
    expect(asked.body.conversation_id).toBe(body.conversation_id);
  });

  it('is no key among the keys', async () => {
    const site = await create();
    await begin(site);
    const { body } = await alice.get<{ data: { name: string }[] }>(`/kbs/${kbId}/api-keys`);
    expect(body.data).toEqual([]);
  });

  it.each([
    ['no origins', { origins: [] }],
    ['an origin with a path', { origins: ['https://shop.example.com/'] }],
    ['an origin for many', { origins: ['https://*.example.com'] }],
    ['an origin that is a policy', { origins: ['https://a;script-src-elem'] }],
    ['an origin of files', { origins: ['ftp://a.example.com'] }],
    ['an accent that is no colour', { theme: { accent: 'red;}' } }],
    ['six suggestions', { suggestions: Array.from({ length: 6 }, () => 'Why?') }],
    ['a script to talk to', { contact_url: 'javascript:alert(1)' }],
    ['too much work', { proof_of_work: 40 }],
    ['no messages', { daily_messages: 0 }],
  ])('is refused with %s', async (_, more) => {
    const body = { name: 'Help', origins: [ORIGIN], ...more };
    const refused = await alice.post(`/kbs/${kbId}/sites`, body);
    expect(outcome(refused)).toBe('400 validation_failed');
  });
});
