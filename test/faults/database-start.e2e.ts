import { once } from 'node:events';
import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { beforeEach, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { figure } from '../support/figure.js';
import { runSql } from '../support/postgres-process.mjs';
import { freePort } from '../support/postgres.mjs';
import { Service } from '../support/service.js';
import { serverUrl } from '../support/test-database.js';
import { onlyOn } from '../support/requirement.js';

onlyOn('postgres').describe('the start on PostgreSQL', () => {
  const refusal = async (change: (url: URL) => void) => {
    const url = new URL(serverUrl());
    change(url);
    const { code, output } = await Service.refusal({ DATABASE_URL: url.href });
    expect(output).not.toContain(decodeURIComponent(url.password));
    expect(output).not.toContain('postgres://');
    return { code, output: output.trim() };
  };
  const told = (reason: string) => ({
    code: 1,
    output: `The database of DATABASE_URL cannot be used: ${reason}`,
  });

  it('is refused where nothing listens, in one line', async () => {
    const port = String(await freePort());
    expect(await refusal((url) => (url.port = port))).toEqual(told('nothing listens there'));
  });

  it('is refused with a wrong password, in one line without it', async () => {
    expect(await refusal((url) => (url.password = 'wrong-p%40ssword'))).toEqual(
      told('the user name or password was refused'),
    );
  });

  it('is refused on a server that is too old, in one line, which the doctor says too', async () => {
    const [{ server_version_num: current } = {}] = await runSql(
      serverUrl(),
      'SHOW server_version_num',
    );
    const old = await renamedServer(Number(new URL(serverUrl()).port), String(current), '140019');
    const line = 'DATABASE_URL names a PostgreSQL 14; Latchkey needs 15 or later';
    try {
      const port = String((old.address() as AddressInfo).port);
      expect(await refusal((url) => (url.port = port))).toEqual({ code: 1, output: line });
      const url = new URL(serverUrl());
      url.port = port;
      const { output } = await runCommand('operations/doctor.command.js', {
        DATABASE_URL: url.href,
      });
      expect(output).toContain(`problem  ${line}`);
    } finally {
      old.close();
    }
  });

  it('is refused with an unknown user, in one line', async () => {
    expect(await refusal((url) => (url.username = 'nobody-7'))).toEqual(
      told('the user name or password was refused'),
    );
  });

  it('is refused with an unknown database, in one line', async () => {
    expect(await refusal((url) => (url.pathname = '/no-such-database'))).toEqual(
      told('there is no such database'),
    );
  });

  it('is refused with an unknown host, in one line', async () => {
    expect(await refusal((url) => (url.hostname = 'no-such-host.invalid'))).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^The database of DATABASE_URL cannot be used: the host name (is not known|cannot be resolved)$/,
      ),
    });
  });

  it.each(['mysql://root:s3cret-word@127.0.0.1/latchkey', 'postgres://', 's3cret-word'])(
    'is refused with %j, which is named, its value not',
    async (DATABASE_URL) => {
      const { code, output } = await Service.refusal({ DATABASE_URL });
      expect(code).toBe(1);
      expect(output.trim()).toMatch(/^DATABASE_URL .*$/);
      expect(output).not.toContain('s3cret-word');
    },
  );
});

onlyOn('sqlite').describe('the start on a SQLite file', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'latchkey-'));
    file = join(directory, 'latchkey.sqlite');
    const service = await Service.start({ DATA_DIR: directory });
    const alice = new Client(service, 'alice');
    const kb = await alice.createKnowledgeBase();
    const text = 'Customers may return any order within 30 days. '.repeat(2000);
    await alice.addDocument(kb.id, { title: 'Returns', text });
    await service.stop();
  });

  const expectRefusal = async () => {
    const before = readFileSync(file);
    const { code, output } = await Service.refusal({ DATA_DIR: directory });
    expect({ code, output: output.trim() }).toEqual({
      code: 1,
      output: `${file} is not a readable database; restore it from a backup`,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    figure('damaged file: named, not started on, left as it was');
  };

  const overwrite = (start: number, length: number) => {
    const bytes = readFileSync(file);
    bytes.fill(0xa5, start, start + length);
    writeFileSync(file, bytes);
  };

  it('is refused, and the file left, when it holds something else', async () => {
    writeFileSync(file, 'This is no database. '.repeat(1000));
    await expectRefusal();
  });

  it('is refused, and the file left, when its header is damaged', async () => {
    overwrite(0, 16);
    await expectRefusal();
  });

  it('is refused, and the file left, when its first page is damaged', async () => {
    overwrite(100, 3000);
    await expectRefusal();
  });

  it('is refused, and the file left, when half of it is missing', async () => {
    truncateSync(file, Math.floor(readFileSync(file).length / 2 / 4096) * 4096);
    await expectRefusal();
  });

  it('is refused, and the file left, when pages in the middle are damaged', async () => {
    const { length } = readFileSync(file);
    overwrite(Math.floor(length / 2), 4 * 4096);
    await expectRefusal();
  });
});

/** The server on a port, which says that it is of another version, as long as its own. */
async function renamedServer(port: number, version: string, other: string): Promise<Server> {
  const server = createServer((client) => {
    const rename = new Transform({
      transform: (bytes: Buffer, _, done) => {
        done(null, Buffer.from(bytes.toString('latin1').replaceAll(version, other), 'latin1'));
      },
    });
    const upstream = connect(port, '127.0.0.1');
    client.pipe(upstream).pipe(rename).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
