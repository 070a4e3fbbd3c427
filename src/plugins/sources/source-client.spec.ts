import { once } from 'node:events';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SourceClient } from './source-client.js';

const servers: (Server | HttpServer)[] = [];
const clients: SourceClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await once(server, 'close');
  }
});

const serve = (listener: RequestListener) => listen(createServer(listener));

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function client(allowPrivate = true, signal = new AbortController().signal): SourceClient {
  const made = new SourceClient({ allowPrivate, userAgent: 'test', signal });
  clients.push(made);
  return made;
}

describe(SourceClient.name, () => {
  it('decompresses, and says where it ended up', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/page' }).end();
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('content'));
    });
    const response = await client().fetch(`${url}/`);
    expect([response.url, await response.text()]).toEqual([`${url}/page`, 'content']);
  });

  it('takes credentials to the same origin only', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end();
    });
    const url = await serve(({ headers, url: path }, response) => {
      seen.push(headers.authorization);
      response.writeHead(307, { location: path === '/' ? '/next' : other }).end();
    });
    await client().fetch(`${url}/`, { headers: { authorization: 'Bearer secret' } });
    expect(seen).toEqual(['Bearer secret', 'Bearer secret', undefined]);
  });

  it('gives up a loop of redirects, and leaves single ones to who asks', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    await expect(client().fetch(url)).rejects.toMatchObject({ code: 'unreachable' });
    expect((await client().fetch(url, { redirect: 'manual' })).status).toBe(302);
  });

  it.each(['file:///etc/passwd', 'ftp://example.com/', 'http://user:secret@127.0.0.1/'])(
    'is not led to %s',
    async (location) => {
      const url = await serve((_, response) => response.writeHead(302, { location }).end());
      await expect(client().fetch(url)).rejects.toMatchObject({ code: 'not_allowed' });
    },
  );

  it('reaches no private address, whatever its name', async () => {
    const url = await serve((_, response) => response.end());
    const port = new URL(url).port;
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '169.254.169.254']) {
      const asked = client(false).fetch(`http://${host}:${port}/`);
      await expect(asked).rejects.toMatchObject({ code: 'not_allowed' });
    }
  });

  it('fails in the middle of a body that is shorter than it says', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('short', () => response.destroy());
    });
    const response = await client().fetch(url);
    await expect(response.text()).rejects.toThrow();
  });

  it('takes as much as a server says, and gives what it sends beyond to no other answer', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour');
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother');
      });
    });
    const url = await listen(server);
    const { fetch: get } = client();
    for (let request = 1; request <= 3; request++) {
      expect(await (await get(`${url}/${request}`)).text()).toBe('four');
    }
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const url = await serve(() => {
      stop.abort(new Error('stopped'));
    });
    await expect(client(true, stop.signal).fetch(url)).rejects.toThrow('stopped');
  });
});
