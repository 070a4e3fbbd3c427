import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { atOnce, Client, type IssuedApiKey, outcome, outcomes } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const SLOW_CLIENTS = 200;
const CALLS = 300;
/** Headers must arrive in 10 s, all of a request in 30 s; the server looks every 2 s. */
const CLOSED_WITHIN_MS = 35_000;
const QUESTION = 'How long may customers return an order?';

/** Requests after whose beginning nothing more comes. */
const BEGINNINGS = [
  // Headers that never end.
  'POST /api/v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Any: ',
  // A body that never ends.
  [
    'POST /api/v1/query HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    'Content-Length: 1000',
    '',
    '{"api_key": "rag_live_',
  ].join('\r\n'),
];

describe('slow clients', () => {
  let service: Service;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let key: IssuedApiKey;
  let slow: { socket: Socket; heard: string }[];

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice');
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    const text = 'Customers may return any order within 30 days.';
    await alice.addDocument(kbId, { title: 'Returns', text });
    key = await alice.createApiKey(kbId);
    await partner.query(key.api_key, QUESTION);
    slow = await atOnce(SLOW_CLIENTS, (index) => halfOpen(BEGINNINGS[index % 2] ?? ''));
  });

  afterAll(async () => {
    for (const { socket } of slow) socket.destroy();
    await service.stop();
  });

  async function halfOpen(beginning: string) {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const client = { socket, heard: '' };
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => (client.heard += bytes.toString()));
    await once(socket, 'connect');
    socket.write(beginning);
    return client;
  }

  /** How long each of a valid caller's questions took, shortest first. */
  async function durations(): Promise<number[]> {
    const all: number[] = [];
    for (let call = 0; call < CALLS; call++) {
      const start = performance.now();
      expect(outcome(await partner.query(key.api_key, QUESTION))).toBe('200');
      all.push(performance.now() - start);
    }
    return all.sort((a, b) => a - b);
  }

  const open = () => slow.filter(({ socket }) => !socket.closed && !socket.readableEnded).length;

  it('hold up no valid caller, and no revocation', async () => {
    expect(open()).toBe(SLOW_CLIENTS);
    const sorted = await durations();
    expect(sorted.at(-1)).toBeLessThan(STALLED_MS);

    const other = await alice.createApiKey(kbId);
    expect(outcome(await partner.query(other.api_key, QUESTION))).toBe('200');
    expect(outcome(await alice.call('PATCH', `/api-keys/${other.id}/revoke`))).toBe('200');
    const refused = await atOnce(50, () => partner.query(other.api_key, QUESTION));
    expect(outcomes(refused)).toEqual({ '401 api_key_revoked': 50 });
  });

  it('do not keep a body of more than 1 MiB from being refused', async () => {
    const tooLarge = await partner.query(key.api_key, 'x'.repeat(1024 * 1024));
    expect(outcome(tooLarge)).toBe('413 payload_too_large');
  });

  it('are told that they took too long, and let go', async () => {
    await eventually(() => open() === 0, CLOSED_WITHIN_MS);
    const statuses = slow.map(({ heard }) => heard.split('\r\n', 1)[0]);
    expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
    expect(outcome(await partner.query(key.api_key, QUESTION))).toBe('200');
  });
});
