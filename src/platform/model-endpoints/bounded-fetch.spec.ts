import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { boundedFetch } from './bounded-fetch.js';

const MAX = 1024 * 1024;
const KB = 1024;

describe(boundedFetch, () => {
  let parts: readonly string[] = [];
  let head = { status: 200, type: 'application/json' };
  const server = createServer((_request, response) => {
    response.writeHead(head.status, { 'content-type': head.type });
    for (const part of parts) response.write(part);
    response.end();
  });
  let url: string;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  async function lengthOf(sent: readonly string[], more: Partial<typeof head> = {}) {
    parts = sent;
    head = { status: 200, type: 'application/json', ...more };
    const response = await boundedFetch(MAX)(url);
    expect(response.status).toBe(head.status);
    return (await response.text()).length;
  }
  const stream = { type: 'text/event-stream; charset=utf-8' };
  const repeat = (count: number, part: string) => Array.from({ length: count }, () => part);

  it('gives an answer as it is', async () => {
    expect(await lengthOf(['{"a":', '1}'])).toBe(7);
    expect(await lengthOf([' '.repeat(MAX)])).toBe(MAX);
    expect(await lengthOf([], { status: 204 })).toBe(0);
  });

  it('fails at the first byte that is too many', async () => {
    await expect(lengthOf([' '.repeat(MAX), ' '])).rejects.toThrow('too long');
    await expect(lengthOf(repeat(2, ' '.repeat(40 * KB)), { status: 500 })).rejects.toThrow();
    await expect(
      lengthOf(repeat(20, `data: ${'x'.repeat(60 * KB)}\n\n`), stream),
    ).rejects.toThrow();
  });

  it.each([
    ['line feeds', '\n', '\n\n'],
    ['carriage returns', '\r', '\r\r'],
    ['both', '\r\n', '\r\n\r\n'],
  ])('takes events that end with %s, in whatever parts they come', async (_name, line, end) => {
    const events = Array.from(
      { length: 100 },
      () => `event: x${line}data: ${'y'.repeat(4 * KB)}${end}`,
    );
    const text = events.join('');
    expect(await lengthOf([text], stream)).toBe(text.length);
    const cut = events.flatMap((event) => [event.slice(0, -1), event.slice(-1)]);
    expect(await lengthOf(cut, stream)).toBe(text.length);
  });

  it.each([
    ['a line without an end', ' '.repeat(256 * KB)],
    ['lines without an empty one', 'data: x\n'.repeat(32 * KB)],
    ['such lines of another system', 'data: x\r\n'.repeat(32 * KB)],
  ])('fails at an event of %s', async (_name, event) => {
    await expect(lengthOf([event], stream)).rejects.toThrow();
    // No event of a stream.
    expect(await lengthOf([event])).toBe(event.length);
  });
});
