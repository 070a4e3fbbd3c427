import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import { afterEach, describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { Problem } from '../../platform/problems/problem.js';
import { receiveUpload } from './receive-upload.js';

const HEAD = [
  'POST / HTTP/1.1',
  'Host: 127.0.0.1',
  'Content-Type: multipart/form-data; boundary=cut',
  'Content-Length: 10000',
].join('\r\n');
const PART = '--cut\r\nContent-Disposition: form-data; name="title"\r\n\r\nHalf a';

describe(receiveUpload.name, () => {
  const app = fastify();

  afterEach(() => app.close());

  it('fails when the client has left before the body is read', async () => {
    await app.register(multipart);
    const receiving = new Promise((resolve, reject) => {
      app.post('/', (request, reply) => {
        reply.hijack();
        request.raw.once('error', () => undefined);
        request.raw.once('close', () => {
          receiveUpload(request, join(tmpdir(), 'never-written'), 1000).then(resolve, reject);
        });
      });
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`${HEAD}\r\n\r\n${PART}`);
    await once(app.server, 'request');
    socket.destroy();
    await expect(receiving).rejects.toThrow(Problem);
  });
});
