import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, type Page } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { databaseTime, sql } from '../support/sql.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let service: Service;
let alice: Client;
let partner: Client;

const use = (started: Service) => {
  service = started;
  alice = new Client(service, 'alice');
  partner = new Client(service);
};

beforeAll(async () => {
  use(await Service.start());
});
afterAll(() => service.stop());

async function furnish(retention_days: number | null) {
  const { id: kbId } = await alice.createKnowledgeBase();
  const { api_key: secret } = await alice.createApiKey(kbId);
  await alice.call('PATCH', `/kbs/${kbId}/settings`, { retention_days });
  return { kbId, secret };
}

const chat = async (secret: string, end_user_id: string) => {
  const { status, body, text } = await partner.chat(secret, 'Private penguins?', { end_user_id });
  if (status !== 200) throw new Error(text);
  return body.conversation_id;
};

/** Moves an end user's conversations, and what was counted of them, to the past. */
async function age(kbId: string, endUserId: string, days: number): Promise<void> {
  const time = databaseTime(-days * DAY_MS - 60_000);
  await sql(
    service.environment,
    `UPDATE conversations SET created_at = ${databaseTime(-100 * DAY_MS)}, updated_at = ${time}
     WHERE kb_id = '${kbId}' AND end_user_id = '${endUserId}'`,
  );
}

const conversations = async (kbId: string) =>
  (await alice.get<Page<{ end_user_id: string }>>(`/kbs/${kbId}/conversations?limit=100`)).body;
const chats = async (kbId: string) => {
  const { body } = await alice.get<{ totals: object }>(`/kbs/${kbId}/analytics`);
  return body.totals;
};

it('erases conversations so many days after their last message, and keeps the counts', async () => {
  const week = await furnish(7);
  const forever = await furnish(null);
  for (const { kbId, secret } of [week, forever]) {
    for (const [user, days] of [
      ['old', 7],
      ['recent', 6],
      ['new', 0],
    ] as const) {
      await chat(secret, user);
      await age(kbId, user, days);
    }
  }
  // More than go in one transaction.
  for (let batch = 0; batch < 21; batch++) {
    await Promise.all(Array.from({ length: 10 }, () => chat(week.secret, 'many')));
  }
  await age(week.kbId, 'many', 8);
  const before = await chats(week.kbId);

  // Two begin at once, and do not get into each other's way.
  await service.stop();
  const { environment } = service;
  const [first, second] = await Promise.all([
    Service.start(environment),
    Service.start(environment),
  ]);
  use(first);
  await eventually(async () => (await conversations(week.kbId)).total === 2);
  expect((await conversations(week.kbId)).data.map((row) => row.end_user_id)).toEqual([
    ...['new', 'recent'],
  ]);
  expect((await conversations(forever.kbId)).total).toBe(3);
  const left = await sql<{ count: number | string }>(
    service.environment,
    `SELECT COUNT(*) AS count FROM messages m
     WHERE NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = m.conversation_id)`,
  );
  expect(Number(left[0]?.count)).toBe(0);
  expect(await chats(week.kbId)).toEqual(before);
  for (const { logs } of [first, second]) expect(logs).not.toMatch(/"level":(50|60)/);
  await second.stop();
});

it('makes end users anonymous who were last there before, and still counts them once', async () => {
  const { kbId, secret } = await furnish(7);
  for (const user of ['old', 'old', 'recent', 'new']) await chat(secret, user);
  const users = async () => {
    const rows = await sql<{ member: string }>(
      service.environment,
      `SELECT member FROM usage_members WHERE kb_id = '${kbId}' AND kind = 'end_user'`,
    );
    return rows.map(({ member }) => member);
  };
  const [one, two] = new Set(await users());
  const cameBefore = (endUser: unknown, days: number, andNow: boolean) =>
    sql(
      service.environment,
      andNow
        ? `INSERT INTO usage_members
           SELECT kb_id, kind, quarter - 96 * ${days}, environment, api_key_id, member, requests,
             prompt_tokens, completion_tokens, cost
           FROM usage_members WHERE kb_id = '${kbId}' AND member = '${String(endUser)}'`
        : `UPDATE usage_members SET quarter = quarter - 96 * ${days}
           WHERE kb_id = '${kbId}' AND member = '${String(endUser)}'`,
    );
  // One was there three weeks and two weeks ago, the other also today.
  await cameBefore(one, 14, false);
  await cameBefore(one, 7, true);
  await cameBefore(two, 14, true);
  const total = async () => {
    const { body } = await alice.get<{ totals: { end_users: number } }>(`/kbs/${kbId}/analytics`);
    return body.totals.end_users;
  };
  const before = await users();
  expect(await total()).toBe(3);

  await service.stop();
  use(await Service.start(service.environment));
  await eventually(async () => (await users()).some((user) => user.startsWith('-')));
  const after = await users();
  const gone = after.filter((user) => user.startsWith('-'));
  expect(new Set(gone).size).toBe(1);
  expect(gone).toHaveLength(before.filter((user) => user === one).length);
  expect(after).toHaveLength(before.length);
  expect(after).not.toContain(one);
  expect(await total()).toBe(3);
});
