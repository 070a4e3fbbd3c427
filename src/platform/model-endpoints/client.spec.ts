import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openAiClient } from './client.js';

describe(openAiClient, () => {
  let server: Server;
  let paths: string[];

  beforeEach(async () => {
    paths = [];
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
  });

  // 307 and 308 would send the prompt again.
  it.each([301, 302, 303, 307, 308])('follows no redirect with status %i', async (status) => {
    server.on('request', (request, response) => {
      paths.push(String(request.url));
      response.writeHead(status, { location: '/elsewhere' }).end('{}');
    });
    const { port } = server.address() as AddressInfo;
    const endpoint = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: undefined };
    const client = openAiClient(endpoint, { maxBytes: 1000, timeout: 10_000 });
    await expect(client.post('/rerank', { body: {} })).rejects.toMatchObject({ status });
    expect(paths).toEqual(['/v1/rerank']);
  });
});
