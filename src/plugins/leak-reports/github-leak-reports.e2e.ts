import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withChecksum } from '../../../test/support/api-key-secret.js';
import {
  type AuditEvent,
  Client,
  type IssuedApiKey,
  outcome,
  type Page,
} from '../../../test/support/client.js';
import { eventually, Service } from '../../../test/support/service.js';

interface Verdict {
  token_raw: string;
  token_type: string;
  label: string;
}

const LEAKED_KEY = withChecksum(`rag_live_${'Ab3'.repeat(14)}`);

const makeKeys = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve });

describe('a leak report in GitHub’s form', () => {
  const published = new Map<string, KeyObject>();
  const [first, foreign, weak] = [makeKeys(), makeKeys(), makeKeys('P-384')];
  let isAway = false;
  let reads = 0;
  let github: Server;
  let service: Service;
  let alice: Client;
  let anyone: Client;
  let kbId: string;

  beforeAll(async () => {
    published.set('first', first.publicKey).set('weak', weak.publicKey);
    github = createServer((_, response) => {
      reads++;
      const keys = [...published].map(([key_identifier, key]) => ({
        key_identifier,
        key: key.export({ type: 'spki', format: 'pem' }),
        is_current: true,
      }));
      response.writeHead(isAway ? 500 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ public_keys: keys }));
    }).listen(0, '127.0.0.1');
    await once(github, 'listening');
    const { port } = github.address() as AddressInfo;
    service = await Service.start({
      GITHUB_SECRET_SCANNING_KEYS_URL: `http://127.0.0.1:${port}/keys`,
    });
    alice = new Client(service, 'alice');
    anyone = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(async () => {
    await service.stop();
    github.close();
  });

  const sign = (body: string, key: KeyObject) =>
    createSign('SHA256').update(body).sign(key, 'base64');
  const send = (body: string, identifier?: string, signature?: string) =>
    anyone.post<Verdict[]>('/leaked-api-keys/github', body, {
      ...(identifier !== undefined && { 'github-public-key-identifier': identifier }),
      ...(signature !== undefined && { 'github-public-key-signature': signature }),
    });
  const report = (reports: unknown) => {
    const body = JSON.stringify(reports);
    return send(body, 'first', sign(body, first.privateKey));
  };
  const find = (token: string, more: object = {}) => ({
    token,
    type: 'latchkey_api_key',
    url: 'https://github.com/octocat/Hello-World/blob/master/config.env',
    source: 'content',
    ...more,
  });
  const use = async ({ api_key }: IssuedApiKey) =>
    outcome(await anyone.query(api_key, 'Anything?'));
  const labels = async (reports: unknown) => (await report(reports)).body.map(({ label }) => label);

  it('is answered 503 while GitHub’s keys cannot be read, and accepted once they can', async () => {
    isAway = true;
    expect(outcome(await report([find(LEAKED_KEY)]))).toBe('503 signing_keys_unavailable');
    isAway = false;
    await service.stop();
    service = await Service.start(service.environment);
    [alice, anyone] = [new Client(service, 'alice'), new Client(service)];
    await eventually(async () => outcome(await report([find(LEAKED_KEY)])) === '200');
    expect(await labels([find(LEAKED_KEY)])).toEqual(['false_positive']);
  });

  it('revokes the real keys at once, and keeps where they were found', async () => {
    const key = await alice.createApiKey(kbId);
    const url = `https://github.com/octocat/x?key=${key.api_key}`;
    const { status, body } = await report([find(LEAKED_KEY), find(key.api_key, { url })]);
    expect(status).toBe(200);
    expect(body).toEqual([
      { token_raw: LEAKED_KEY, token_type: 'latchkey_api_key', label: 'false_positive' },
      { token_raw: key.api_key, token_type: 'latchkey_api_key', label: 'true_positive' },
    ]);
    expect(await use(key)).toBe('401 api_key_revoked');
    const { body: events } = await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events`);
    expect(events.data[0]).toMatchObject({
      action: 'api_key.reported_as_leaked',
      actor: 'leak-report',
      target_id: key.id,
      details: {
        prefix: key.prefix,
        reported_by: 'github',
        type: 'latchkey_api_key',
        url: 'https://github.com/octocat/x?key=rag_live_[redacted]',
        source: 'content',
      },
    });
    expect(JSON.stringify(events)).not.toContain(key.api_key);
  });

  it('recognises keys that were revoked or deleted before', async () => {
    const [revoked, deleted] = [await alice.createApiKey(kbId), await alice.createApiKey(kbId)];
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await alice.call('DELETE', `/api-keys/${deleted.id}`);
    const reports = [revoked.api_key, deleted.api_key, 'ghp_nonsense', ''].map((one) => find(one));
    expect(await labels(reports)).toEqual([
      'true_positive',
      'true_positive',
      'false_positive',
      'false_positive',
    ]);
  });

  it('does nothing unless it is signed, by a key of GitHub’s', async () => {
    const key = await alice.createApiKey(kbId);
    const body = JSON.stringify([find(key.api_key)]);
    const signature = sign(body, first.privateKey);
    const other = sign(body.replace('content', 'comment'), first.privateKey);
    const refused = [
      await send(body),
      await send(body, 'first'),
      await send(body, undefined, signature),
      await send(body, 'unknown', signature),
      await send(body, 'first', ''),
      await send(body, 'first', 'nonsense'),
      await send(body, 'first', other),
      await send(`${body} `, 'first', signature),
      await send(body, 'first', sign(body, foreign.privateKey)),
      await send(body, 'weak', sign(body, weak.privateKey)),
    ];
    expect(refused.map(outcome)).toEqual(refused.map(() => '401 invalid_signature'));
    expect(await use(key)).toBe('200');
    expect(outcome(await send(body, 'first', signature))).toBe('200');
    expect(await use(key)).toBe('401 api_key_revoked');
  });

  it.each([
    ['no list', find(LEAKED_KEY)],
    ['a list of text', ['x']],
    ['no token', [{ type: 'x' }]],
    ['no type', [{ token: 'x' }]],
    ['an unknown field', [find(LEAKED_KEY, { more: 1 })]],
    ['a field that every object has', [find(LEAKED_KEY, { constructor: 1 })]],
    ['a number for a url', [find(LEAKED_KEY, { url: 1 })]],
    ['too many', Array.from({ length: 1001 }, () => find('x'))],
  ])('is refused with %s', async (_, reports) => {
    expect(outcome(await report(reports))).toBe('400 validation_failed');
  });

  it.each([
    ['no place', { url: undefined, source: undefined }],
    ['null for a place', { url: null, source: null }],
    ['NUL and half a surrogate pair in it', { url: 'a\0b\ud800', source: '' }],
    ['a long place', { url: 'x'.repeat(100_000) }],
  ])('is accepted with %s', async (_, more) => {
    const key = await alice.createApiKey(kbId);
    expect(await labels([find(key.api_key, more)])).toEqual(['true_positive']);
  });

  it('reads GitHub’s keys once', async () => {
    const before = reads;
    for (let index = 0; index < 20; index++) await report([find(LEAKED_KEY)]);
    expect(reads).toBe(before);
  });
});
