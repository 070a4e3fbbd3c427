import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from './support/client.js';
import { eventually } from './support/service.js';
import { newUserId, sharedService, type SharedService } from './support/shared-service.js';
import { sql } from './support/sql.js';

interface Figures {
  queries: number;
  chats: number;
  conversations: number;
  end_users: number;
  answered: number;
  unanswered: number;
  up: number;
  down: number;
  satisfaction_rate: number | null;
  prompt_tokens: number;
  completion_tokens: number;
  refused: number;
  latency_p50_ms: number | null;
  latency_p95_ms: number | null;
}
type Series = (Figures & { date: string })[];
interface Report {
  totals: Figures;
  series: Series;
}

const NOTHING: Figures = {
  ...{ queries: 0, chats: 0, conversations: 0, end_users: 0, answered: 0, unanswered: 0 },
  ...{ up: 0, down: 0, satisfaction_rate: null, prompt_tokens: 0, completion_tokens: 0 },
  ...{ refused: 0, latency_p50_ms: null, latency_p95_ms: null },
};
const ANSWERED = 'How long may customers return an order?';
const UNANSWERED = 'Do you ship penguins?';

let service: SharedService;
let alice: Client;
let partner: Client;

beforeAll(async () => {
  service = await sharedService();
  alice = new Client(service, newUserId('alice'));
  partner = new Client(service);
});
const report = async (kbId: string, search = '') => {
  const { status, body, text } = await alice.get<Report>(`/kbs/${kbId}/analytics?${search}`);
  if (status !== 200) throw new Error(text);
  return body;
};

/** Queries are recorded after they are answered. */
const queriesAreRecorded = (kbId: string, count: number) =>
  eventually(async () => (await report(kbId)).totals.queries === count);

/** A knowledge base with a document and a key of each environment. */
async function furnish() {
  const { id: kbId } = await alice.createKnowledgeBase();
  const live = await alice.createApiKey(kbId);
  const test = await alice.createApiKey(kbId, { environment: 'test' });
  const text = 'Customers may return any order within 30 days.';
  await alice.addDocument(kbId, { title: 'Returns', text });
  return { kbId, live, test };
}

