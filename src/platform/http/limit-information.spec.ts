import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { limitInformation } from './limit-information.js';

const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function ask(answer: string): Promise<number | undefined> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', agent: false });
      limitInformation(sent);
      sent.on('error', reject);
      sent.on('response', ({ statusCode }) => {
        resolve(statusCode);
      });
      sent.end();
    });
  } finally {
    server.close();
  }
}

it('takes a few informational responses before an answer', async () => {
  expect(await ask(`${EARLY_HINTS.repeat(10)}HTTP/1.1 200 OK\r\n\r\n`)).toBe(200);
});

it('fails a request that gets them without an end', async () => {
  await expect(ask(EARLY_HINTS.repeat(1000))).rejects.toThrow('does not answer');
});
