import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { report } from '../../../test/support/analytics.js';
import {
  type Answer,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
} from '../../../test/support/client.js';
import { Connecting } from '../../../test/support/connecting.js';
import { furnish } from '../../../test/support/furnish.js';
import { ProvingKey, sendAs } from '../../../test/support/proving-key.js';
import { onlyOn, tool, withPlugins } from '../../../test/support/requirement.js';
import { eventually, Service } from '../../../test/support/service.js';
import type { SharedService } from '../../../test/support/shared-service.js';
import { snippetsOf } from '../../../test/support/snippets.js';
import { engine } from '../../../test/support/test-database.js';

const QUESTION = 'How long may customers return an order?';
/** The name by which both processes are reached, as behind a load balancer. */
const HOST = 'localhost:4711';
const ASKED = `http://${HOST}/api/v1/query`;
const NONCE = 'DPoP-Nonce';
const isTwo = engine === 'postgres';
const RECIPE = 'Keys that are bound to a key pair';
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

interface View {
  sender_constraint: object | null;
}

describe('a key that is bound to a key pair', () => {
  let service: SharedService;
  let second: SharedService;
  let alice: Client;
  let partner: Client;
  let userId: string;
  let kbId: string;
  let pair: ProvingKey;
  let key: IssuedApiKey;

  beforeAll(async () => {
    ({ service, second, alice, partner, userId, kbId } = await furnish());
    await alice.addDocument(kbId, { title: 'Returns', text: 'Orders may be returned.' });
    pair = await ProvingKey.create();
    key = await alice.createApiKey(kbId, { ...pair.constraint, rate_limit_per_minute: 100_000 });
  });

  const ask = (
    proof: string | string[] | undefined,
    credential = key.api_key,
    { url }: Pick<Service, 'url'> = service,
  ): Promise<Answer<unknown>> =>
    sendAs(
      `${url}/api/v1/query`,
      HOST,
      { message: QUESTION },
      {
        authorization: `Bearer ${credential}`,
        ...(proof !== undefined && { dpop: proof }),
      },
    );
  const prove = (claims: Record<string, unknown> = {}, credential = key.api_key, signer = pair) =>
    signer.prove('POST', ASKED, credential, { claims });
  const get = async <T = View>(path: string) => (await alice.get<T>(path)).body;
  /** `GET` or `POST` without a body, with the key and a proof for it. */
  const call = async <T>(method: string, path: string, credential: string, headers = {}) => {
    const dpop = await pair.prove(method, `${service.url}/api/v1${path}`, credential);
    return partner.call<T>(method, path, undefined, {
      ...{ authorization: `DPoP ${credential}`, dpop },
      ...headers,
    });
  };

  it('is bound, bound to another pair and let go by its members', async () => {
    const one = await alice.createApiKey(kbId, pair.constraint);
    expect(one).toMatchObject(pair.constraint);
    const other = await ProvingKey.create('EdDSA');
    for (const constraint of [other.constraint, { sender_constraint: null }]) {
      const changed = await alice.call<View>('PATCH', `/api-keys/${one.id}`, constraint);
      expect(changed.body).toMatchObject(constraint);
      expect(await get(`/api-keys/${one.id}`)).toMatchObject(constraint);
      const list = await get<{ data: View[] }>(`/kbs/${kbId}/api-keys?q=${one.prefix}`);
      expect(list.data).toEqual([expect.objectContaining(constraint)]);
    }
    expect(outcome(await ask(undefined, one.api_key))).toBe('200');
    const wrong = [
      { type: 'mtls', jkt: pair.jkt },
      { type: 'dpop', jkt: pair.jkt.slice(1) },
      { type: 'dpop' },
      'dpop',
    ];
    for (const constraint of wrong) {
      const body = { name: 'App', environment: 'live', sender_constraint: constraint };
      expect(outcome(await alice.post(`/kbs/${kbId}/api-keys`, body))).toBe(
        '400 validation_failed',
      );
    }
  });

  it('is refused without a proof, and says what is missing', async () => {
    const answer = await ask(undefined);
    expect(outcome(answer)).toBe('401 proof_required');
    expect(answer.headers.get('www-authenticate')).toMatch(/^DPoP algs="ES256 EdDSA [^"]*"$/);
    expect(answer.headers.get(NONCE)).toMatch(/^[\w-]{20,}$/);
  });

  it.each(['ES256', 'EdDSA', 'RS256', 'PS256'])('is admitted with a proof by %s', async (alg) => {
    const signer = await ProvingKey.create(alg);
    const { api_key: secret } = await alice.createApiKey(kbId, signer.constraint);
    const proof = await prove({}, secret, signer);
    const answer = await ask(proof, secret);
    expect(outcome(answer)).toBe('200');
    expect(answer.headers.get(NONCE)).not.toBeNull();
    expect(outcome(await ask(proof, secret))).toBe('401 invalid_proof');
  });

  it('may stand in the header, of either scheme, or in the body', async () => {
    const send = async (headers: object, body: object = {}) =>
      outcome(
        await sendAs(
          `${service.url}/api/v1/query`,
          HOST,
          { message: QUESTION, ...body },
          { dpop: await prove(), ...headers },
        ),
      );
    expect(await send({ authorization: `DPoP ${key.api_key}` })).toBe('200');
    expect(await send({ authorization: `Bearer ${key.api_key}` })).toBe('200');
    expect(await send({}, { api_key: key.api_key })).toBe('200');
  });

  it('takes the query and the spelling of an address for the same', async () => {
    for (const htu of [`${ASKED}?a=b#c`, `HTTP://LOCALHOST:4711/api/v1/%71uery`]) {
      expect(outcome(await ask(await prove({ htu })))).toBe('200');
    }
  });

  it('is refused with every proof but a good one for the request', async () => {
    const stranger = await ProvingKey.create();
    const now = Math.floor(Date.now() / 1000);
    const { privateKey } = pair.pair;
    const withHeader = (header: object, signedBy = privateKey) =>
      pair.prove('POST', ASKED, key.api_key, { header, signedBy });
    const [head = '', claims = '', signature = ''] = (await prove()).split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object;
    const secretJwk = await crypto.subtle.exportKey('jwk', privateKey);
    const changed = (of: string, found: string, instead: string) =>
      Buffer.from(Buffer.from(of, 'base64url').toString().replace(found, instead)).toString(
        'base64url',
      );
    const cases: Record<string, string | string[]> = {
      'another path': await prove({ htu: `http://${HOST}/api/v1/chat` }),
      'another host': await prove({ htu: 'http://localhost:4712/api/v1/query' }),
      'another scheme': await prove({ htu: `https://${HOST}/api/v1/query` }),
      'no address': await prove({ htu: undefined }),
      'another method': await prove({ htm: 'GET' }),
      'another credential': await prove({}, 'rag_live_of_somebody_else'),
      'no credential': await prove({ ath: undefined }),
      'another key pair': await prove({}, key.api_key, stranger),
      'a stranger’s signature under the key': await withHeader({}, stranger.pair.privateKey),
      'a clock ten minutes slow': await prove({ iat: now - 600 }),
      'a clock ten minutes fast': await prove({ iat: now + 600 }),
      'no time': await prove({ iat: undefined }),
      'no jti': await prove({ jti: undefined }),
      'an empty jti': await prove({ jti: '' }),
      'a jti of 257 characters': await prove({ jti: 'j'.repeat(257) }),
      'a jti that is no text': await prove({ jti: 1 }),
      'a nonce that is no text': await prove({ nonce: {} }),
      'a private key': await withHeader({ jwk: secretJwk }),
      'no key': await withHeader({ jwk: undefined }),
      'another type': await withHeader({ typ: 'JWT' }),
      'alg none': `${encode({ ...header, alg: 'none' })}.${claims}.`,
      'alg none, with a signature': `${encode({ ...header, alg: 'none' })}.${claims}.${signature}`,
      'alg HS256': `${encode({ ...header, alg: 'HS256' })}.${claims}.${signature}`,
      'alg ES384': `${encode({ ...header, alg: 'ES384' })}.${claims}.${signature}`,
      'a changed address': `${head}.${changed(claims, '/query', '/other')}.${signature}`,
      'two proofs': [await prove(), await prove()],
      'a list of two': `${await prove()}, ${await prove()}`,
      'an escaped name': `${head}.${changed(claims, '"jti"', '"jt\\u0069"')}.${signature}`,
      'no JWT': 'proof',
      'a long text': 'x'.repeat(9000),
    };
    for (const [name, proof] of Object.entries(cases)) {
      const answer = await ask(proof);
      expect([name, outcome(answer)]).toEqual([name, '401 invalid_proof']);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      expect([name, challenge]).toEqual([name, expect.stringMatching(/^DPoP algs="ES256 /)]);
      expect([name, challenge]).toEqual([name, expect.stringContaining('"invalid_dpop_proof"')]);
      expect(answer.headers.get(NONCE)).not.toBeNull();
    }
    const late = (await ask(cases['a clock ten minutes slow'])).text;
    expect(late).toContain('set the clock');
    expect(outcome(await ask(await prove()))).toBe('200');
  });

  it('keeps its nonce in the process that gave it', async () => {
    const nonce = (await ask(undefined)).headers.get(NONCE) ?? '';
    const proof = await prove({ nonce });
    const first = await ask(proof);
    expect([outcome(first), first.headers.get(NONCE)]).toEqual(['200', null]);
    expect(outcome(await ask(proof))).toBe('401 invalid_proof');
    expect(outcome(await ask(await prove({ nonce: 'x'.repeat(28) })))).toBe('401 invalid_proof');
  });

  onlyOn('postgres').it('settles on a nonce of all processes behind a load balancer', async () => {
    let nonce = (await ask(undefined)).headers.get(NONCE) ?? '';
    const elsewhere = await ask(await prove({ nonce }), key.api_key, second);
    expect(outcome(elsewhere)).toBe('401 invalid_proof');
    expect(elsewhere.headers.get('www-authenticate')).toContain('error="use_dpop_nonce"');
    nonce = elsewhere.headers.get(NONCE) ?? '';
    for (let turn = 0; turn < 10; turn++) {
      const proof = await prove({ nonce });
      const [one, other] = turn % 2 === 0 ? [service, second] : [second, service];
      const answer = await ask(proof, key.api_key, one);
      expect([outcome(answer), answer.headers.get(NONCE)]).toEqual(['200', null]);
      expect(outcome(await ask(proof, key.api_key, other))).toBe('401 invalid_proof');
    }
  });

  it('is never admitted twice by one proof: 2,000 replays in two processes', async () => {
    const COPIES = 6;
    const own = (await ask(undefined)).headers.get(NONCE) ?? '';
    const strange = await ask(await prove({ nonce: own }), key.api_key, second);
    const nonces = [undefined, own, ...(isTwo ? [strange.headers.get(NONCE) ?? ''] : [])];
    let accepted = 0;
    let sent = 0;
    while (sent - accepted < 2000) {
      const proofs = await Promise.all(
        Array.from({ length: 12 }, (_, index) => prove({ nonce: nonces[index % nonces.length] })),
      );
      const answers = await Promise.all(
        proofs.map((proof) =>
          Promise.all(
            Array.from({ length: COPIES }, (_, copy) =>
              ask(proof, key.api_key, copy % 2 === 0 ? service : second),
            ),
          ),
        ),
      );
      for (const copies of answers) {
        expect(outcomes(copies)).toEqual({ 200: 1, '401 invalid_proof': COPIES - 1 });
      }
      accepted += proofs.length;
      sent += proofs.length * COPIES;
    }
    expect(sent - accepted).toBeGreaterThanOrEqual(2000);
  });

  it('is refused by a process that did not give the nonce, such as one of before a restart', async () => {
    const own = await Service.start();
    const user = new Client(own, 'alice');
    const { id } = await user.createKnowledgeBase();
    const { api_key: secret } = await user.createApiKey(id, pair.constraint);
    const nonce = (await ask(undefined, secret, own)).headers.get(NONCE) ?? '';
    const withNonce = await prove({ nonce }, secret);
    const without = await prove({}, secret);
    for (const proof of [withNonce, without]) {
      expect(outcome(await ask(proof, secret, own))).toBe('200');
    }
    expect(own.logs).not.toContain(withNonce.slice(-40));
    await own.stop();
    const again = await Service.start(own.environment);
    const refused = await ask(withNonce, secret, again);
    expect(outcome(refused)).toBe('401 invalid_proof');
    expect(refused.headers.get('www-authenticate')).toContain('error="use_dpop_nonce"');
    expect(outcome(await ask(without, secret, again))).toBe('401 invalid_proof');
    const next = await prove({ nonce: refused.headers.get(NONCE) }, secret);
    expect(outcome(await ask(next, secret, again))).toBe('200');
    await again.stop();
    // Without the plugin nothing can be proved.
    const bare = await Service.start({ ...own.environment, PLUGINS: '-sender-constraints' });
    const off = await ask(await prove({}, secret), secret, bare);
    expect(outcome(off)).toBe('401 proof_required');
    expect(off.text).toContain('this service checks no proofs');
    await bare.stop();
  });

  it('is proved for PUBLIC_URL where that is set', async () => {
    const own = await Service.start({ PUBLIC_URL: 'https://kb.example.com/rag/' });
    const user = new Client(own, 'alice');
    const { id } = await user.createKnowledgeBase();
    const { api_key: secret } = await user.createApiKey(id, pair.constraint);
    const asked = async (htu: string) =>
      outcome(await ask(await prove({ htu }, secret), secret, own));
    expect(await asked('https://kb.example.com/rag/api/v1/query')).toBe('200');
    expect(await asked(ASKED)).toBe('401 invalid_proof');
    await own.stop();
  });

  it('cannot be proved at a name that anybody could point here', async () => {
    const htu = 'http://kb.example.com/api/v1/query';
    const proof = await prove({ htu });
    const body = { message: QUESTION };
    const headers = { authorization: `Bearer ${key.api_key}`, dpop: proof };
    const answer = await sendAs(`${service.url}/api/v1/query`, 'kb.example.com', body, headers);
    expect(outcome(answer)).toBe('401 invalid_proof');
    expect(answer.text).toContain('PUBLIC_URL');
  });

  withPlugins('key-holders').it(
    'is shown and rotated by its holder with a proof alone',
    async () => {
      const rotating = { ...pair.constraint, self_rotation: { grace_seconds: 3600 } };
      const { id, api_key: secret } = await alice.createApiKey(kbId, rotating);
      for (const path of ['/key', '/key/rotate', '/key/revoke']) {
        const method = path === '/key' ? 'GET' : 'POST';
        const headers = { authorization: `Bearer ${secret}` };
        const bare = await partner.call(method, path, undefined, headers);
        expect([path, outcome(bare)]).toEqual([path, '401 proof_required']);
      }
      expect((await call('GET', '/key', secret)).body).toMatchObject(pair.constraint);
      const rotated = await call<IssuedApiKey>('POST', '/key/rotate', secret);
      expect(await get(`/api-keys/${rotated.body.id}`)).toMatchObject(pair.constraint);
      const again = await alice.post<IssuedApiKey>(`/api-keys/${rotated.body.id}/rotate`, {});
      expect(again.body).toMatchObject(pair.constraint);
      const last = again.body.api_key;
      expect(outcome(await ask(undefined, last))).toBe('401 proof_required');
      expect(outcome(await call('POST', '/key/revoke', last))).toBe('200');
      expect(outcome(await ask(await prove({}, last), last))).toBe('401 api_key_revoked');
      expect(await get(`/api-keys/${id}`)).toMatchObject(pair.constraint);
    },
  );

  it('cannot be used up by who has stolen it', async () => {
    const stolen = await alice.createApiKey(kbId, { ...pair.constraint, rate_limit_per_minute: 1 });
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(outcome(await ask(undefined, stolen.api_key))).toBe('401 proof_required');
    }
    const proof = await prove({}, stolen.api_key);
    expect(outcome(await ask(proof, stolen.api_key))).toBe('200');
    expect(outcome(await ask(proof, stolen.api_key))).toBe('401 invalid_proof');
    expect(outcome(await ask(await prove({}, stolen.api_key), stolen.api_key))).toBe(
      '429 rate_limited',
    );
  });

  withPlugins('analytics').it('counts attempts without a proof as refusals', async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(id, pair.constraint);
    for (const proof of [undefined, 'proof']) await ask(proof, secret);
    await eventually(async () => (await report(alice, id)).totals.refused === 2);
  });

  it('works from web pages of every origin', async () => {
    const headers = { origin: 'https://shop.example.com', 'content-type': 'application/json' };
    const preflight = await fetch(`${service.url}/api/v1/query`, {
      method: 'OPTIONS',
      headers: {
        ...{ origin: headers.origin, 'access-control-request-method': 'POST' },
        'access-control-request-headers': 'authorization,content-type,dpop',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('dpop');
    const body = JSON.stringify({ api_key: key.api_key, message: QUESTION });
    const init = { method: 'POST', headers, body };
    const refused = await fetch(`${service.url}/api/v1/query`, init);
    expect(refused.headers.get('access-control-expose-headers')).toContain(NONCE);
  });

  tool('openssl', hasOpenssl).it('is proved in a shell, as the documentation shows', async () => {
    const { id: kb } = await alice.createKnowledgeBase();
    await alice.addDocument(kb, { title: 'Returns', text: 'Orders may be returned in 30 days.' });
    const own = await alice.createApiKey(kb);
    const recipe = snippetsOf('docs/api-keys.md')
      .filter(({ heading, language }) => heading === RECIPE && language === 'sh')
      .map(({ code }) => code);
    expect(recipe).toHaveLength(3);
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', recipe.join('\n')], {
      cwd: mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'dpop-')),
      env: {
        ...{ PATH: process.env['PATH'], BASE: `${service.url}/api/v1`, KEY_ID: own.id },
        ...{ KEY: own.api_key, USER_HEADER: `X-Idp-User-Id: ${userId}` },
        JSON: 'Content-Type: application/json',
      },
    });
    expect(stdout).toContain('Orders may be returned in 30 days.');
    expect(outcome(await ask(undefined, own.api_key))).toBe('401 proof_required');
  });

  it('takes an unmodified client of RFC 9449, which follows the nonces', async () => {
    const { publicKey, privateKey } = pair.pair;
    const client = oauth.DPoP({}, { publicKey, privateKey });
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- It is marked so as not to be used elsewhere.
    const options = { DPoP: client, [oauth.allowInsecureRequests]: true };
    const request = (url: string) => () =>
      oauth.protectedResourceRequest(
        key.api_key,
        ...(['POST', new URL(`${url}/api/v1/query`)] as const),
        new Headers({ 'content-type': 'application/json' }),
        JSON.stringify({ message: QUESTION }),
        options,
      );
    for (const { url } of [service, service, second, service, second]) {
      const once = request(url);
      const answer = await once().catch((error: unknown) => {
        if (oauth.isDPoPNonceError(error)) return once();
        throw error;
      });
      expect(answer.status).toBe(200);
    }
  });

  withPlugins('client-tokens').describe('and its client tokens', () => {
    const createToken = async (more: object = {}) => {
      const body = { end_user_id: 'anna', ...more };
      const dpop = await pair.prove('POST', `${service.url}/api/v1/client-tokens`, key.api_key);
      const headers = { authorization: `DPoP ${key.api_key}`, dpop };
      return partner.post<{ client_token: string }>('/client-tokens', body, headers);
    };

    it('are made with a proof of the key, and need none of their own', async () => {
      const body = { api_key: key.api_key, end_user_id: 'anna' };
      expect(outcome(await partner.post('/client-tokens', body))).toBe('401 proof_required');
      const { client_token: token } = (await createToken()).body;
      expect(outcome(await ask(undefined, token))).toBe('200');
    });

    it('are bound to a pair of the browser’s', async () => {
      const browser = await ProvingKey.create();
      const { client_token: token } = (await createToken(browser.constraint)).body;
      const asked = async (proof: string | undefined) => outcome(await ask(proof, token));
      expect(await asked(undefined)).toBe('401 proof_required');
      expect(await asked(await prove({}, token))).toBe('401 invalid_proof');
      const proof = await prove({}, token, browser);
      expect([await asked(proof), await asked(proof)]).toEqual(['200', '401 invalid_proof']);
      const dpop = await browser.prove('GET', `${service.url}/api/v1/key`, token);
      const headers = { authorization: `DPoP ${token}`, dpop };
      const view = await partner.call<View>('GET', '/key', undefined, headers);
      expect(view.body).toMatchObject(browser.constraint);
    });
  });

  withPlugins('dify', 'mcp', 'openai-api').it('is bound at every door', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const retrieve = {
      ...{ knowledge_id: kbId, query: QUESTION },
      retrieval_setting: { top_k: 1, score_threshold: 0 },
    };
    const doors: [string, object][] = [
      ['/v1/chat/completions', { model: 'latchkey', messages: [{ role: 'user', content: 'Hi' }] }],
      ['/v1/responses', { model: 'latchkey', input: 'Hi' }],
      ['/dify/retrieval', retrieve],
      ['/mcp', list],
      ['/api/v1/chat', { message: QUESTION }],
    ];
    for (const [path, body] of doors) {
      const send = async (dpop?: string) => {
        const response = await fetch(service.url + path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${key.api_key}`,
            ...(dpop !== undefined && { dpop }),
          },
          body: JSON.stringify(body),
        });
        await response.text();
        return response;
      };
      const bare = await send();
      expect([path, [401, 403].includes(bare.status)]).toEqual([path, true]);
      expect([path, bare.headers.get('www-authenticate')]).toEqual([
        path,
        expect.stringMatching(/^DPoP /),
      ]);
      const proof = await pair.prove('POST', service.url + path, key.api_key);
      expect([path, (await send(proof)).status]).toEqual([path, 200]);
      expect([path, (await send(proof)).status]).toEqual([path, bare.status]);
    }
  });

  withPlugins('agents').it('connects no agent, since a form proves nothing', async () => {
    const connecting = await Connecting.register(service.url);
    await expect(connecting.tokens(key.api_key)).rejects.toThrow();
  });

  it('is nowhere in the log, nor are its proofs', async () => {
    const proofs = [await prove(), await prove({ iat: 1 })];
    for (const proof of proofs) await ask(proof);
    for (const secret of [key.api_key, ...proofs]) {
      expect(service.logs).not.toContain(secret.slice(-30));
    }
  });
});