describe('the figures', () => {
  let kbId: string;
  let live: { id: string; api_key: string };
  let test: { id: string; api_key: string };

  beforeAll(async () => {
    ({ kbId, live, test } = await furnish());
    const rate = (message_id: string, rating: string) =>
      partner.post(`/messages/${message_id}/feedback`, { api_key: live.api_key, rating });
    for (let n = 0; n < 3; n++) await partner.query(live.api_key, ANSWERED);
    await partner.query(test.api_key, ANSWERED);
    const users = ['ann', 'ben', 'ann', undefined];
    const chats = await Promise.all(
      users.map((end_user_id, n) =>
        partner.chat(live.api_key, n === 1 ? UNANSWERED : ANSWERED, { end_user_id }),
      ),
    );
    const [first, second, third] = chats.map(({ body }) => body);
    if (!first || !second || !third) throw new Error('unreachable');
    await partner.chat(test.api_key, UNANSWERED, { end_user_id: 'ann' });
    // Goes on with a conversation.
    await partner.chat(live.api_key, ANSWERED, { conversation_id: first.conversation_id });
    await rate(first.message_id, 'up');
    await rate(third.message_id, 'up');
    await rate(second.message_id, 'down');
    // What is malformed or not allowed is neither answered nor refused.
    await partner.chat(live.api_key, '');
    await partner.query('rag_live_nonsense', ANSWERED);
    await queriesAreRecorded(kbId, 4);
  });

  it('are counted, for all keys, for an environment and for each key', async () => {
    const all = (await report(kbId)).totals;
    expect(all).toMatchObject({
      ...{ queries: 4, chats: 6, conversations: 5, end_users: 2, answered: 4, unanswered: 2 },
      ...{ up: 2, down: 1, prompt_tokens: 0, completion_tokens: 0, refused: 0 },
    });
    expect(all.satisfaction_rate).toBeCloseTo(2 / 3);
    expect((await report(kbId, 'environment=test')).totals).toMatchObject({
      ...{ queries: 1, chats: 1, conversations: 1, end_users: 1, answered: 0, unanswered: 1 },
      ...{ up: 0, down: 0, satisfaction_rate: null },
    });
    const { body } = await alice.get<{ data: { api_key_id: string; totals: Figures }[] }>(
      `/kbs/${kbId}/analytics?group_by=api_key`,
    );
    expect(body.data.map(({ api_key_id: id, totals: { chats, queries } }) => [id, chats, queries]))
      // In the order of the keys' ids, which is that of their making.
      .toEqual([
        [live.id, 5, 3],
        [test.id, 1, 1],
      ]);
    expect(body.data.map(({ totals }) => totals.end_users)).toEqual([2, 1]);
  });

  it('equal what an independent query finds in the messages themselves', async () => {
    const [raw] = await sql<Record<string, number | string>>(
      service.environment,
      `SELECT COUNT(*) AS chats, COUNT(DISTINCT c.id) AS conversations,
         COUNT(DISTINCT c.end_user_id) AS end_users,
         SUM(CASE WHEN m.answered THEN 1 ELSE 0 END) AS answered,
         SUM(CASE WHEN NOT m.answered AND m.status = 'complete' THEN 1 ELSE 0 END) AS unanswered,
         SUM(CASE WHEN f.rating = 'up' THEN 1 ELSE 0 END) AS up,
         SUM(CASE WHEN f.rating = 'down' THEN 1 ELSE 0 END) AS down
       FROM messages m JOIN conversations c ON c.id = m.conversation_id
       LEFT JOIN message_feedback f ON f.message_id = m.id
       WHERE m.role = 'assistant' AND m.status <> 'failed' AND c.kb_id = '${kbId}'`,
    );
    const { totals } = await report(kbId);
    const numbers = Object.entries(raw ?? {}).map(([name, value]) => [name, Number(value)]);
    expect(totals).toMatchObject(Object.fromEntries(numbers) as object);
  });

  it('fall into days, all of them there, and add up to the totals', async () => {
    const { totals, series } = await report(kbId);
    const today = new Date().toISOString().slice(0, 10);
    expect(series).toHaveLength(30);
    expect(series.at(-1)).toEqual({ date: today, ...totals });
    for (const { date, ...figures } of series.slice(0, -1)) expect(figures).toEqual(NOTHING);
    const dates = series.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].sort());
  });

  it('have percentiles that are right to within 10 %', async () => {
    const { kbId: kb, live: key } = await furnish();
    await partner.query(key.api_key, ANSWERED);
    await queriesAreRecorded(kb, 1);
    // As many answers as latencies, all in this quarter of an hour.
    const { totals } = await report(kb);
    expect(totals.latency_p50_ms).toBe(totals.latency_p95_ms);
    const [record] = await sql<{ latency_ms: number }>(
      service.environment,
      `SELECT latency_ms FROM usage_records WHERE kb_id = '${kb}'`,
    );
    const latency = Number(record?.latency_ms);
    expect(Math.abs(Number(totals.latency_p50_ms) - latency)).toBeLessThanOrEqual(latency / 10);
  });

  it('count from the first moment, up to and without the last, to the millisecond', async () => {
    const { kbId: kb, live: key } = await furnish();
    for (let n = 0; n < 3; n++) await partner.chat(key.api_key, ANSWERED, { end_user_id: 'ann' });
    const conversations = (await alice.get<Page<{ id: string }>>(`/kbs/${kb}/conversations`)).body;
    const times = (
      await Promise.all(
        conversations.data.map(async ({ id }) => {
          const { body } = await alice.get<Page<{ role: string; created_at: string }>>(
            `/conversations/${id}/messages`,
          );
          return body.data.find(({ role }) => role === 'assistant')?.created_at ?? '';
        }),
      )
    ).sort();
    expect(times).toHaveLength(3);
    const [a, b, c] = times as [string, string, string];
    const chats = async (search: string) => {
      const { totals, series } = await report(kb, search);
      expect(series.reduce((sum, day) => sum + day.chats, 0)).toBe(totals.chats);
      return totals.chats;
    };
    expect(await chats(`from=${a}`)).toBe(3);
    expect(await chats(`from=${b}`)).toBe(2);
    expect(await chats(`to=${c}`)).toBe(2);
    expect(await chats(`from=${b}&to=${c}`)).toBe(1);
    expect(await chats(`from=${b}&to=${b}`)).toBe(0);
    expect((await report(kb, `from=${b}&to=${b}`)).totals.end_users).toBe(0);
    expect(await chats(`from=2025-01-01&to=${a}`)).toBe(0);
  });

  it('count requests that are refused although the key was a real one', async () => {
    const { kbId: kb } = await furnish();
    const limited = await alice.createApiKey(kb, { rate_limit_per_minute: 2 });
    const revoked = await alice.createApiKey(kb);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    for (let n = 0; n < 5; n++) await partner.query(limited.api_key, ANSWERED);
    expect(outcome(await partner.query(revoked.api_key, ANSWERED))).toBe('401 api_key_revoked');
    await eventually(async () => (await report(kb)).totals.refused > 0);
    await eventually(async () => (await report(kb)).totals.refused === 4);
    await queriesAreRecorded(kb, 2);
  });
});

