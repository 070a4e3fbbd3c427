import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { Client, outcome } from '../support/client.js';
import { sendRaw } from '../support/raw-request.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('the pages of the documentation', () => {
  let service: SharedService;

  beforeAll(async () => {
    service = await sharedService();
  });

  /** As it comes over the wire: fetch() would decompress it. */
  async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const outgoing = request(service.url + path, { method, headers });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return {
      status: response.statusCode,
      headers: response.headers,
      body: await buffer(response),
    };
  }

  const assetsOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path = '']) => path);

  it('begin at /', async () => {
    const { status, headers } = await get('/');
    expect([status, headers.location]).toEqual([302, '/console']);
  });

  it('are a page that links the contract as JSON and as YAML', async () => {
    const html = (await get('/docs')).body.toString();
    expect(assetsOf(html)).toEqual(expect.arrayContaining(['/openapi.json', '/openapi.yaml']));
    for (const path of assetsOf(html))
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect(html).toContain('name="viewport"');
    expect((await get('/docs/')).status).toBe(200);
  });

  it('serve the same contract in both forms', async () => {
    const json = await get('/openapi.json');
    const yaml = await get('/openapi.yaml');
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(load(yaml.body.toString())).toEqual(JSON.parse(json.body.toString()));
  });

  it.each(['/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/openapi.json'])(
    'come compressed for who takes it: %s',
    async (path) => {
      const plain = await get(path);
      const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
      const gzip = await get(path, { 'accept-encoding': 'gzip;q=0.5, br;q=0' });
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(brotli.headers['content-encoding']).toBe('br');
      expect(gzip.headers['content-encoding']).toBe('gzip');
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      expect(brotli.body.length).toBeLessThan(plain.body.length / 2);
      for (const { headers, body } of [plain, brotli, gzip]) {
        expect(headers.vary).toMatch(/accept-encoding/i);
        expect(headers['content-length']).toBe(String(body.length));
      }
      const head = await get(path, { 'accept-encoding': 'br' }, 'HEAD');
      expect([head.status, head.body.length]).toEqual([200, 0]);
      expect(head.headers['content-length']).toBe(String(brotli.body.length));
    },
  );

  it.each(['/docs', '/docs/swagger-ui-bundle.js', '/openapi.json', '/openapi.yaml'])(
    'are sent once to a browser that keeps them: %s',
    async (path) => {
      const { headers } = await get(path);
      expect(headers['cache-control']).toBe('no-cache');
      const etag = String(headers.etag);
      const kept = await get(path, { 'if-none-match': `"other", ${etag}` });
      expect([kept.status, kept.body.length, kept.headers.etag]).toEqual([304, 0, etag]);
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    },
  );

  it('leave answers of the API as they are: a secret beside chosen text is not compressed', async () => {
    const alice = new Client(service, newUserId('alice'));
    const kb = await alice.createKnowledgeBase();
    const body = { name: 'x'.repeat(100), environment: 'live', description: 'x'.repeat(1000) };
    const headers = { 'accept-encoding': 'gzip, br' };
    const answer = await alice.post(`/kbs/${kb.id}/api-keys`, body, headers);
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([201, null]);
  });

  it.each([
    ...['/docs/..', '/docs/../../package.json', '/docs/%2e%2e/%2e%2e/package.json'],
    ...['/docs/..%2f..%2fpackage.json', '/docs/..%5c..%5cpackage.json', '/docs/%00'],
    ...['/docs/a\0b', '/docs/swagger-ui.css%00', '/docs/nonsense.js', '/docs/package.json'],
  ])('answer what is none of them as what is not there: %j', async (path) => {
    const answer = await sendRaw(service, `GET ${path}`, []);
    // NUL in a request line is not HTTP.
    expect(outcome(answer)).toBe(path.includes('\0') ? '400 validation_failed' : '404 not_found');
  });
});
