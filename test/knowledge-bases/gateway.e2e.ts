import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { sendRaw } from '../support/raw-request.js';
import { Service } from '../support/service.js';

const SECRET = 'current-gateway-secret-0123456789abcdef';
const OLD_SECRET = 'previous-gateway-secret-0123456789abcdef';
/** Where the gateway of these tests connects from. Any other loopback address is a stranger's. */
const GATEWAY = '127.0.0.2';
const STRANGER = '127.0.0.1';
const REFUSED = '401 dashboard_authentication_required';

const ALICE = 'X-Idp-User-Id: alice';
const PROOF = `X-Gateway-Secret: ${SECRET}`;

describe('DASHBOARD_AUTH_MODE=gateway', () => {
  let service: Service;
  let dualStack: Service;

  beforeAll(async () => {
    const environment = {
      NODE_ENV: 'production',
      API_KEY_PEPPERS: `p1:${Buffer.alloc(32, 7).toString('base64')}`,
      DASHBOARD_AUTH_MODE: 'gateway',
      GATEWAY_SECRETS: `${SECRET}, ${OLD_SECRET}`,
    };
    // Either spelling of an IPv4 address stands for the other.
    [service, dualStack] = await Promise.all([
      Service.start({ ...environment, TRUSTED_PROXY_CIDRS: `::ffff:${GATEWAY}, 10.0.0.0/8` }),
      Service.start({ ...environment, HOST: '::', TRUSTED_PROXY_CIDRS: `${GATEWAY}/32` }),
    ]);
  });

  afterAll(() => Promise.all([service.stop(), dualStack.stop()]));

  const listFrom = async (peer: string, ...headerLines: string[]) =>
    outcome(await sendRaw(service, 'GET /api/v1/kbs', headerLines, '', peer));

  it('believes the header that the gateway sends with its secret', async () => {
    expect(await listFrom(GATEWAY, ALICE, PROOF)).toBe('200');
  });

  it('takes either of two secrets, so that they can be rotated', async () => {
    expect(await listFrom(GATEWAY, ALICE, `X-Gateway-Secret: ${OLD_SECRET}`)).toBe('200');
  });

  it('answers under any host name, since the peer is what is trusted', async () => {
    expect(await listFrom(GATEWAY, ALICE, PROOF, 'Host: kb.example.com')).toBe('200');
  });

  it('believes the groups that the gateway sends', async () => {
    const groups = (text: string) => listFrom(GATEWAY, ALICE, PROOF, `X-Idp-Groups: ${text}`);
    expect(await groups('["support", "Vertrieb, S\\u00fcd"]')).toBe('200');
    expect(await groups('support,sales')).toBe('400 invalid_groups');
    expect(await listFrom(STRANGER, ALICE, PROOF, 'X-Idp-Groups: support,sales')).toBe(REFUSED);
  });

  it('takes a service account’s key from anywhere, without the gateway’s secret, and alone', async () => {
    const post = async <T>(path: string, body: object) => {
      const lines = [ALICE, PROOF, 'Content-Type: application/json'];
      const request = `POST /api/v1${path}`;
      const { text } = await sendRaw(service, request, lines, JSON.stringify(body), GATEWAY);
      return JSON.parse(text) as T;
    };
    const { id } = await post<{ id: string }>('/service-accounts', { name: 'CI', all: true });
    const made = await post<{ api_key: string }>(`/service-accounts/${id}/api-keys`, {
      name: 'CI',
      scopes: ['kbs:write'],
    });
    const key = `Authorization: Bearer ${made.api_key}`;
    for (const peer of [GATEWAY, STRANGER]) {
      expect(await listFrom(peer, key)).toBe('200');
      expect(await listFrom(peer, key, PROOF)).toBe('200');
      expect(await listFrom(peer, key, ALICE, PROOF)).toBe('400 invalid_user_id');
      expect(await listFrom(peer, `${key}x`)).toBe('401 invalid_api_key');
    }
  });

  it('refuses the right secret from anywhere else', async () => {
    expect(await listFrom(STRANGER, ALICE, PROOF)).toBe(REFUSED);
    expect(await listFrom('127.0.0.3', ALICE, PROOF)).toBe(REFUSED);
  });

  it.each([
    ['X-Forwarded-For', GATEWAY],
    ['X-Forwarded-For', `${GATEWAY}, ${GATEWAY}`],
    ['X-Forwarded-For', '10.0.0.1'],
    ['X-Real-IP', GATEWAY],
    ['X-Client-IP', GATEWAY],
    ['Forwarded', `for=${GATEWAY}`],
  ])('does not take a stranger for the gateway by %s: %s', async (name, value) => {
    expect(await listFrom(STRANGER, ALICE, PROOF, `${name}: ${value}`)).toBe(REFUSED);
  });

  it('knows the gateway whatever X-Forwarded-For says', async () => {
    expect(await listFrom(GATEWAY, ALICE, PROOF, 'X-Forwarded-For: 203.0.113.9')).toBe('200');
  });

  it.each<[string, string[]]>([
    ['no secret', []],
    ['an empty secret', ['X-Gateway-Secret:']],
    ['a wrong secret', [`X-Gateway-Secret: ${SECRET.replace('0', '1')}`]],
    ['the beginning of the secret', [`X-Gateway-Secret: ${SECRET.slice(0, -1)}`]],
    ['more than the secret', [`X-Gateway-Secret: ${SECRET}0`]],
    ['the secret in upper case', [`X-Gateway-Secret: ${SECRET.toUpperCase()}`]],
    ['both secrets in one header', [`X-Gateway-Secret: ${SECRET}, ${OLD_SECRET}`]],
    ['the secret twice', [PROOF, PROOF]],
    ['a wrong secret, then the right one', ['X-Gateway-Secret: wrong', PROOF]],
    ['the right secret, then a wrong one', [PROOF, 'X-Gateway-Secret: wrong']],
    ['the secret with underscores in its name', [`X_Gateway_Secret: ${SECRET}`]],
    ['the secret as a bearer token', [`Authorization: Bearer ${SECRET}`]],
  ])('refuses the gateway with %s', async (_, headerLines) => {
    expect(await listFrom(GATEWAY, ALICE, ...headerLines)).toBe(REFUSED);
  });

  it('answers a stranger with the secret like one without', async () => {
    const tell = async (peer: string, ...headerLines: string[]) => {
      const answer = await sendRaw(service, 'GET /api/v1/kbs', [ALICE, ...headerLines], '', peer);
      const { request_id, ...told } = answer.body;
      expect(request_id).toBe(answer.headers.get('x-request-id'));
      return { ...told, challenge: answer.headers.get('www-authenticate') };
    };
    const right = await tell(STRANGER, PROOF);
    expect(right.challenge).toBe('GatewaySecret');
    expect(await tell(STRANGER, 'X-Gateway-Secret: wrong')).toEqual(right);
    expect(await tell(GATEWAY, 'X-Gateway-Secret: wrong')).toEqual(right);
  });

  it.each([
    ['no user', [], REFUSED],
    ['an empty user', ['X-Idp-User-Id:'], REFUSED],
    ['two users', [ALICE, 'X-Idp-User-Id: bob'], '400 invalid_user_id'],
    ['a list of users', ['X-Idp-User-Id: alice,bob'], '400 invalid_user_id'],
  ])('refuses the gateway itself with %s', async (_, headerLines, expected) => {
    expect(await listFrom(GATEWAY, PROOF, ...headerLines)).toBe(expected);
  });

  it('takes only the header as an identity: neither secret nor address is one', async () => {
    expect(await listFrom(GATEWAY, PROOF, 'X_Idp_User_Id: alice', 'Remote-User: alice')).toBe(
      REFUSED,
    );
  });

  it('believes an IPv4 gateway that comes to an IPv6 socket, and no other', async () => {
    const list = async (target: { url: string }, from?: string) =>
      outcome(await sendRaw(target, 'GET /api/v1/kbs', [ALICE, PROOF], '', from));
    const overIpv6 = { url: dualStack.url.replace('127.0.0.1', '[::1]') };
    expect(await list(dualStack, GATEWAY)).toBe('200');
    expect(await list(dualStack, STRANGER)).toBe(REFUSED);
    expect(await list(overIpv6)).toBe(REFUSED);
  });

  it('reads the client address for API keys from X-Forwarded-For of the gateway alone', async () => {
    const gateway = async (path: string, body: object) =>
      JSON.parse((await post(`/api/v1${path}`, body, GATEWAY, [ALICE, PROOF])).text) as Record<
        string,
        string
      >;
    const post = (path: string, body: object, from: string, lines: string[] = []) =>
      sendRaw(
        service,
        `POST ${path}`,
        ['Content-Type: application/json', ...lines],
        JSON.stringify(body),
        from,
      );
    const kb = await gateway('/kbs', { name: 'Handbook' });
    const key = { name: 'Shop', environment: 'live', allowed_ips: ['203.0.113.9'] };
    const { api_key } = await gateway(`/kbs/${String(kb['id'])}/api-keys`, key);
    const ask = async (from: string, forwarded: string) =>
      outcome(
        await post('/api/v1/query', { api_key, message: 'Hi' }, from, [
          `X-Forwarded-For: ${forwarded}`,
        ]),
      );

    // No partner sends the gateway's secret, and none is asked for.
    expect(await ask(GATEWAY, '203.0.113.9')).toBe('200');
    expect(await ask(GATEWAY, '203.0.113.9, 10.1.2.3')).toBe('200');
    expect(await ask(GATEWAY, '203.0.113.9, 198.51.100.7')).toBe('403 ip_not_allowed');
    expect(await ask(STRANGER, '203.0.113.9')).toBe('403 ip_not_allowed');
  });

  it('writes no secret to its log, neither right nor wrong ones', async () => {
    await listFrom(GATEWAY, ALICE, PROOF);
    await listFrom(GATEWAY, ALICE, 'X-Gateway-Secret: nearly-the-secret');
    expect(service.logs).toContain('/api/v1/kbs');
    for (const secret of [SECRET, OLD_SECRET, 'nearly-the-secret']) {
      expect(service.logs).not.toContain(secret);
    }
  });

  it('opens nothing by an API key or to nobody', async () => {
    const nobody = new Client(service);
    expect(outcome(await nobody.get('/kbs'))).toBe(REFUSED);
    expect(outcome(await nobody.post('/query', { message: 'Hi' }))).toBe('401 api_key_required');
  });
});
