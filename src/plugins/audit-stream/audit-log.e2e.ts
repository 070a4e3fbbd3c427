import { mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  auditCommand,
  type AuditLine,
  linesOf,
  parsedLines,
  verifyAudit,
} from '../../../test/support/audit-log.js';
import { Client, type KnowledgeBase } from '../../../test/support/client.js';
import { ObjectStore } from '../../../test/support/object-store.js';
import { freePort } from '../../../test/support/postgres.mjs';
import { onlyOn, withPlugins } from '../../../test/support/requirement.js';
import { eventually, Service } from '../../../test/support/service.js';
import { hold, sql } from '../../../test/support/sql.js';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-audit-'));
const logs = join(folder, 'logs');
const log = join(logs, 'audit.jsonl');
/** The name of a knowledge base. */
const NAME = 'Grüße\u2028Bearer of-something-secret';
const textOf = (file: string) => readFileSync(file, 'utf8');
const wholeLog = () => {
  try {
    return textOf(log);
  } catch {
    return '';
  }
};

const keyOf = ({ url = '' }: IncomingMessage) =>
  decodeURIComponent(new URL(url, 'http://store').pathname).split('/').slice(2).join('/');

describe('AUDIT_LOG', () => {
  let service: Service;
  let alice: Client;
  let kb: KnowledgeBase;
  let keys: string;
  let head: string;
  let store: ObjectStore;
  let metrics: string;

  const verify = (...args: string[]) => verifyAudit(keys, ...args);
  /** @returns what is wrong with a log of these lines */
  const complaint = async (lines: readonly string[], ...args: string[]) => {
    const file = join(folder, 'changed.jsonl');
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    const { code, stderr } = await verify(...args, file);
    return `${code} ${/wrong from line \d+/.exec(stderr)?.[0] ?? stderr}`;
  };
  /** How many lines are not written yet. */
  const waiting = async () => {
    const rows = 'SELECT number FROM audit_batches UNION ALL SELECT number FROM audit_outbox';
    return (await sql(service.environment, rows)).length;
  };
  const headOf = ({ environment }: Service) => auditCommand(environment, 'head');

  beforeAll(async () => {
    store = await ObjectStore.start();
    service = await Service.start({ AUDIT_LOG: `file:${log}` });
    alice = new Client(service, 'alice');
    kb = await alice.createKnowledgeBase();
    keys = await auditCommand(service.environment, 'keys');
  });
  afterAll(async () => {
    await service.stop();
    await store.stop();
  });

  it('queues events while it cannot be written, logs that once, and the service goes on', async () => {
    await eventually(() => service.logs.includes('Cannot write AUDIT_LOG'));
    await alice.createApiKey(kb.id);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(service.logs.split('Cannot write AUDIT_LOG')).toHaveLength(2);
    mkdirSync(logs);
    await eventually(() => parsedLines(wholeLog()).length >= 2);
  });

  withPlugins('service-accounts').it('has a service account as an account of OCSF', async () => {
    const { id } = await alice.createServiceAccount(kb.id);
    const account = () => parsedLines(wholeLog()).find(({ class_uid }) => class_uid === 3001);
    await eventually(() => account() !== undefined);
    expect(account()).toMatchObject({
      ...{ activity_id: 1, metadata: { event_code: 'service_account.created' }, user: { uid: id } },
    });
  });

  it('has each event as a line of OCSF, in one chain', async () => {
    await alice.createKnowledgeBase(NAME);
    await alice.call('PUT', `/kbs/${kb.id}/members/bob`, { role: 'viewer' });
    await alice.call('DELETE', `/kbs/${kb.id}/members/bob`);
    const { body } = await alice.get<{ data: { id: string; action: string }[] }>(
      `/audit-events?limit=100`,
    );
    await eventually(() => parsedLines(wholeLog()).length === body.data.length);
    const lines = parsedLines(wholeLog());
    expect(lines.map(({ metadata }) => metadata.uid).sort()).toEqual(
      body.data.map(({ id }) => id).sort(),
    );
    expect(lines.map(({ metadata }) => metadata.sequence)).toEqual(lines.map((_, n) => n + 1));
    const kinds = lines.map(({ class_uid, activity_id, metadata }) => [
      metadata.event_code,
      class_uid,
      activity_id,
    ]);
    expect(kinds).toEqual(
      expect.arrayContaining([
        ['knowledge_base.created', 3004, 1],
        ['api_key.created', 3004, 1],
        ['member.added', 3005, 1],
        ['member.removed', 3005, 2],
      ]),
    );
    expect(lines.filter(({ class_uid }) => class_uid === 3005).at(-2)).toMatchObject({
      category_uid: 3,
      type_uid: 300501,
      time: expect.any(Number),
      severity_id: 1,
      status_id: 1,
      metadata: {
        version: '1.5.0',
        product: { name: 'Latchkey', vendor_name: 'Latchkey' },
        correlation_uid: expect.any(String),
      },
      actor: { user: { uid: 'alice' } },
      user: { uid: 'bob' },
      privileges: ['viewer'],
      resources: [{ uid: kb.id, type: 'knowledge_base' }],
    });
    head = await headOf(service);
    const { stdout } = await verify('--head', head, log);
    expect(stdout).toContain(`head ${head}`);
    expect(stdout).toContain('nothing is altered, left out or put in');
  });

  it('shows from which line on something was altered, removed, inserted, reordered or cut', async () => {
    const lines = linesOf(textOf(log));
    const [first = '', second = '', third = '', ...rest] = lines;
    expect(await complaint([first, second.replace('alice', 'mallo'), third])).toBe(
      '1 wrong from line 2',
    );
    expect(await complaint([first, third, ...rest])).toBe('1 wrong from line 2');
    expect(await complaint([first, third, second, ...rest])).toBe('1 wrong from line 2');
    const { unmapped: _, ...forged } = JSON.parse(second) as AuditLine;
    expect(await complaint([first, second, JSON.stringify(forged), third])).toBe(
      '1 wrong from line 3',
    );
    expect(await complaint([first, second, 'anything', third])).toBe('1 wrong from line 3');
    expect(await complaint([first, second.slice(0, 100), third])).toBe('1 wrong from line 2');
    expect(await complaint([first, second, third.slice(0, -1)])).toBe('1 wrong from line 3');
    const cutEnd = lines.slice(0, -1);
    expect(await complaint(cutEnd, '--head', head)).toBe(`1 wrong from line ${lines.length}`);
    const beforeSecond = `1:${/"hash":"(\w+)"\}\}$/.exec(first)?.[1]}`;
    expect(await complaint([second, third], '--after', beforeSecond)).toBe('0 ');
    expect(await complaint([third], '--after', beforeSecond)).toBe('1 wrong from line 2');
    const other = `1:${'0'.repeat(64)}`;
    expect(await complaint([second, third], '--after', other)).toBe('1 wrong from line 2');
    expect(await complaint(lines, '--head', other)).toBe('1 wrong from line 1');
  });

  it('may have lines twice, and one that was cut at a crash and follows whole', async () => {
    const [first = '', second = '', ...rest] = linesOf(textOf(log));
    expect(await complaint([first, second, first, second, ...rest])).toBe('0 ');
    expect(await complaint([first, second.slice(0, 9), first, second, ...rest])).toBe('0 ');
    expect(await complaint(['{"level":30}', first, 'a log'], '--among-logs')).toBe('0 ');
  });

  it('may be cut within a character', async () => {
    const lines = linesOf(textOf(log));
    const named = Buffer.from(lines.find((line) => line.includes(NAME)) ?? '');
    const cut = named.subarray(0, named.indexOf('ü') + 1);
    const file = join(folder, 'changed.jsonl');
    writeFileSync(file, cut);
    writeFileSync(file, `\n${lines.join('\n')}\n`, { flag: 'a' });
    expect(await verify(file)).toMatchObject({ code: 0 });
  });

  it('has lines that end nowhere but at a line feed, and no secrets', async () => {
    expect(wholeLog()).toContain(String.raw`\u2028`);
    expect(wholeLog()).not.toContain('\u2028');
    expect(wholeLog()).toContain('Bearer [redacted]');
    const file = join(folder, 'changed.jsonl');
    writeFileSync(file, `a log\u2028of one line\n${wholeLog()}`);
    const { code, stdout } = await verify('--among-logs', file);
    expect([code, stdout]).toEqual([0, expect.stringContaining('\n1 lines are none of the audit')]);
  });

  onlyOn('postgres').it('has no event twice when two processes seal at once', async () => {
    const { environment } = service;
    const head = await headOf(service);
    const release = await hold(environment, 'LOCK TABLE audit_chain IN ACCESS EXCLUSIVE MODE');
    const { id } = await alice.createApiKey(kb.id);
    await eventually(async () => {
      const waiting = `SELECT 1 FROM pg_locks JOIN pg_class ON oid = relation
        WHERE relname = 'audit_chain' AND NOT granted`;
      return (await sql(environment, waiting)).length > 0;
    });
    // As the other process does.
    await sql(environment, 'DELETE FROM audit_outbox');
    await release();
    await alice.createApiKey(kb.id);
    await eventually(async () => (await headOf(service)) !== head);
    await eventually(() => wholeLog().endsWith('}\n'));
    expect(wholeLog()).not.toContain(id);
  });

  it('goes on in a new file when the old one was moved away, in files of any order', async () => {
    const rotated = `${log}.1`;
    renameSync(log, rotated);
    await alice.createApiKey(kb.id);
    await eventually(() => wholeLog() !== '');
    const zipped = join(folder, 'audit.jsonl.2.gz');
    writeFileSync(zipped, gzipSync(linesOf(textOf(rotated)).slice(0, 2).join('\n')));
    writeFileSync(rotated, `${linesOf(textOf(rotated)).slice(2).join('\n')}\n`);
    const { code, stdout } = await verify('--head', await headOf(service), log, rotated, zipped);
    expect([code, stdout]).toEqual([0, expect.stringContaining('lines 1 to')]);
  });

  it('completes the line of a process that was killed while it wrote', async () => {
    const before = textOf(log);
    const [last = ''] = linesOf(before).slice(-1);
    writeFileSync(log, before.slice(0, -10));
    await alice.createApiKey(kb.id);
    await eventually(() => wholeLog().endsWith('}\n'));
    // The cut line stands on a line of its own; here nothing follows that completes it.
    expect(wholeLog()).toContain(`${last.slice(0, -9)}\n`);
  });

  it('goes to an object store, and begins a new chain on request', async () => {
    // A line that was written when its process stopped, but not marked as such, is written again.
    await eventually(
      async () => (await sql(service.environment, 'SELECT 1 FROM audit_batches')).length === 0,
    );
    await service.stop();
    const { CONTENT_STORE: _, ...environment } = store.environment;
    const port = await freePort();
    metrics = `http://127.0.0.1:${port}`;
    service = await Service.start({
      ...service.environment,
      ...environment,
      AUDIT_LOG: 's3://latchkey-test/audit/here/',
      AUDIT_SCOPE: 'refusals,conversation_reads',
      METRICS_PORT: String(port),
    });
    alice = new Client(service, 'alice');
    store.intercept = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    await alice.createApiKey(kb.id);
    await eventually(() => service.logs.includes('The object store answered 503'));
    // The event whose line could not be written is not lost with its chain. Others may write meanwhile.
    const release = await hold(service.environment, 'UPDATE audit_chain SET sequence = sequence');
    const begun = auditCommand(service.environment, 'new-chain');
    await Promise.race([begun, pause(1000)]).finally(release);
    await begun;
    // The answer to the first attempt gets lost.
    store.intercept = (request, response) => {
      store.intercept = () => false;
      void buffer(request).then((body) => {
        store.objects.set(keyOf(request), body);
        response.destroy();
      });
      return true;
    };
    await eventually(async () => store.objects.size === 1 && (await waiting()) === 0);
    const [[key, object] = ['', Buffer.of()]] = store.objects;
    expect(key).toMatch(/^audit\/here\/[\w-]{36}\/000000000000001-000000000000001\.jsonl$/);
    const file = join(folder, 'object.jsonl');
    writeFileSync(file, object);
    const { code } = await verify('--head', await headOf(service), file);
    expect(code).toBe(0);
  });

  it('replaces no object, and says so, when its database is one of an earlier time', async () => {
    const [[, object] = ['', Buffer.of()]] = store.objects;
    await sql(service.environment, `UPDATE audit_chain SET sequence = 0, hash = ''`);
    const { id } = await alice.createApiKey(kb.id);
    await eventually(() => service.logs.includes('run npm run audit -- new-chain'));
    expect([...store.objects.values()]).toEqual([object]);
    await auditCommand(service.environment, 'new-chain');
    await eventually(() => store.objects.size === 2);
    const objects = join(folder, 'objects');
    for (const [key, bytes] of store.objects) {
      const file = join(objects, key);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    const heads = ['--head', await headOf(service)];
    const alone = await verify(...heads, objects);
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('has no --head')]);
    const [, firstHash = ''] = /"hash":"(\w+)"\}\}\n$/.exec(object.toString()) ?? [];
    const { code, stdout } = await verify(...heads, '--head', `1:${firstHash}`, objects);
    expect([code, stdout.match(/: lines 1 to 1,/g)]).toEqual([0, Array(2).fill(': lines 1 to 1,')]);
    expect([...store.objects.values()].at(-1)?.toString()).toContain(id);
  });

  it('drops refusals, but no changes, while too much waits', async () => {
    store.intercept = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    await alice.createApiKey(kb.id);
    const batches = () => sql(service.environment, 'SELECT number FROM audit_batches');
    await eventually(async () => (await batches()).length > 0);
    const event = '{"metadata":{},"unmapped":{}}';
    const [row] = await sql<{ number: number }>(
      service.environment,
      `INSERT INTO audit_outbox (event) VALUES ('${event}') RETURNING number`,
    );
    const later = Number(row?.number) + 100_000;
    const values = `(${later}, '${event}')`;
    await sql(service.environment, `INSERT INTO audit_outbox (number, event) VALUES ${values}`);
    await new Client(service).query('rag_live_unknown', 'Orders?');
    await eventually(async () => {
      const text = await (await fetch(`${metrics}/metrics`)).text();
      return /latchkey_audit_log_dropped_total\{scope="refusals"\} [1-9]/.test(text);
    });
    await sql(service.environment, `DELETE FROM audit_outbox WHERE event = '${event}'`);
    store.intercept = () => false;
    await eventually(async () => (await waiting()) === 0);
  });

  it('records refusals and reads of conversations if configured', async () => {
    const { api_key } = await alice.createApiKey(kb.id);
    const { body } = await alice.chat(api_key, 'May orders be returned?');
    await alice.get(`/conversations/${body.conversation_id}/messages`);
    await alice.call('PUT', `/kbs/${kb.id}/members/victor`, { role: 'viewer' });
    await new Client(service, 'victor').createApiKey(kb.id).catch(() => undefined);
    const revoked = await alice.createApiKey(kb.id);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    await new Client(service).query(revoked.api_key, 'Orders?');
    // One address is told of 60 times a minute, Victor and the revoked key among them.
    const asked = 130;
    for (let n = 0; n < asked; n++) await new Client(service).query('rag_live_unknown', 'Orders?');
    const told = () =>
      [...store.objects.values()].flatMap((object) => parsedLines(object.toString('utf8')));
    const withCode = (code: string) =>
      told().filter(({ metadata }) => metadata.event_code === code);
    await eventually(() => withCode('credential.refused').length >= 58);
    expect(withCode('conversation.read')).toEqual([
      expect.objectContaining({
        type_uid: 600302,
        actor: { user: { uid: 'alice' } },
        api: expect.objectContaining({
          operation: 'GET /api/v1/conversations/:conversation_id/messages',
        }),
        src_endpoint: { ip: '127.0.0.1' },
        resources: [{ uid: body.conversation_id, type: 'conversation' }],
      }),
    ]);
    expect(withCode('request.refused')).toEqual([
      expect.objectContaining({
        type_uid: 600301,
        status_id: 2,
        status_code: 'insufficient_role',
        actor: { user: { uid: 'victor' } },
      }),
    ]);
    const refused = withCode('credential.refused');
    expect(refused).toContainEqual(
      expect.objectContaining({ status_code: 'api_key_revoked', user: { uid: revoked.id } }),
    );
    // Some were left out, unless this took more minutes than are tried here.
    const left = await (await fetch(`${metrics}/metrics`)).text();
    const dropped = /latchkey_audit_log_dropped_total\{scope="refusals"\} (\d+)/.exec(left);
    expect(Number(dropped?.[1])).toBeGreaterThan(1);
    expect(refused.at(-1)).toMatchObject({
      type_uid: 300201,
      status_code: 'invalid_api_key',
      user: { name: 'unknown' },
      src_endpoint: { ip: '127.0.0.1' },
    });
  });
});
