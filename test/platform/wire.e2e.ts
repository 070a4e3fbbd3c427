import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  Client,
  type KnowledgeBase,
  outcome,
  type Problem,
} from '../support/client.js';
import { documentedOperations } from '../support/operations.js';
import { sendRaw } from '../support/raw-request.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');

const MIB = 1024 * 1024;

describe('on the wire', () => {
  let service: SharedService;
  let alice: Client;
  let kb: KnowledgeBase;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
    kb = await alice.createKnowledgeBase();
  });

  const fetchStatus = async (path: string, method = 'GET') => {
    const response = await fetch(service.url + path, { method });
    await response.body?.cancel();
    return response;
  };

  describe('a problem', () => {
    it('has the members of RFC 9457 and ours, and no others', async () => {
      const answer = await alice.post<Problem>('/kbs', { name: '', colour: 'red' });
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const { errors, ...rest } = answer.body;
      expect(rest).toEqual({
        type: expect.stringContaining('validation_failed'),
        title: expect.stringMatching(/\w/),
        status: 400,
        detail: expect.stringMatching(/\w/),
        code: 'validation_failed',
        request_id: answer.headers.get('x-request-id'),
      });
      expect(errors?.map(({ field }) => field).sort()).toEqual(['colour', 'name']);
      for (const { message } of errors ?? []) expect(message).toMatch(/\w/);
    });

    it('echoes no rejected value and nothing of the inside', async () => {
      const value = 'sekret-4711';
      const answers = [
        await alice.post(`/kbs/${kb.id}/api-keys`, { name: [value], environment: value }),
        await alice.post('/kbs', { name: 'Shop', colour: value }),
        await alice.post('/kbs', `{"name": ${value}`),
        await alice.get(`/kbs?limit=${value}&cursor=${value}`),
        await alice.get(`/kbs/${value}`),
        await alice.call('DELETE', `/${value}`),
      ];
      for (const answer of answers) {
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.text).not.toContain(value);
        expect(answer.text).not.toMatch(/ at .*\.js|SELECT|node_modules|QueryFailed/);
      }
    });

    it.each([
      ['an unknown path', '/api/v1/nonsense'],
      ['an unknown path outside the API', '/nonsense'],
      ['the base path', '/api/v1'],
      ['another version', '/api/v2/kbs'],
      ['what is no id', '/api/v1/kbs/nonsense'],
      ['an id of 500 characters', `/api/v1/kbs/${'x'.repeat(500)}`],
    ])('answers 404 to %s', async (_, path) => {
      const answer = await sendRaw(service, `GET ${path}`, ['X-Idp-User-Id: alice']);
      expect(outcome(answer)).toBe('404 not_found');
    });

    it.each(['/api/v1/kbs/%ff', '/api/v1/kbs/%', '/api/v1/kbs/%00'])(
      'answers %s, which cannot be an id, by a problem that is the client’s',
      async (path) => {
        const answer = await sendRaw(service, `GET ${path}`, ['X-Idp-User-Id: alice']);
        expect(outcome(answer)).toMatch(/^40[04] (validation_failed|not_found)$/);
        expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
      },
    );

    it.each([
      ['DELETE', '/api/v1/kbs', 'GET, POST'],
      ['GET', '/api/v1/query', 'POST'],
      ['PUT', '/api/v1/chat', 'POST'],
      ['POST', '/api/v1/api-keys/key_01kafdp6ygf4rs4s2cr5cvzwkc/revoke', 'PATCH'],
      ['POST', '/health/live', 'GET'],
      // Fastify refuses it for its missing body, before it looks for a route.
      ['QUERY', '/api/v1/query', 'POST'],
    ])('answers 405 to %s %s and says what is allowed', async (method, path, allow) => {
      const answer = await sendRaw(service, `${method} ${path}`, ['X-Idp-User-Id: alice']);
      expect(outcome(answer)).toBe('405 method_not_allowed');
      // HEAD goes with GET and needs no mention.
      const allowed = answer.headers
        .get('allow')
        ?.split(/, */)
        .filter((one) => one !== 'HEAD');
      expect(allowed?.sort().join(', ')).toBe(allow);
    });
  });

  it.each([
    ['a control character in a header', 'X-Anything: a\u0001b'],
    ['more headers than it reads', `X-Anything: ${'x'.repeat(20_000)}`],
  ])('a request with %s is answered by a problem, too', async (_, line) => {
    const answer = await sendRaw(service, 'GET /health/live', [line]);
    expect(String(answer.status)).toMatch(/^4\d\d$/);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  it.each([
    ['OPTIONS *', 'Accept: */*', '404 not_found'],
    ['GET *', 'Accept: */*', '404 not_found'],
    ['GET /api/v1/nonsense', 'Expect: nonsense', '404 not_found'],
  ])('%s with %s is answered as every request is', async (requestLine, line, expected) => {
    const answer = await sendRaw(service, requestLine, [line]);
    expect(outcome(answer)).toBe(expected);
    expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
  });

  describe('below the paths of another protocol', () => {
    it.each(['GET', 'POST', 'PUT', 'DELETE', 'QUERY', 'PROPFIND'])(
      'answers %s of an unknown path in its form, with the paths that exist',
      async (method) => {
        for (const line of ['Accept: */*', 'Content-Type: audio/wav', 'Content-Type: nonsense']) {
          const path = '/v1/audio/transcriptions?language=en';
          const { status, text } = await sendRaw(service, `${method} ${path}`, [line]);
          expect(status).toBe(404);
          const { error } = JSON.parse(text) as { error: Record<string, string | null> };
          expect(error).toMatchObject({ type: 'not_found_error', param: null, code: 'not_found' });
          expect(error['message']).toContain('POST /v1/chat/completions');
          expect(error['message']).not.toMatch(/member|user/);
        }
      },
    );

    it.each(['/v1', '/v1/', '/v1/%ff', '/v1/chat/completions/', '/v1/models/a/b', '/v1?x=1'])(
      'answers so to %s',
      async (path) => {
        const { status, text } = await sendRaw(service, `GET ${path}`, []);
        expect(status).toBe(404);
        expect(text).toContain('GET /v1/models/:model');
      },
    );

    it('answers 404 to a form of several parts that nothing reads, and 405 beside it', async () => {
      const send = (path: string) =>
        fetch(`${service.url}${path}`, { method: 'PUT', body: new FormData() });
      expect((await send('/v1/files')).status).toBe(404);
      expect((await send('/v1/chat/completions')).status).toBe(405);
      expect((await send('/api/v1/nonsense')).status).toBe(404);
    });
  });

  describe('the request id', () => {
    const idOf = async (...headerLines: string[]) => {
      const lines = ['X-Idp-User-Id: alice', ...headerLines];
      return (await sendRaw(service, 'GET /api/v1/kbs', lines)).headers.get('x-request-id');
    };

    it.each(['client-4711', '~!@#$%^&*()[]{}<>"\\', 'x'.repeat(128)])(
      'is the client’s own: %s',
      async (id) => {
        expect(await idOf(`X-Request-Id: ${id}`)).toBe(id);
      },
    );

    it.each([
      ['too long', 'x'.repeat(129)],
      ['with a space', 'two words'],
      ['with a tab', 'two\twords'],
      ['not ASCII', 'caf\u00e9'],
      ['empty', ''],
    ])('is a new one each time when the client’s is %s', async (_, id) => {
      const [one, two] = [await idOf(`X-Request-Id: ${id}`), await idOf(`X-Request-Id: ${id}`)];
      expect(one).toMatch(/^[\x21-\x7e]{1,128}$/);
      expect(one).not.toBe(id);
      expect(one).not.toBe(two);
    });

    it('is on every answer, also outside the API', async () => {
      for (const path of ['/health/live', '/health/ready', '/openapi.json', '/docs', '/nonsense']) {
        expect([path, (await fetchStatus(path)).headers.get('x-request-id')]).toEqual([
          path,
          expect.stringMatching(/^\S+$/),
        ]);
      }
    });
  });

  describe('the OpenAPI document', () => {
    it('names every code there is', async () => {
      const document = await (await fetch(`${service.url}/openapi.json`)).text();
      const seen: Answer<Problem>[] = [
        await alice.post('/kbs', {}),
        await alice.get('/nonsense'),
        await alice.call('PUT', '/kbs'),
        await new Client(service).get('/kbs'),
        await alice.post('/query', {}),
        await alice.post('/kbs', 'x'.repeat(MIB + 1)),
        await alice.post('/kbs', '', { 'content-type': 'text/plain' }),
      ];
      const codes = seen.map(({ body }) => body.code);
      expect(codes.filter((code) => !document.includes(`"${code}"`))).toEqual([]);
    });

    it('requires no query parameter of a list', async () => {
      const lists = (await documentedOperations(service)).filter(({ method }) => method === 'GET');
      const required = lists.flatMap(({ requiredParameters }) => requiredParameters);
      expect(required.filter((name) => !/_id$|^model$|^version$/.test(name))).toEqual([]);
    });
  });

  it('health is told without a credential', async () => {
    const told = {
      '/health/live': {},
      '/health/ready': { meaning: 'off', plugins: expect.any(Array) },
    };
    for (const [path, more] of Object.entries(told)) {
      const response = await fetch(service.url + path);
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok', ...more }]);
    }
  });
});
