import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey, type KnowledgeBase, outcome } from '../support/client.js';
import { linesOf } from '../support/audit-log.js';
import { runCommand } from '../support/command.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { createDatabase } from '../support/postgres.mjs';
import { engine, serverUrl } from '../support/test-database.js';
import { onlyOn, optionalTool } from '../support/requirement.js';

/** Large enough that its original is a file. */
const LARGE = { title: 'Bees', text: 'Bees make honey of nectar. '.repeat(3000) };
const QUESTION = 'How long may customers return an order?';
const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };

const newDirectory = () =>
  mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'backup-'));
const backUp = (environment: NodeJS.ProcessEnv, file: string) =>
  runCommand('operations/backup.command.js', environment, '', file);
const restore = (environment: NodeJS.ProcessEnv, file: string) =>
  runCommand('operations/restore.command.js', environment, '', file);
const mode = (file: string) => (statSync(file).mode & 0o777).toString(8);

onlyOn('sqlite').describe('a backup of the embedded database', () => {
  let service: Service;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;
  let revoked: IssuedApiKey;
  let largeId: string;
  /** A backup of a service that was writing all the time. */
  let backup: string;
  let acknowledged: string[];

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice');
    kb = await alice.createKnowledgeBase();
    key = await alice.createApiKey(kb.id);
    revoked = await alice.createApiKey(kb.id);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await alice.addDocument(kb.id, DOCUMENT);
    largeId = (await alice.addDocument(kb.id, LARGE)).id;

    // A line for AUDIT_LOG, which the service whose backup it is has written since.
    const line =
      '{"metadata":{"uid":"of-the-backup","sequence":7},"unmapped":{"chain_id":"c","key_id":"k","prev_hash":"p","hash":"h"}}';
    await sql(
      service.environment,
      `INSERT INTO audit_batches (chain_id, sequence, last_sequence, lines)
        VALUES ('c', 7, 7, '${line}' || char(10))`,
    );
    backup = join(newDirectory(), 'latchkey.backup');
    const written: string[] = [];
    let over = false;
    const write = async () => {
      while (!over) written.push((await alice.createKnowledgeBase('Load')).id);
    };
    const load = Array.from({ length: 10 }, write);
    await eventually(() => written.length > 50);
    acknowledged = [...written];
    const { code, output } = await backUp(service.environment, backup);
    const duringBackup = written.length - acknowledged.length;
    over = true;
    await Promise.all(load);
    expect([code, output]).toEqual([
      0,
      `${backup} holds the database and api-key-pepper, checked\n`,
    ]);
    // It has not held up the service: more was written than the writes that had begun before it.
    expect(duringBackup).toBeGreaterThan(load.length);
  });

  afterAll(() => service.stop());

  it('is one file, for its owner only', () => {
    expect(readdirSync(join(backup, '..'))).toEqual(['latchkey.backup']);
    expect(mode(backup)).toBe('600');
  });

  it('restored elsewhere, has all that was acknowledged before it, and its keys work', async () => {
    const DATA_DIR = join(newDirectory(), 'data');
    expect(await restore({ DATA_DIR }, backup)).toMatchObject({ code: 0 });
    expect(readdirSync(DATA_DIR).sort()).toEqual(['api-key-pepper', 'latchkey.sqlite']);
    expect(mode(join(DATA_DIR, 'api-key-pepper'))).toBe('600');

    const log = join(newDirectory(), 'audit.jsonl');
    const restored = await Service.start({ DATA_DIR, AUDIT_LOG: `file:${log}` });
    await eventually(() => existsSync(log) && readFileSync(log, 'utf8').endsWith('\n'));
    expect(JSON.parse(linesOf(readFileSync(log, 'utf8'))[0] ?? '')).toEqual({
      metadata: { uid: 'of-the-backup', sequence: 1 },
      unmapped: expect.not.objectContaining({ chain_id: 'c' }),
    });
    const again = new Client(restored, 'alice');
    const partner = new Client(restored);
    const answers = await Promise.all(acknowledged.map((id) => again.get(`/kbs/${id}`)));
    expect(answers.map(outcome)).toEqual(acknowledged.map(() => '200'));
    const { body } = await partner.query(key.api_key, QUESTION);
    expect(body.results.map(({ text }) => text)).toEqual([DOCUMENT.text]);
    expect(outcome(await partner.query(revoked.api_key, QUESTION))).toBe('401 api_key_revoked');
    // The originals, too.
    expect((await again.get(`/documents/${largeId}/original`)).text).toBe(LARGE.text);
    // And it can be written to.
    expect((await again.addDocument(kb.id, { title: 'B', text: 'Bees.' })).status).toBe('ready');
    await restored.stop();
  });

  it('overwrites nothing', async () => {
    const before = readFileSync(backup);
    const { code, output } = await backUp(service.environment, backup);
    expect([code, output]).toEqual([1, `${backup} already exists\n`]);
    expect(readFileSync(backup).equals(before)).toBe(true);
    expect(readdirSync(join(backup, '..'))).toEqual(['latchkey.backup']);
  });

  it('is refused where it cannot be written, in one line', async () => {
    const file = join(newDirectory(), 'missing', 'latchkey.backup');
    const { code, output } = await backUp(service.environment, file);
    expect([code, output]).toEqual([1, expect.stringMatching(/^.* could not be written: .*\n$/)]);
  });

  it('is not restored over a database, whether its service is running or not', async () => {
    const { code, output } = await restore(service.environment, backup);
    expect([code, output]).toEqual([1, expect.stringMatching(/^A database already exists: .*\n$/)]);
    expect(outcome(await alice.get(`/kbs/${kb.id}`))).toBe('200');
  });

  it('is not restored beside another pepper', async () => {
    const DATA_DIR = newDirectory();
    writeFileSync(join(DATA_DIR, 'api-key-pepper'), 'another');
    expect(await restore({ DATA_DIR }, backup)).toMatchObject({ code: 1 });
    expect(readFileSync(join(DATA_DIR, 'api-key-pepper'), 'utf8')).toBe('another');
    expect(readdirSync(DATA_DIR)).toEqual(['api-key-pepper']);
  });

  it.each([
    ['half of one', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    ['the database as it is', () => readFileSync(join(service.dataDir, 'latchkey.sqlite'))],
    ['something else', () => Buffer.from('This is no backup. '.repeat(1000))],
    ['nothing', () => Buffer.alloc(0)],
  ])('is told apart from %s, which is not restored', async (_, contentOf) => {
    const file = join(newDirectory(), 'latchkey.backup');
    writeFileSync(file, contentOf(readFileSync(backup)));
    const DATA_DIR = newDirectory();
    expect(await restore({ DATA_DIR }, file)).toEqual({
      code: 1,
      output: `${file} is not a complete backup\n`,
    });
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  it('leaves out nothing that cannot be made again', () => {
    // A new name here must either go into the backup or be something that is made again; the files of
    // `contents` are in its database.
    const derived = ['search', 'migration.lock', 'latchkey.sqlite-wal', 'latchkey.sqlite-shm'];
    const kept = readdirSync(service.dataDir).filter((name) => !derived.includes(name));
    expect(kept.sort()).toEqual(['api-key-pepper', 'contents', 'latchkey.sqlite']);
  });
});

onlyOn('postgres').describe('the backup command on PostgreSQL', () => {
  it.each([
    ['backup', backUp],
    ['restore', restore],
  ])('%s refuses, and says what to use', async (_, command) => {
    const file = join(newDirectory(), 'latchkey.backup');
    const environment = { DATABASE_URL: 'postgres://127.0.0.1/latchkey', DATA_DIR: newDirectory() };
    const { code, output } = await command(environment, file);
    expect([code, output]).toEqual([1, expect.stringContaining('pg_')]);
    expect(existsSync(file)).toBe(false);
  });
});

const DOCS = readFileSync('docs/operations.md', 'utf8');

/** The page's own block of commands for PostgreSQL. */
const postgresCommands = /```sh\n(pg_dump[^`]*)```/.exec(DOCS)?.[1] ?? '';

/** The page's own command that begins so, with a file of the test's in the place of its own. */
const documented = (command: string, file: string) => {
  const line = DOCS.split('\n').find((text) => text.startsWith(`npm run ${command} -- `)) ?? '';
  return line.replace('latchkey.backup', file);
};

// They refuse a server that is newer than themselves.
const dumps =
  engine === 'postgres' &&
  majorOf(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout) >=
    majorOf(
      spawnSync('psql', [serverUrl(), '-Atc', 'SHOW server_version'], { encoding: 'utf8' }).stdout,
    );
const needed = onlyOn('postgres').and(optionalTool('a pg_dump as new as the server', dumps));

needed.describe('docs/operations.md on PostgreSQL', () => {
  it('has commands that back up a running service and restore it', async () => {
    const service = await Service.start();
    const { id } = await new Client(service, 'alice').createKnowledgeBase();
    const { api_key } = await new Client(service, 'alice').createApiKey(id);
    const empty = await createDatabase(serverUrl());
    await promisify(execFile)('bash', ['-eu', '-c', postgresCommands], {
      cwd: newDirectory(),
      env: { ...process.env, ...service.environment, EMPTY_DATABASE_URL: empty },
    });
    await service.stop();
    const restored = await Service.start({ ...service.environment, DATABASE_URL: empty });
    expect(outcome(await new Client(restored, 'alice').get(`/kbs/${id}`))).toBe('200');
    expect(outcome(await new Client(restored).query(api_key, QUESTION))).toBe('200');
    await restored.stop();
  });
});

onlyOn('sqlite').describe('docs/operations.md', () => {
  it('has commands that back up and restore as they stand', async () => {
    const service = await Service.start();
    const { id } = await new Client(service, 'alice').createKnowledgeBase();
    const file = join(newDirectory(), 'latchkey.backup');
    const run = (script: string, environment: NodeJS.ProcessEnv) =>
      promisify(execFile)('bash', ['-eu', '-c', script], {
        env: { PATH: process.env['PATH'], ...environment },
      });
    await run(documented('backup', file), service.environment);
    await service.stop();
    const DATA_DIR = join(newDirectory(), 'data');
    await run(documented('restore', file), { DATA_DIR });
    const restored = await Service.start({ DATA_DIR });
    expect(outcome(await new Client(restored, 'alice').get(`/kbs/${id}`))).toBe('200');
    await restored.stop();
  });
});

function majorOf(version: string | null): number {
  return Number(/\d+/.exec(version ?? '')?.[0] ?? NaN);
}
