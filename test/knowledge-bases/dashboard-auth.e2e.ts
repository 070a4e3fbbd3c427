import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client, outcome, type Problem } from '../support/client.js';
import { documentedOperations } from '../support/operations.js';
import { sendRaw } from '../support/raw-request.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');

/** The operations that ask for no dashboard user, by design. */
const PUBLIC_OPERATIONS = [
  'POST /api/v1/query',
  'POST /api/v1/chat',
  'POST /api/v1/client-tokens',
  'GET /api/v1/key',
  'POST /api/v1/key/rotate',
  'POST /api/v1/key/revoke',
  'GET /api/v1/ingest/documents',
  'PUT /api/v1/ingest/documents/{external_id}',
  'GET /api/v1/ingest/documents/{external_id}',
  'DELETE /api/v1/ingest/documents/{external_id}',
  'POST /api/v1/leaked-api-keys',
  'POST /api/v1/leaked-api-keys/github',
  'POST /api/v1/leaked-api-keys/gitlab',
  'POST /api/v1/messages/{message_id}/feedback',
  'GET /api/v1/sites/{site_id}/view',
  'GET /api/v1/sites/{site_id}/challenge',
  'POST /api/v1/sites/{site_id}/visitors',
  'POST /mcp',
  'POST /v1/chat/completions',
  'GET /v1/models',
  'GET /v1/models/{model}',
  'POST /v1/responses',
  'GET /v1/vector_stores',
  'GET /v1/vector_stores/{kb_id}',
  'POST /v1/vector_stores/{kb_id}/search',
  'POST /dify/retrieval',
  'GET /.well-known/security.txt',
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
];

