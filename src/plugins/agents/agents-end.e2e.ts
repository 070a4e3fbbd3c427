import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey, type Page } from '../../../test/support/client.js';
import { callTool, Connecting, type Tokens } from '../../../test/support/connecting.js';
import { repetitions } from '../../../test/support/repetitions.js';
import { Service } from '../../../test/support/service.js';

const ROUNDS = repetitions(3, 500);

describe('what ends a connection', () => {
  let service: Service;
  let other: Service;
  let alice: Client;
  let agent: Connecting;
  let kbId: string;
  let addresses = 0;

  beforeAll(async () => {
    service = await Service.start({ TRUSTED_PROXY_CIDRS: '127.0.0.1' });
    other = await Service.start(service.environment);
    alice = new Client(service, 'alice');
    ({ id: kbId } = await alice.createKnowledgeBase());
    agent = await Connecting.register(service.url);
  });
  afterAll(() => Promise.all([service.stop(), other.stop()]));

  const newKey = () => alice.createApiKey(kbId, { rate_limit_per_minute: 100_000 });

  /** From an address of its own, since requests of one are limited. */
  function connect({ api_key: secret }: IssuedApiKey): Promise<Tokens> {
    addresses++;
    agent.headers = { 'x-forwarded-for': `10.1.${(addresses >> 8) & 255}.${addresses & 255}` };
    return agent.tokens(secret);
  }

  const ways: [string, (key: IssuedApiKey, tokens: Tokens) => Promise<unknown>][] = [
    ['the key is revoked', ({ id }) => alice.call('PATCH', `/api-keys/${id}/revoke`)],
    ['the key is deleted', ({ id }) => alice.call('DELETE', `/api-keys/${id}`)],
    [
      'it is disconnected',
      async ({ id }) => {
        const { body } = await alice.get<Page<{ id: string }>>(`/api-keys/${id}/connections`);
        for (const { id } of body.data) await alice.call('DELETE', `/connections/${id}`);
      },
    ],
    ['the client revokes its tokens', (_, { refresh_token: token }) => agent.revoke(token)],
  ];

  it.each(ways)('is in effect at the next request in every process: %s', async (_, end) => {
    let late = 0;
    let key: IssuedApiKey | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      key = await newKey();
      const tokens = await connect(key);
      const call = ({ url }: Service) => callTool(url, tokens.access_token);
      const before = await Promise.all([call(service), call(other)]);
      expect(before.map(({ status }) => status)).toEqual([200, 200]);
      await end(key, tokens);
      const after = await Promise.all([call(other), call(service), call(other), call(service)]);
      late += after.filter(({ status }) => status !== 401).length;
      await alice.call('DELETE', `/api-keys/${key.id}`);
    }
    expect([ROUNDS, late]).toEqual([ROUNDS, 0]);
  });
});
