import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from '../../../test/support/client.js';
import { callTool, Connecting, sentBack } from '../../../test/support/connecting.js';
import { freePort } from '../../../test/support/postgres.mjs';
import { withPlugins } from '../../../test/support/requirement.js';
import { Service } from '../../../test/support/service.js';
import { SignInProvider } from '../../../test/support/sign-in-provider.js';

const SECRET = 'the-secret-of-the-gateway-0123456789';

interface Key {
  readonly id: string;
  readonly name: string;
}

describe('a person whom the gateway knows', () => {
  let service: Service;
  let alice: Client;
  let shop: string;
  let foreign: string;

  const as = (id: string) => ({ 'x-idp-user-id': id, 'x-gateway-secret': SECRET });
  const client = (id: string) =>
    new (class extends Client {
      override call<T>(method: string, path: string, body?: unknown, headers = {}) {
        return super.call<T>(method, path, body, { ...as(id), ...headers });
      }
    })(service);

  beforeAll(async () => {
    service = await Service.start({
      ...{ DASHBOARD_AUTH_MODE: 'gateway', GATEWAY_SECRETS: SECRET },
      TRUSTED_PROXY_CIDRS: '127.0.0.1',
    });
    alice = client('alice');
    shop = (await alice.createKnowledgeBase('Shop')).id;
    foreign = (await client('bob').createKnowledgeBase('Foreign')).id;
    await alice.addDocument(shop, {
      title: 'Returns',
      text: 'Orders may be returned for 30 days.',
    });
  });
  afterAll(() => service.stop());

  async function open(person?: string) {
    const agent = await Connecting.register(service.url, { client_name: 'Claude' });
    if (person !== undefined) agent.headers = as(person);
    const page = await agent.open();
    return { agent, page, html: await page.clone().text() };
  }
  const choose = (agent: Connecting, page: Response, ...kbIds: string[]) =>
    agent.submit(page, {
      decision: 'choose',
      ...Object.fromEntries(kbIds.map((id) => [id, 'open'])),
    });
  const keys = async () => (await alice.get<Page<Key>>(`/kbs/${shop}/api-keys`)).body.data;

  it('chooses knowledge bases, and thereby makes a key with the name of the agent', async () => {
    const { agent, page, html } = await open('alice');
    expect(html).toContain('Shop');
    expect(html).not.toContain('Foreign');
    const code = sentBack(await choose(agent, page, shop))?.get('code') ?? '';
    const { body } = await agent.redeem(code);
    expect((await callTool(service.url, body.access_token)).text).toContain('Returns');
    const [key] = await keys();
    expect(key?.name).toBe('Claude');
    await alice.call('PATCH', `/api-keys/${key?.id ?? ''}/revoke`);
    expect((await callTool(service.url, body.access_token)).status).toBe(401);
  });

  it('loses it with the membership, and the key with the agent', async () => {
    const path = `/kbs/${shop}/members/carol`;
    expect((await alice.call('PUT', path, { role: 'member' })).status).toBeLessThan(300);
    const { agent, page } = await open('carol');
    const code = sentBack(await choose(agent, page, shop))?.get('code') ?? '';
    const { body } = await agent.redeem(code);
    const call = () => callTool(service.url, body.access_token);
    expect((await call()).status).toBe(200);
    expect(outcome(await alice.call('DELETE', path))).toBe('200');
    expect(await call()).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect((await agent.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('makes one key, however often the form is sent, which ends with the agent', async () => {
    const before = (await keys()).length;
    const { agent, page } = await open('alice');
    const answers = await Promise.all([1, 2, 3, 4].map(() => choose(agent, page, shop)));
    const codes = answers.flatMap((answer) => sentBack(answer)?.get('code') ?? []);
    expect(codes).toHaveLength(1);
    const made = (await keys()).slice(0, -before || undefined);
    expect(made).toHaveLength(1);
    const { body } = await agent.redeem(codes[0] ?? '');
    const { id = '' } = made[0] ?? {};
    const { data } = (await alice.get<Page<Key>>(`/api-keys/${id}/connections`)).body;
    await alice.call('DELETE', `/connections/${data[0]?.id ?? ''}`);
    expect((await callTool(service.url, body.access_token)).status).toBe(401);
    expect((await alice.get<{ active: boolean }>(`/api-keys/${id}`)).body.active).toBe(false);
  });

  it('opens only what is theirs', async () => {
    const before = (await keys()).length;
    const { agent, page } = await open('alice');
    for (const chosen of [[foreign], [shop, foreign], []]) {
      const answer = await choose(agent, page, ...chosen);
      expect([sentBack(answer), answer.status >= 400]).toEqual([undefined, true]);
      expect(await answer.text()).toContain('role="alert"');
    }
    expect((await keys()).length).toBe(before);
  });

  withPlugins('scim', 'service-accounts').it(
    'is held to the groups that the provider pushes, at each request',
    async () => {
      const { id: kbId } = await alice.createKnowledgeBase('Pushed');
      const title = 'Returns of bonuses';
      const access = { allow: ['everyone'], deny: ['group:contractors'] };
      await alice.addDocument(kbId, { title, text: 'Returns of bonuses go to HR.', access });
      const account = await alice.createServiceAccount(kbId, 'owner');
      const { api_key: push } = await alice.createManagementKey(account.id, ['members:write']);
      expect(
        (await alice.call('PUT', `/kbs/${kbId}/members/dora`, { role: 'member' })).status,
      ).toBe(200);
      const scim = async (path: string, body: object) => {
        const response = await fetch(`${service.url}/scim/v2/${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${push}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        expect(response.status).toBe(201);
        return ((await response.json()) as { id: string }).id;
      };
      const user = await scim('Users', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        ...{ userName: 'dora', active: true },
      });
      const { agent, page } = await open('dora');
      const code = sentBack(await choose(agent, page, kbId))?.get('code') ?? '';
      const { body } = await agent.redeem(code);
      const search = async () => (await callTool(service.url, body.access_token)).text;
      expect(await search()).toContain(title);
      await scim('Groups', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        ...{ displayName: 'contractors', members: [{ value: user }] },
      });
      expect(await search()).not.toContain(title);
    },
  );

  it('is nobody without the gateway', async () => {
    const { agent, page, html } = await open();
    expect(html).not.toContain('Shop');
    agent.headers = { 'x-idp-user-id': 'alice' };
    expect((await choose(agent, page, shop)).status).toBe(401);
  });
});

describe('a person who signs in at the identity provider', () => {
  it('is known on the page that they came from, without a script', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const provider = await SignInProvider.start(url);
    const service = await Service.start({ ...provider.environment, PORT: String(port) });
    try {
      const agent = await Connecting.register(url, { client_name: 'Claude' });
      const page = await agent.open();
      const first = await page.clone().text();
      expect(first).toContain('Sign in');
      const refused = await agent.submit(page, { decision: 'choose' });
      expect(refused.status).toBe(401);
      const back = await agent.signIn(page, 'alice');
      expect(await back.clone().text()).toContain('signed in as <bdi>alice</bdi>');
      expect(back.url).toBe(page.url);
      // Another page does not know her.
      const other = await (await agent.open()).text();
      expect(other).not.toContain('alice');
    } finally {
      await Promise.all([service.stop(), provider.stop()]);
    }
  });
});
