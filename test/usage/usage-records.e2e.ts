import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Socket } from 'node:net';
import { type Answer, atOnce, Client, inTurns, outcomes } from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const QUESTION = 'How long may customers return an order?';

interface Recorded {
  records: number;
  ids: number;
  counted: number;
}

let first: Service;
let second: Service;
let alice: Client;

beforeAll(async () => {
  first = await Service.start({ LOG_LEVEL: 'info' });
  second = await first.beside();
  alice = new Client(first, 'alice');
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
});

async function furnish(): Promise<{ kbId: string; secret: string }> {
  const { id: kbId } = await alice.createKnowledgeBase();
  const { api_key: secret } = await alice.createApiKey(kbId);
  const text = 'Customers may return any order within 30 days.';
  await alice.addDocument(kbId, { title: 'Returns', text });
  // A key's very first use is written down apart.
  await new Client(first).query(secret, QUESTION);
  return { kbId, secret };
}

/** What the database has of a knowledge base, as records and as what was counted. */
async function recorded(kbId: string, kind: 'query' | 'chat'): Promise<Recorded> {
  const counter = kind === 'query' ? 'queries' : 'chats';
  const [row] = await sql<Record<keyof Recorded, string | number | null>>(
    first.environment,
    `SELECT COUNT(*) AS records, COUNT(DISTINCT id) AS ids,
       (SELECT SUM(${counter}) FROM usage_counts
        WHERE kb_id = '${kbId}' AND period = 'quarter') AS counted
     FROM usage_counts WHERE kb_id = '${kbId}' AND period = 'request' AND ${counter} = 1`,
  );
  return {
    records: Number(row?.records),
    ids: Number(row?.ids),
    counted: Number(row?.counted),
  };
}

/** Queries are recorded within five seconds after they are answered. */
const recordedSoon = (kbId: string, kind: 'query' | 'chat', count: number) =>
  eventually(async () => (await recorded(kbId, kind)).records >= count);

const once = (count: number): Recorded => ({ records: count, ids: count, counted: count });

describe('usage records', () => {
  it('are written once per answered request, under parallel requests to two processes', async () => {
    const { kbId, secret } = await furnish();
    const [a, b] = [new Client(first), new Client(second)];
    const answers = await inTurns(200, 40, (n): Promise<Answer<unknown>> => {
      const partner = n % 2 === 0 ? a : b;
      return n % 5 === 0 ? partner.chat(secret, QUESTION) : partner.query(secret, QUESTION);
    });
    expect(outcomes(answers)).toEqual({ 200: 200 });
    await recordedSoon(kbId, 'query', 161);
    expect(await recorded(kbId, 'query')).toEqual(once(161));
    expect(await recorded(kbId, 'chat')).toEqual(once(40));
  });

  it('have the id of the answer', async () => {
    const { kbId, secret } = await furnish();
    const partner = new Client(second);
    const { body: query } = await partner.query(secret, QUESTION);
    const { body: chat } = await partner.chat(secret, QUESTION);
    await recordedSoon(kbId, 'query', 2);
    const rows = await sql<{ id: string }>(
      first.environment,
      `SELECT id FROM usage_counts WHERE kb_id = '${kbId}' AND period = 'request'`,
    );
    expect(rows.map(({ id }) => id)).toEqual(
      expect.arrayContaining([query.query_id, chat.message_id]),
    );
  });

  it('are written at most once if the client disconnects, which cancels a search', async () => {
    const { kbId, secret } = await furnish();
    for (const path of ['query', 'chat']) {
      for (let n = 0; n < 10; n++) await askAndLeave(path, secret);
    }
    for (const kind of ['query', 'chat'] as const) {
      await eventually(async () => {
        const found = await recorded(kbId, kind);
        return JSON.stringify(found) === JSON.stringify(once(found.records));
      });
      expect((await recorded(kbId, kind)).records).toBeLessThanOrEqual(11);
    }
  });

  it('are not written for a refused request', async () => {
    const { kbId, secret } = await furnish();
    const partner = new Client(first);
    const answers = [
      await partner.query(secret, ''),
      await partner.query(secret, QUESTION, { top_k: 0 }),
      await partner.query(`${secret}x`, QUESTION),
      await partner.chat(secret, QUESTION, { conversation_id: 'conv_nonsense' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 401, 404]);
    await recordedSoon(kbId, 'query', 1);
    expect(await recorded(kbId, 'query')).toEqual(once(1));
    expect(await recorded(kbId, 'chat')).toEqual({ records: 0, ids: 0, counted: 0 });
  });

  it('survive a kill -9: those of chats at once, those of queries after five seconds', async () => {
    const { kbId, secret } = await furnish();
    await recordedSoon(kbId, 'query', 1);
    let [queries, chats] = [1, 0];
    for (let round = 0; round < repetitions(1, 2); round++) {
      const victim = await Service.start(first.environment);
      const partner = new Client(victim);
      const early = await atOnce(20, () => partner.query(secret, QUESTION));
      expect(outcomes(early)).toEqual({ 200: 20 });
      await recordedSoon(kbId, 'query', queries + 20);
      let [lateQueries, lateChats] = [0, 0];
      const loops = atOnce(16, async (n) => {
        const kind = n % 4 === 0 ? 'chat' : 'query';
        // Until it is killed, which ends the connection.
        for (;;) {
          const answer = await partner[kind](secret, QUESTION).catch(() => undefined);
          if (answer?.status !== 200) return;
          if (kind === 'chat') lateChats++;
          else lateQueries++;
        }
      });
      await eventually(() => lateQueries >= 50 && lateChats >= 5);
      await victim.kill();
      await loops;
      const [query, chat] = [await recorded(kbId, 'query'), await recorded(kbId, 'chat')];
      expect([query, chat]).toEqual([once(query.records), once(chat.records)]);
      // No more than were under way when it died.
      expect(chat.records - chats).toBeGreaterThanOrEqual(lateChats);
      expect(chat.records - chats).toBeLessThanOrEqual(lateChats + 16);
      expect(query.records - queries).toBeGreaterThanOrEqual(20);
      expect(query.records - queries).toBeLessThanOrEqual(20 + lateQueries + 16);
      [queries, chats] = [query.records, chat.records];
    }
  });

  it('survive a stop, to the last request', async () => {
    const { kbId, secret } = await furnish();
    await recordedSoon(kbId, 'query', 1);
    const other = await Service.start(first.environment);
    const partner = new Client(other);
    await atOnce(50, () => partner.query(secret, QUESTION));
    expect(await other.stop()).toBe(0);
    expect(await recorded(kbId, 'query')).toEqual(once(51));
  });
});

/** Sends a whole request and closes the connection without waiting for the answer. */
async function askAndLeave(path: string, secret: string): Promise<void> {
  const body = JSON.stringify({ api_key: secret, message: QUESTION });
  const { hostname, port } = new URL(first.url);
  const socket = new Socket();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.connect(Number(port), hostname, () => {
      socket.write(
        `POST /api/v1/${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        () => {
          resolve();
        },
      );
    });
  });
  socket.destroySoon();
}