describe('the header X-Idp-User-Id', () => {
  let service: SharedService;

  beforeAll(async () => {
    service = await sharedService();
  });

  const listWith = (...headerLines: string[]): Promise<Answer<Problem>> =>
    sendRaw(service, 'GET /api/v1/kbs', headerLines);

  it.each([
    ['a plain user id', ALICE],
    ['an email address', 'alice.liddell+dev@example.com'],
    ['an identity provider’s id', 'auth0|5f7c8ec7c33c6c004bbafe82'],
    ['a user id of 255 characters', 'a'.repeat(255)],
    ['every visible ASCII character but the comma', visibleAscii()],
  ])('is taken with %s', async (_, userId) => {
    expect(outcome(await listWith(`X-Idp-User-Id: ${userId}`))).toBe('200');
  });

  it('is taken in any case and with white space around the value', async () => {
    expect(outcome(await listWith('x-IDP-user-ID:   alice  '))).toBe('200');
  });

  it.each([
    ['missing', []],
    ['empty', ['X-Idp-User-Id:']],
    ['only white space', ['X-Idp-User-Id:    ']],
    ['spelt with underscores', ['X_Idp_User_Id: alice']],
    ['called something else', ['X-User-Id: alice', 'Remote-User: alice']],
    ['a bearer token', ['Authorization: Bearer alice']],
  ])('answers 401 when it is %s', async (_, headerLines) => {
    const answer = await listWith(...headerLines);
    expect(outcome(answer)).toBe('401 dashboard_authentication_required');
    expect(answer.headers.get('www-authenticate')).toBeTruthy();
  });

  it.each([
    ['repeated', ['X-Idp-User-Id: alice', 'X-Idp-User-Id: bob']],
    ['repeated with one value', ['X-Idp-User-Id: alice', 'X-Idp-User-Id: alice']],
    ['repeated in another case', ['X-Idp-User-Id: alice', 'x-idp-user-id: bob']],
    ['repeated, first empty', ['X-Idp-User-Id:', 'X-Idp-User-Id: alice']],
    ['a list', ['X-Idp-User-Id: alice,bob']],
    ['a comma', ['X-Idp-User-Id: ,']],
    ['two words', ['X-Idp-User-Id: alice liddell']],
    ['split by a tab', ['X-Idp-User-Id: alice\tliddell']],
    ['Latin-1', ['X-Idp-User-Id: al\u00efce']],
    ['UTF-8', [`X-Idp-User-Id: ${Buffer.from('alïce').toString('latin1')}`]],
    ['a C1 control character', ['X-Idp-User-Id: alice\u0085']],
    ['256 characters long', [`X-Idp-User-Id: ${'a'.repeat(256)}`]],
  ])('answers 400 when it is %s', async (_, headerLines) => {
    expect(outcome(await listWith(...headerLines))).toBe('400 invalid_user_id');
  });

  it.each([
    ['NUL', '\0'],
    ['SOH', '\u0001'],
    ['ESC', '\u001b'],
    ['DEL', '\u007f'],
  ])('lets no request with the control character %s through', async (_, character) => {
    const answer = await listWith(`X-Idp-User-Id: alice${character}`);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('"data"');
  });

  it('is not replaced by a user id with underscores beside it', async () => {
    const alice = new Client(service, ALICE);
    const kb = await alice.createKnowledgeBase();
    const path = `/api/v1/kbs/${kb.id}`;
    const as = (...lines: string[]) => sendRaw(service, `GET ${path}`, lines);
    expect(outcome(await as(`X-Idp-User-Id: ${ALICE}`, 'X_Idp_User_Id: mallory'))).toBe('200');
    expect(outcome(await as('X-Idp-User-Id: mallory', `X_Idp_User_Id: ${ALICE}`))).toBe(
      '404 not_found',
    );
  });

  it('cannot be replaced by an API key', async () => {
    const alice = new Client(service, ALICE);
    const kb = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(kb.id);
    const nobody = new Client(service);
    const answers = [
      await nobody.post('/kbs', { name: 'Mine', api_key: secret }),
      await nobody.call('GET', `/kbs/${kb.id}?api_key=${secret}`),
      await nobody.call('GET', `/kbs/${kb.id}`, undefined, { authorization: `Bearer ${secret}` }),
    ];
    expect(answers.map(outcome)).toEqual(
      answers.map(() => '401 dashboard_authentication_required'),
    );
  });

  it('is asked for by every documented operation but the public ones', async () => {
    const operations = await documentedOperations(service);
    const open = operations.filter(({ managed }) => !managed).map(({ name }) => name);
    expect(open.filter((name) => !PUBLIC_OPERATIONS.includes(name))).toEqual([]);

    const managed = operations.filter((operation) => operation.managed);
    expect(managed.length).toBeGreaterThan(15);
    for (const { name, method, path, body } of managed) {
      const response = await fetch(`${service.url}${path.replace(/\{(\w+)_id\}/g, '$1_1')}`, {
        method,
        ...(body && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
      const { code } = (await response.json()) as Problem;
      expect([name, response.status, code]).toEqual([
        name,
        401,
        'dashboard_authentication_required',
      ]);
    }
  });

  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.8.8.8:80', '[::1]:3000'])(
    'is trusted on the loopback host %s',
    async (host) => {
      expect(outcome(await listWith('X-Idp-User-Id: alice', `Host: ${host}`))).toBe('200');
    },
  );

  it.each([
    'attacker.example',
    'attacker.example:3000',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    '127.attacker.example',
    '192.168.1.10',
    '0.0.0.0',
    '[::ffff:10.0.0.1]',
  ])('is refused on the host %s, which a web page may have rebound', async (host) => {
    expect(outcome(await listWith('X-Idp-User-Id: alice', `Host: ${host}`))).toBe(
      '403 host_not_allowed',
    );
  });

  it('is not trusted for a Host that a proxy is said to have forwarded', async () => {
    const lines = ['X-Idp-User-Id: alice', 'Host: attacker.example', 'X-Forwarded-Host: localhost'];
    expect(outcome(await listWith(...lines))).toBe('403 host_not_allowed');
  });
});

/** All of 0x21 to 0x7e without the comma. */
function visibleAscii(): string {
  const codes = Array.from({ length: 0x7e - 0x21 + 1 }, (_, offset) => 0x21 + offset);
  return String.fromCharCode(...codes).replace(',', '');
}
