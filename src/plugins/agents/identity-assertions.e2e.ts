import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { type AuditEvent, Client, created, type Page } from '../../../test/support/client.js';
import { callTool, Connecting } from '../../../test/support/connecting.js';
import {
  inSeconds,
  KeyServer,
  newSigningKey,
  type SigningKey,
} from '../../../test/support/key-server.js';
import { Service } from '../../../test/support/service.js';
import type { Trust } from '../../../test/support/token-exchange.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
let ids = 0;

describe('an assertion of a trusted issuer (ID-JAG)', () => {
  let service: Service;
  let issuer: KeyServer;
  let key: SigningKey;
  let alice: Client;
  let kbId: string;
  let trust: Trust;
  let agent: Connecting;

  beforeAll(async () => {
    key = await newSigningKey('k1');
    issuer = await KeyServer.start(key);
    service = await Service.start({ TRUSTED_ISSUER_ALLOW_PRIVATE: 'yes' });
    alice = new Client(service, 'alice');
    ({ id: kbId } = await alice.createKnowledgeBase());
    const documents = [
      { title: 'Returns', text: 'Orders may be returned for 30 days.' },
      { title: 'Salaries', text: 'Returns of bonuses go to HR.', access: { allow: ['group:hr'] } },
    ];
    for (const document of documents) await alice.addDocument(kbId, document);
    trust = created(
      await alice.post<Trust>(`/kbs/${kbId}/trusted-issuers`, {
        ...{ issuer: issuer.issuer, audience: service.url, scopes: ['query', 'chat'] },
      }),
      201,
    );
    agent = await Connecting.register(service.url, { client_name: 'Claude' });
  });
  afterAll(() => Promise.all([service.stop(), issuer.stop()]));

  const assertion = (claims: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}) =>
    issuer.token(
      key,
      {
        ...{ sub: 'bob', aud: service.url, client_id: agent.clientId, iat: inSeconds(0) },
        ...{ jti: `id-${++ids}`, resource: `${service.url}/mcp`, ...claims },
      },
      { typ: 'oauth-id-jag+jwt', ...header },
    );
  /** Named from when on another knowledge base trusts the issuer too. */
  let audience: string | undefined;
  const redeem = async (text: string, more: Record<string, string> = {}) =>
    agent.token({
      ...{ grant_type: GRANT, assertion: text },
      ...(audience !== undefined && { audience }),
      ...more,
    });
  const errorOf = async (text: string) => {
    const { status, body } = await redeem(text);
    return `${status} ${String(body.error)}`;
  };

  it('connects the agent in the name of its person, without a page', async () => {
    const { status, body } = await redeem(await assertion());
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^rag_agent_/) as unknown,
        ...{ token_type: 'Bearer', expires_in: 900, scope: 'query chat' },
      },
    ]);
    const ask = { question: 'How long may orders be returned?' };
    const { text } = await callTool(service.url, body.access_token, 'ask', ask);
    expect(text).toContain('30 days');
    const { data } = (await alice.get<Page<{ end_user_id: string }>>(`/kbs/${kbId}/conversations`))
      .body;
    expect(data.map(({ end_user_id: id }) => id)).toEqual(['bob']);
    const { body: audit } = await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events`);
    expect(audit.data).toContainEqual(
      expect.objectContaining({
        action: 'agent.connected',
        details: expect.objectContaining({ client_name: 'Claude' }) as unknown,
      }),
    );
  });

  it('opens what the person and their groups may read', async () => {
    const search = async (claims: JWTPayload) => {
      const { body } = await redeem(await assertion(claims));
      return (await callTool(service.url, body.access_token, 'search', { query: 'returns' })).text;
    };
    expect(await search({})).not.toContain('Salaries');
    expect(await search({ groups: ['hr'] })).toContain('Salaries');
    expect(await search({ groups: 'hr' })).toContain('Salaries');
  });

  it('has no more scopes than the assertion and the request name', async () => {
    expect((await redeem(await assertion({ scope: 'query' }))).body.scope).toBe('query');
    expect((await redeem(await assertion(), { scope: 'chat openid' })).body.scope).toBe('chat');
    const { body } = await redeem(await assertion({ scope: 'query' }), { scope: 'chat' });
    expect(body.error).toBe('invalid_grant');
  });

  it('is taken once, also of parallel requests', async () => {
    const text = await assertion();
    const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(text)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each<[string, JWTPayload, Partial<JWTHeaderParameters>]>([
    ['is of another kind', {}, { typ: 'JWT' }],
    ['has no kind', {}, { typ: undefined }],
    ['is for another server', { aud: 'https://other.example.com' }, {}],
    ['was given to another client', { client_id: 'another' }, {}],
    ['names no client', { client_id: undefined }, {}],
    ['has expired', { exp: inSeconds(-60) }, {}],
    ['never expires', { exp: undefined }, {}],
    ['has no id', { jti: undefined }, {}],
    // A rule could deny a group that cannot be read.
    ['has unreadable groups', { groups: ['hr', 1] }, {}],
    ['has more groups than rules know', { groups: Array.from({ length: 501 }, String) }, {}],
    ['has its groups elsewhere', { _claim_names: { groups: 'src1' } }, {}],
    ['names another resource', { resource: 'https://other.example.com/mcp' }, {}],
    ['names no resource', { resource: undefined }, {}],
    ['is of nobody', { sub: '' }, {}],
    ['is of another issuer', { iss: 'https://other.example.com' }, {}],
  ])('is refused if it %s', async (_, claims, header) => {
    expect(await errorOf(await assertion(claims, header))).toBe('400 invalid_grant');
  });

  it('is refused if it is for several servers', async () => {
    const several = { aud: [service.url, 'https://other.example.com'] };
    expect(await errorOf(await assertion(several))).toBe('400 invalid_grant');
    expect((await redeem(await assertion(), { audience: 'a\0b' })).status).toBeLessThan(500);
  });

  it('is refused if somebody else has signed it', async () => {
    const forged = await newSigningKey('k1');
    const own = key;
    key = forged;
    const text = await assertion();
    key = own;
    expect(await errorOf(text)).toBe('400 invalid_grant');
    expect(await errorOf('no.token')).toBe('400 invalid_grant');
  });

  it('may be trusted by several knowledge bases, of which the request names one', async () => {
    const mallory = new Client(service, 'mallory');
    const { id: other } = await mallory.createKnowledgeBase();
    const same = { issuer: issuer.issuer, audience: service.url, scopes: ['query'] };
    created(await mallory.post<Trust>(`/kbs/${other}/trusted-issuers`, same), 201);
    const unnamed = await redeem(await assertion());
    expect(unnamed.body.error).toBe('invalid_grant');
    const named = await redeem(await assertion(), { audience: kbId });
    expect(named.body.scope).toBe('query chat');
    audience = kbId;
  });

  it('ends with the trust', async () => {
    const { body } = await redeem(await assertion());
    expect((await callTool(service.url, body.access_token)).status).toBe(200);
    await alice.call('DELETE', `/trusted-issuers/${trust.id}`);
    expect((await callTool(service.url, body.access_token)).status).toBe(401);
    expect(await errorOf(await assertion())).toBe('400 invalid_grant');
  });
});
