import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { eventually, Service } from '../support/service.js';

const JSON_TYPE = 'application/json';
const MULTIPART = 'multipart/form-data; boundary=cut';
const FILE =
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHalf a file';

describe('a body that the client cuts off', () => {
  let service: Service;
  let kbId: string;

  beforeAll(async () => {
    service = await Service.start();
    kbId = (await new Client(service, 'alice').createKnowledgeBase()).id;
  });

  afterAll(() => service.stop());

  /** Sends the first part of a request and hangs up as soon as the service waits for the rest. */
  async function cutOff(id: string, path: string, type: string, part: string): Promise<void> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `POST /api/v1/${path} HTTP/1.1`,
      `Host: ${hostname}`,
      `X-Request-Id: ${id}`,
      ...(path.startsWith('kbs') ? ['X-Idp-User-Id: alice'] : []),
      `Content-Type: ${type}`,
      'Content-Length: 10000',
      'Expect: 100-continue',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await once(socket, 'data');
    socket.end(part);
    socket.destroy();
  }

  it.each([
    ['JSON of a user', 'kbs', JSON_TYPE, '{"name": "Half a'],
    ['JSON with a credential in it', 'query', JSON_TYPE, '{"message": "Half a'],
    ['JSON without a credential', 'leaked-api-keys', JSON_TYPE, '{"api_keys": ["half'],
    ['a document as JSON', 'documents', JSON_TYPE, '{"title": "Half a'],
    ['a file', 'documents', MULTIPART, FILE],
    ['a field of a form', 'documents', MULTIPART, FILE.replace('; filename="a.txt"', '')],
  ])('is a debug line and no error: %s', async (what, to, type, part) => {
    const id = what.replaceAll(' ', '-');
    const path = to === 'documents' ? `kbs/${kbId}/documents` : to;
    const lines = () => service.logs.split('\n');
    const isTold = () => lines().some((line) => line.includes(id) && line.includes('cut off'));
    // Hung up before the body is read, there is nothing to tell.
    await eventually(async () => {
      if (!isTold()) await cutOff(id, path, type, part);
      return isTold() || lines().some(isError);
    });
    expect(lines().filter(isError)).toEqual([]);
    expect(lines().find((line) => line.includes('cut off'))).toContain('"level":"debug"');
  });

  it('leaves the service as it was', async () => {
    const { status } = await new Client(service, 'alice').get(`/kbs/${kbId}`);
    expect(status).toBe(200);
  });
});

const isError = (line: string) => line.includes('"level":"error"');