describe('a time zone', () => {
  let kbId: string;

  beforeAll(async () => {
    const { kbId: kb, live } = await furnish();
    kbId = kb;
    const insert = async (time: string) => {
      const quarter = Math.floor(Date.parse(time) / 900_000);
      await sql(
        service.environment,
        `INSERT INTO usage_counts VALUES ('${kb}', ${quarter}, '${live.id}', 'live',
           0, 1, 1, 1, 0, 0, 0, 0, 0, 0, '')
         ON CONFLICT (kb_id, quarter, api_key_id)
         DO UPDATE SET chats = usage_counts.chats + 1,
           conversations = usage_counts.conversations + 1, answered = usage_counts.answered + 1`,
      );
    };
    // Berlin goes back by an hour at 01:00 UTC on 25 October, and forward on 29 March.
    for (const time of [
      ...['2026-10-24T21:59:00Z', '2026-10-24T22:00:00Z', '2026-10-25T00:30:00Z'],
      ...['2026-10-25T01:30:00Z', '2026-10-25T22:59:00Z', '2026-10-25T23:00:00Z'],
      ...['2026-03-28T23:00:00Z', '2026-03-29T21:59:00Z', '2026-03-29T22:00:00Z'],
    ]) {
      await insert(time);
    }
  });

  const chats = (series: Series) => series.map(({ date, chats: count }) => [date, count]);

  it('has a day of 25 hours, and one of 23', async () => {
    const berlin = 'timezone=Europe/Berlin';
    const days = await report(kbId, `from=2026-10-24&to=2026-10-27&${berlin}`);
    expect(chats(days.series)).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 4],
      ['2026-10-26', 1],
    ]);
    const autumn = await report(kbId, `from=2026-10-25&to=2026-10-26&interval=hour&${berlin}`);
    expect(autumn.series).toHaveLength(25);
    expect(chats(autumn.series).filter(([, count]) => count !== 0)).toEqual([
      ['2026-10-25T00:00:00.000+02:00', 1],
      ['2026-10-25T02:00:00.000+02:00', 1],
      ['2026-10-25T02:00:00.000+01:00', 1],
      ['2026-10-25T23:00:00.000+01:00', 1],
    ]);
    const spring = await report(kbId, `from=2026-03-29&to=2026-03-30&interval=hour&${berlin}`);
    expect(spring.series).toHaveLength(23);
    expect(spring.totals.chats).toBe(2);
    expect(spring.series.map(({ date }) => date)).not.toContain('2026-03-29T02:00:00.000+01:00');
  });

  it('says on which of its days and in which of its hours end users came, each once', async () => {
    const { kbId: kb, live, test } = await furnish();
    const come = (user: number, key: { id: string; environment: string }, time: string) =>
      sql(
        service.environment,
        `INSERT INTO usage_end_users (kb_id, quarter, api_key_id, end_user, environment)
         VALUES ('${kb}', ${Math.floor(Date.parse(time) / 900_000)}, '${key.id}', ${user},
           '${key.environment}')`,
      );
    // Midnight in Berlin is at 22:00 UTC until 25 October, and from then on at 23:00.
    await come(1, live, '2026-10-23T21:45:00Z');
    await come(1, live, '2026-10-23T22:00:00Z');
    await come(1, test, '2026-10-24T21:45:00Z');
    await come(2, live, '2026-10-24T21:59:00Z');
    await come(3, live, '2026-10-25T22:45:00Z');
    await come(2, live, '2026-10-25T23:00:00Z');
    const endUsers = async (search: string) => {
      const { totals, series } = await report(kb, `${search}&timezone=Europe/Berlin`);
      const some = series.filter(({ end_users: count }) => count > 0);
      return [totals.end_users, ...some.map(({ date, end_users: count }) => [date, count])];
    };
    expect(await endUsers('from=2026-10-23&to=2026-10-27')).toEqual([
      ...[3, ['2026-10-23', 1], ['2026-10-24', 2], ['2026-10-25', 1], ['2026-10-26', 1]],
    ]);
    expect(await endUsers('from=2026-10-24&to=2026-10-25&interval=hour')).toEqual([
      ...[2, ['2026-10-24T00:00:00.000+02:00', 1], ['2026-10-24T23:00:00.000+02:00', 2]],
    ]);
    expect(await endUsers('from=2026-10-23&to=2026-10-27&environment=test')).toEqual([
      ...[1, ['2026-10-24', 1]],
    ]);
    const { body } = await alice.get<{ data: { api_key_id: string; totals: Figures }[] }>(
      `/kbs/${kb}/analytics?from=2026-10-23&to=2026-10-27&group_by=api_key&timezone=Europe/Berlin`,
    );
    expect(body.data.map(({ api_key_id: id, totals }) => [id, totals.end_users])).toEqual([
      [live.id, 3],
      [test.id, 1],
    ]);
  });

  it('does not tell of keys that were used only beside its days', async () => {
    const search = 'from=2026-10-27&to=2026-10-28&timezone=Europe/Berlin&group_by=api_key';
    const { body } = await alice.get(`/kbs/${kbId}/analytics?${search}`);
    expect(body).toEqual({ data: [] });
    const earlier = 'from=2026-10-24T00:00:00Z&to=2026-10-24T21:00:00Z&group_by=api_key';
    expect((await alice.get(`/kbs/${kbId}/analytics?${earlier}`)).body).toEqual({ data: [] });
  });

  it('may be a quarter of an hour off the others', async () => {
    // Kathmandu's days begin at 18:15 UTC.
    const kathmandu = 'timezone=Asia/Kathmandu';
    const { series } = await report(kbId, `from=2026-10-24&to=2026-10-27&${kathmandu}`);
    expect(chats(series)).toEqual([
      ['2026-10-24', 0],
      ['2026-10-25', 4],
      ['2026-10-26', 2],
    ]);
    const hours = await report(kbId, `from=2026-10-25&to=2026-10-26&interval=hour&${kathmandu}`);
    expect(chats(hours.series).filter(([, count]) => count !== 0)).toEqual([
      ['2026-10-25T03:00:00.000+05:45', 2],
      ['2026-10-25T06:00:00.000+05:45', 1],
      ['2026-10-25T07:00:00.000+05:45', 1],
    ]);
  });

  it('may move its clock by half an hour', async () => {
    // Lord Howe Island goes back at 15:00 UTC on 4 April, and forward at 15:30 UTC on 3 October.
    const lordHowe = 'timezone=Australia/Lord_Howe&interval=hour';
    const names = async (day: string, next: string) =>
      (await report(kbId, `from=${day}&to=${next}&${lordHowe}`)).series.map(({ date }) => date);
    const autumn = await names('2026-04-05', '2026-04-06');
    expect(autumn.slice(1, 4)).toEqual([
      '2026-04-05T01:00:00.000+11:00',
      '2026-04-05T01:30:00.000+10:30',
      '2026-04-05T02:00:00.000+10:30',
    ]);
    const spring = await names('2026-10-04', '2026-10-05');
    expect(spring.slice(1, 4)).toEqual([
      '2026-10-04T01:00:00.000+10:30',
      '2026-10-04T02:30:00.000+11:00',
      '2026-10-04T03:00:00.000+11:00',
    ]);
    expect([autumn.length, spring.length]).toEqual([25, 24]);
  });

  it.each([
    ['timezone', 'timezone=Mars/Olympus'],
    ['timezone', 'timezone='],
    ['timezone', 'timezone=%2B01:00'],
    ['from', 'from=2026-11-02&to=2026-11-01'],
    ['from', 'from=2999-01-01'],
    ['from', 'from=soon'],
    ['to', 'to=2026-13-01'],
    ['interval', 'interval=minute'],
    ['interval', 'interval=hour&from=2025-01-01&to=2026-01-01'],
    ['interval', 'from=1970-01-01&to=2026-01-01'],
    ['interval', 'group_by=api_key&from=1000-01-01&to=9999-01-01'],
    ['environment', 'environment=staging'],
    ['group_by', 'group_by=user'],
    ['colour', 'colour=red'],
  ])('is refused with a bad %s: ?%s', async (field, search) => {
    const answer = await alice.get(`/kbs/${kbId}/analytics?${search}`);
    expect(outcome(answer)).toBe('400 validation_failed');
    expect(answer.body).toMatchObject({ errors: [{ field }] });
  });
});
