import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Figures,
  createReportedKnowledgeBase,
  queriesAreRecorded,
  report,
} from '../../../test/support/analytics.js';
import { Client, outcome, type Page } from '../../../test/support/client.js';
import { eventually } from '../../../test/support/service.js';
import { furnish } from '../../../test/support/furnish.js';
import { type SharedService } from '../../../test/support/shared-service.js';
import { sql } from '../../../test/support/sql.js';

const NOTHING: Figures = {
  ...{ queries: 0, chats: 0, conversations: 0, end_users: 0, answered: 0, unanswered: 0 },
  ...{
    small_talk: 0,
    up: 0,
    down: 0,
    satisfaction_rate: null,
    prompt_tokens: 0,
    completion_tokens: 0,
  },
  ...{ refused: 0, latency_p50_ms: null, latency_p95_ms: null },
};
const ANSWERED = 'How long may customers return an order?';
const UNANSWERED = 'Do you ship penguins?';

let service: SharedService;
let alice: Client;
let partner: Client;

beforeAll(async () => {
  ({ service, alice, partner } = await furnish());
});

describe('the figures', () => {
  let kbId: string;
  let live: { id: string; api_key: string };
  let test: { id: string; api_key: string };

  beforeAll(async () => {
    ({ kbId, live, test } = await createReportedKnowledgeBase(alice));
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
    await queriesAreRecorded(alice, kbId, 4);
  });

  it('are counted, for all keys, for an environment and for each key', async () => {
    const all = (await report(alice, kbId)).totals;
    expect(all).toMatchObject({
      ...{ queries: 4, chats: 6, conversations: 5, end_users: 2, answered: 4, unanswered: 2 },
      ...{ up: 2, down: 1, prompt_tokens: 0, completion_tokens: 0, refused: 0 },
    });
    expect(all.satisfaction_rate).toBeCloseTo(2 / 3);
    expect((await report(alice, kbId, 'environment=test')).totals).toMatchObject({
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
    const { totals } = await report(alice, kbId);
    const numbers = Object.entries(raw ?? {}).map(([name, value]) => [name, Number(value)]);
    expect(totals).toMatchObject(Object.fromEntries(numbers) as object);
  });

  it('fall into days, all of them there, and add up to the totals', async () => {
    const { totals, series } = await report(alice, kbId);
    const today = new Date().toISOString().slice(0, 10);
    expect(series).toHaveLength(30);
    expect(series.at(-1)).toEqual({ date: today, ...totals });
    for (const { date, ...figures } of series.slice(0, -1)) expect(figures).toEqual(NOTHING);
    const dates = series.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].sort());
  });

  it('have percentiles that are right to within 10 %', async () => {
    const { kbId: kb, live: key } = await createReportedKnowledgeBase(alice);
    const { body } = await partner.query(key.api_key, ANSWERED);
    await queriesAreRecorded(alice, kb, 1);
    // As many answers as latencies, all in this quarter of an hour.
    const { totals } = await report(alice, kb);
    expect(totals.latency_p50_ms).toBe(totals.latency_p95_ms);
    const { latency_ms: latency } = body;
    expect(Math.abs(Number(totals.latency_p50_ms) - latency)).toBeLessThanOrEqual(latency / 10);
  });

  it('count from the first moment, up to and without the last, to the millisecond', async () => {
    const { kbId: kb, live: key } = await createReportedKnowledgeBase(alice);
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
      const { totals, series } = await report(alice, kb, search);
      expect(series.reduce((sum, day) => sum + day.chats, 0)).toBe(totals.chats);
      return totals.chats;
    };
    expect(await chats(`from=${a}`)).toBe(3);
    expect(await chats(`from=${b}`)).toBe(2);
    expect(await chats(`to=${c}`)).toBe(2);
    expect(await chats(`from=${b}&to=${c}`)).toBe(1);
    expect(await chats(`from=${b}&to=${b}`)).toBe(0);
    expect((await report(alice, kb, `from=${b}&to=${b}`)).totals.end_users).toBe(0);
    expect(await chats(`from=2025-01-01&to=${a}`)).toBe(0);
  });

  it('count requests that are refused although the key was a real one', async () => {
    const { kbId: kb } = await createReportedKnowledgeBase(alice);
    const limited = await alice.createApiKey(kb, { rate_limit_per_minute: 2 });
    const revoked = await alice.createApiKey(kb);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    for (let n = 0; n < 5; n++) await partner.query(limited.api_key, ANSWERED);
    expect(outcome(await partner.query(revoked.api_key, ANSWERED))).toBe('401 api_key_revoked');
    await eventually(async () => (await report(alice, kb)).totals.refused > 0);
    await eventually(async () => (await report(alice, kb)).totals.refused === 4);
    await queriesAreRecorded(alice, kb, 2);
  });
});
