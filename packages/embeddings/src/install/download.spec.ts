import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { download } from './download.js';

const CONTENT = 'x'.repeat(100_000);
const HASH = createHash('sha256').update(CONTENT).digest('hex');
const folder = mkdtempSync(join(tmpdir(), 'download-'));
const ranges: (string | undefined)[] = [];
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(({ url: path = '', method, headers }, response) => {
    if (path === '/missing') return void response.writeHead(404).end();
    const hash =
      path === '/altered' ? HASH.replace(/./, (digit) => (digit === '0' ? '1' : '0')) : HASH;
    response.setHeader('x-linked-etag', `"${hash}"`);
    if (method === 'HEAD') return void response.end();
    ranges.push(headers.range);
    const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200).end(CONTENT.slice(from));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  ranges.length = 0;
});

describe(download, () => {
  it('continues what an interrupted download has left', async () => {
    const path = join(folder, 'continued');
    writeFileSync(`${path}.part`, CONTENT.slice(0, 70_000));
    let bytes = 0;
    expect(await download(`${url}/file`, path, (count) => (bytes += count))).toBe(true);
    expect(ranges).toEqual(['bytes=70000-']);
    expect(bytes).toBe(CONTENT.length);
    expect(readFileSync(path, 'utf8')).toBe(CONTENT);
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it('says that a server does not have the file', async () => {
    const path = join(folder, 'missing');
    expect(await download(`${url}/missing`, path, () => undefined)).toBe(false);
    expect(existsSync(path)).toBe(false);
  });

  it('refuses, and forgets, what has another hash than the server says', async () => {
    const path = join(folder, 'altered');
    const attempt = download(`${url}/altered`, path, () => undefined);
    await expect(attempt).rejects.toThrow('another hash');
    expect([path, `${path}.part`].filter((file) => existsSync(file))).toEqual([]);
  });
});
