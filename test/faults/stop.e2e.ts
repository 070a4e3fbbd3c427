import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ApiKeyUsage,
  atOnce,
  Client,
  type IssuedApiKey,
  type KnowledgeBase,
} from '../support/client.js';
import { figure } from '../support/figure.js';
import { sendRaw } from '../support/raw-request.js';
import { eventually, Service } from '../support/service.js';

const IN_FLIGHT = 50;
const GRACE_SECONDS = 10;

describe('SIGTERM', () => {
  let service: Service;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  beforeEach(async () => {
    service = await Service.start({ SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS) });
    const alice = new Client(service, 'alice');
    kb = await alice.createKnowledgeBase();
    key = await alice.createApiKey(kb.id);
    await alice.addDocument(kb.id, { title: 'Returns', text: 'Orders may be returned.' });
  });

  afterEach(() => service.stop());

  const isRefused = () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    return new Promise<boolean>((resolve) => {
      socket.on('connect', () => {
        socket.destroy();
        resolve(false);
      });
      socket.on('error', () => {
        resolve(true);
      });
    });
  };

  /** A question of which the server has all but the last byte. */
  async function begin(): Promise<{ socket: Socket; last: string }> {
    const body = JSON.stringify({ api_key: key.api_key, message: 'returned' });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      [
        'POST /api/v1/query HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body.slice(0, -1),
      ].join('\r\n'),
    );
    return { socket, last: body.slice(-1) };
  }

  it(`lets ${IN_FLIGHT} requests in flight finish, refuses new ones, and counts them`, async () => {
    const requests = await atOnce(IN_FLIGHT, begin);
    // An answer on a connection made after theirs: the server has read them.
    await sendRaw(service, 'GET /health/live', []);
    const answers = requests.map(({ socket }) => text(socket));
    const begun = performance.now();
    const stopped = service.stop();
    await eventually(isRefused);
    for (const { socket, last } of requests) socket.write(last);
    const statuses = (await Promise.all(answers)).map((answer) => answer.split(' ')[1]);
    expect(statuses).toEqual(requests.map(() => '200'));
    expect(await stopped).toBe(0);
    const elapsed = performance.now() - begun;
    expect(elapsed).toBeLessThan(GRACE_SECONDS * 1000);
    // The process has ended since nothing was left to do: see endProcess.
    expect(service.logs).not.toContain('Left open');
    figure(
      `SIGTERM with ${IN_FLIGHT} in flight: all answered, exit 0 after ${Math.round(elapsed)} ms`,
    );

    service = await Service.start(service.environment);
    const { body } = await new Client(service, 'alice').get<ApiKeyUsage>(
      `/api-keys/${key.id}/usage`,
    );
    expect(body.requests_24h).toBe(IN_FLIGHT);
  });

  it('ends indexing in order, and the next start goes on', async () => {
    const alice = new Client(service, 'alice');
    await alice.post(`/kbs/${kb.id}/documents`, { title: 'B', text: 'Bees fly. '.repeat(20_000) });
    expect(await service.stop()).toBe(0);
    service = await Service.start(service.environment);
    await eventually(async () => {
      const list = `/kbs/${kb.id}/documents?status=ready`;
      return (await new Client(service, 'alice').get<{ total: number }>(list)).body.total === 2;
    });
  });
});
