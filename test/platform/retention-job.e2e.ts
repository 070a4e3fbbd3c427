import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { databaseTime, sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const QUARTER_MS = HOUR_MS / 4;

it('removes what is kept for a time only, and nothing that is younger', async () => {
  const service = await Service.start();
  const alice = new Client(service, 'alice');
  const { id: kbId } = await alice.createKnowledgeBase();
  const run = (statement: string) => sql<{ id: string }>(service.environment, statement);

  const day = (ageMs: number) => new Date(Date.now() - ageMs).toISOString().slice(0, 10);
  const usageCount = (period: string, id: string, atMs: number) =>
    `VALUES ('${kbId}', '${period}', ${atMs}, 'key', '${id}', 'live',
       0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '')`;
  const usageMember = (kind: string, member: string, ageMs: number) =>
    `VALUES ('${kbId}', '${kind}', ${Math.floor((Date.now() - ageMs) / QUARTER_MS)}, 'live', 'key',
       '${member}', 1, 0, 0, 0)`;
  const declared: [table: string, id: string, insert: (id: string, ageMs: number) => string][] = [
    [
      ...(['idempotency_records', 'id'] as const),
      (id, ageMs) => `(id, fingerprint, answer, created_at)
        VALUES ('${id}', '', '{}', ${databaseTime(-ageMs / 30)})`,
    ],
    [
      ...(['access_sets', 'id'] as const),
      (id, ageMs) => `(id, kb_id, hash, rule, created_at, updated_at)
        VALUES ('${id}', '${kbId}', '${id}', '{}', ${databaseTime(0)}, ${databaseTime(-ageMs / 30)})`,
    ],
    [
      ...(['webhook_notices', 'subject'] as const),
      (id, ageMs) => `(subject, told_at) VALUES ('${id}', ${databaseTime(-ageMs)})`,
    ],
    [
      ...(['daily_message_counts', 'day'] as const),
      (_, ageMs) =>
        `(kb_id, day, messages) VALUES ('${kbId}', '${day(ageMs > 25 * DAY_MS ? 3 * DAY_MS : DAY_MS)}', 1)`,
    ],
    [
      ...(['budget_counts', 'subject'] as const),
      (id, ageMs) => `VALUES ('${kbId}', '${id}', 'messages', 'day',
        '${day(ageMs > 25 * DAY_MS ? 3 * DAY_MS : DAY_MS)}', 1, 0, 0, 0, 0)`,
    ],
    [
      ...(['usage_counts', 'id'] as const),
      (id, ageMs) => usageCount('request', id, Date.now() - Math.round(ageMs * 1.1)),
    ],
    [
      ...(['usage_members', 'member'] as const),
      (id, ageMs) => usageMember('address', id, ageMs / 15),
    ],
  ];
  if (engine === 'postgres') {
    declared.push([
      ...(['rate_limits', 'key'] as const),
      (id, ageMs) =>
        `(key, points, expire) VALUES ('${id}', 1, ${Date.now() - Math.round(ageMs / 500)})`,
    ]);
  }
  for (const [table, , insert] of declared) {
    await run(`INSERT INTO ${table} ${insert('old', 31 * DAY_MS)}`);
    await run(`INSERT INTO ${table} ${insert('young', 20 * DAY_MS)}`);
  }
  // Reports have no end: neither have quarters of an hour and end users.
  await run(`INSERT INTO usage_counts ${usageCount('quarter', '', 0)}`);
  await run(`INSERT INTO usage_members ${usageMember('end_user', 'ann', 400 * DAY_MS)}`);
  const uploads = join(service.dataDir, 'uploads');
  mkdirSync(uploads, { recursive: true });
  for (const [name, ageMs] of Object.entries({ old: 2 * HOUR_MS, young: HOUR_MS / 2 })) {
    writeFileSync(join(uploads, name), 'text');
    utimesSync(join(uploads, name), new Date(), new Date(Date.now() - ageMs));
  }

  await service.stop();
  const again = await Service.start(service.environment);
  try {
    const only: Record<string, string> = {
      usage_counts: `WHERE period = 'request'`,
      usage_members: `WHERE kind = 'address'`,
    };
    for (const [table, id] of declared) {
      const left = async () =>
        (await run(`SELECT ${id} AS id FROM ${table} ${only[table] ?? ''}`)).map((row) => row.id);
      await eventually(async () => (await left()).length === 1);
      expect(await left()).toEqual([id === 'day' ? day(DAY_MS) : 'young']);
    }
    expect(await run(`SELECT id FROM usage_counts WHERE period = 'quarter'`)).toHaveLength(1);
    expect(await run(`SELECT kind AS id FROM usage_members WHERE member = 'ann'`)).toHaveLength(1);
    await eventually(() => !existsSync(join(uploads, 'old')));
    expect(existsSync(join(uploads, 'young'))).toBe(true);
    expect(again.logs).not.toMatch(/"level":(50|60)/);
  } finally {
    await again.stop();
  }
});
