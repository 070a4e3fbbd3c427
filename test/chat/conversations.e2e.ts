import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AuditEvent,
  Client,
  type IssuedApiKey,
  outcome,
  type Page,
} from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';

const ALICE = newUserId('alice');

interface Conversation {
  id: string;
  environment: string;
  end_user_id: string | null;
  question: string | null;
  answered: boolean | null;
  rating: 'up' | 'down' | null;
  api_key_id: string;
  api_key_name: string | null;
  created_at: string;
}

const ANSWERED = 'How long may customers return an order?';
const UNANSWERED = 'Do you ship penguins?';

describe('conversations', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let live: string;
  let test: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
    partner = new Client(service);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    live = (await alice.createApiKey(kbId)).api_key;
    test = (await alice.createApiKey(kbId, { environment: 'test' })).api_key;
    const text = 'Customers may return any order within 30 days.';
    await alice.addDocument(kbId, { title: 'Returns', text });
  });

  const chat = async (secret: string, message: string, more: object = {}) => {
    const { status, body, text } = await partner.chat(secret, message, more);
    if (status !== 200) throw new Error(text);
    return body;
  };
  const list = (search: string) =>
    alice.get<Page<Conversation>>(`/kbs/${kbId}/conversations?${search}`);
  const ids = async (search: string) => (await list(search)).body.data.map(({ id }) => id);
  const messages = (id: string) => alice.get<Page<unknown>>(`/conversations/${id}/messages`);

  it('are listed by end user, environment, time, what was answered and how it was rated', async () => {
    const a = await chat(live, ANSWERED, { end_user_id: 'ann' });
    const b = await chat(test, UNANSWERED, { end_user_id: 'ben' });
    const c = await chat(live, UNANSWERED, { end_user_id: 'ann' });
    await chat(live, ANSWERED, { conversation_id: c.conversation_id });
    const rate = (id: string, rating: string) =>
      partner.post(`/messages/${id}/feedback`, { api_key: live, rating });
    await rate(a.message_id, 'up');
    await rate(c.message_id, 'down');
    const [A, B, C] = [a, b, c].map(({ conversation_id: id }) => id) as [string, string, string];
    const { created_at: middle } = (await alice.get<Conversation>(`/conversations/${B}`)).body;

    expect(await ids('')).toEqual([C, B, A]);
    expect(await ids('end_user_id=ann')).toEqual([C, A]);
    expect(await ids('end_user_id=nobody')).toEqual([]);
    expect(await ids('environment=test')).toEqual([B]);
    expect(await ids('answered=true')).toEqual([A]);
    expect(await ids('answered=false')).toEqual([C, B]);
    expect(await ids('answered=false&environment=live')).toEqual([C]);
    expect(await ids('rating=up')).toEqual([A]);
    expect(await ids('rating=down&answered=false&end_user_id=ann')).toEqual([C]);
    expect(await ids('rating=up&answered=false')).toEqual([]);
    // From inclusive, to exclusive.
    expect(await ids(`from=${middle}`)).toEqual([C, B]);
    expect(await ids(`to=${middle}`)).toEqual([A]);
    expect(await ids(`from=${middle}&to=${middle}`)).toEqual([]);
    expect(await ids('from=2020-01-01&to=2020-01-02')).toEqual([]);

    // Filters hold on every page, and for the total.
    const first = (await list('end_user_id=ann&limit=1')).body;
    expect(first).toMatchObject({ total: 2, has_more: true });
    const second = await list(`end_user_id=ann&limit=1&cursor=${String(first.next_cursor)}`);
    expect(second.body.data.map(({ id }) => id)).toEqual([A]);
  });

  it('are listed with their first question, what became of it, its key and its rating', async () => {
    const key = await alice.createApiKey(kbId, { name: 'Shop' });
    const a = await chat(key.api_key, ANSWERED);
    const b = await chat(live, `${'Really? '.repeat(60)}${UNANSWERED}`);
    await chat(live, ANSWERED, { conversation_id: b.conversation_id });
    const rate = (id: string, secret: string, rating: string) =>
      partner.post(`/messages/${id}/feedback`, { api_key: secret, rating });
    await rate(a.message_id, key.api_key, 'up');
    await rate(b.message_id, live, 'down');
    const { data } = (await list('')).body;
    expect(data).toMatchObject([
      {
        question: 'Really? '.repeat(60).slice(0, 300),
        answered: false,
        rating: 'down',
      },
      {
        question: ANSWERED,
        answered: true,
        rating: 'up',
        api_key_id: key.id,
        api_key_name: 'Shop',
      },
    ]);
    const one = await alice.get<Conversation>(`/conversations/${a.conversation_id}`);
    expect(one.body).toEqual(data[1]);
    await alice.call('DELETE', `/api-keys/${key.id}`);
    expect((await list('')).body.data[1]).toMatchObject({
      question: ANSWERED,
      answered: true,
      api_key_name: null,
    });
  });

  it('are listed without the name of a key that no longer opens the knowledge base', async () => {
    const other = (await alice.createKnowledgeBase()).id;
    const { body: shared } = await alice.post<IssuedApiKey>('/api-keys', {
      name: 'Both shops',
      environment: 'live',
      kbs: [{ kb_id: kbId }, { kb_id: other }],
    });
    await chat(shared.api_key, ANSWERED, { kb_ids: [kbId] });
    const name = async () => (await list('')).body.data[0]?.api_key_name;
    expect(await name()).toBe('Both shops');
    await alice.call('DELETE', `/kbs/${kbId}/api-keys/${shared.id}`);
    expect(await name()).toBeNull();
  });

  it('count as unanswered for a reader to whom a document of the answer is closed', async () => {
    const viewerId = newUserId('viewer');
    const viewer = new Client(service, viewerId);
    await alice.call('PUT', `/kbs/${kbId}/members/${viewerId}`, { role: 'viewer' });
    const salaries = await alice.addDocument(kbId, { title: 'Pay', text: 'Directors earn much.' });
    const [a, b] = [await chat(live, ANSWERED), await chat(live, 'How much do directors earn?')];
    expect(b.sources).toMatchObject([{ document_id: salaries.id }]);
    const [A, B] = [a.conversation_id, b.conversation_id];
    const answered = async (client: Client, search = '') => {
      const path = `/kbs/${kbId}/conversations?${search}`;
      const { body } = await client.get<Page<Conversation>>(path);
      for (const one of body.data) {
        expect((await client.get<Conversation>(`/conversations/${one.id}`)).body).toEqual(one);
      }
      expect(body.total).toBe(body.data.length);
      return body.data.map((one) => [one.id, one.answered]);
    };
    const both = [
      [B, true],
      [A, true],
    ];
    expect(await answered(viewer, 'answered=true')).toEqual(both);
    const access = { allow: [`user:${ALICE}`] };
    await alice.call('PATCH', `/documents/${salaries.id}`, { access });
    expect(await answered(viewer)).toEqual([
      [B, false],
      [A, true],
    ]);
    expect(await answered(viewer, 'answered=true')).toEqual([[A, true]]);
    expect(await answered(viewer, 'answered=false')).toEqual([[B, false]]);
    expect(await answered(alice, 'answered=true')).toEqual(both);
    expect(await answered(alice, 'answered=false')).toEqual([]);
  });

  it('are found by the words of their questions, never by those of answers', async () => {
    const a = await chat(live, ANSWERED, { end_user_id: 'ann' });
    const b = await chat(live, 'Is 100% of it refunded?');
    const [A, B] = [a.conversation_id, b.conversation_id];
    await chat(live, UNANSWERED, { conversation_id: A });
    expect(await ids('q=ORDER')).toEqual([A]);
    expect(await ids('q=penguins')).toEqual([A]);
    expect(await ids('q=order%20long')).toEqual([A]);
    // Both words, but not of one question.
    expect(await ids('q=order%20penguins')).toEqual([]);
    expect(await ids('q=100%25')).toEqual([B]);
    expect(await ids('q=1%25%25')).toEqual([]);
    expect(await ids('q=i')).toEqual([B, A]);
    expect(await ids('q=i&end_user_id=ann')).toEqual([A]);
    expect(await ids('q=i&to=2020-01-01')).toEqual([]);
    expect(await ids('q=days')).toEqual([]);
    expect((await list('q=i&limit=1')).body).toMatchObject({ total: 2, has_more: true });
    const c = await chat(live, 'Wann öffnet das ÜBERHAUS?');
    for (const word of ['Ü', 'ü', 'Öffnet', 'überhaus']) {
      expect(await ids(`q=${encodeURIComponent(word)}`)).toEqual([c.conversation_id]);
    }
  });

  it.each<[field: string, search: string]>([
    ['q', 'q='],
    ['q', 'q=%20%09'],
    ['answered', 'answered=maybe'],
    ['rating', 'rating=sideways'],
    ['environment', 'environment=staging'],
    ['end_user_id', 'end_user_id='],
    ['end_user_id', 'end_user_id=%00'],
    ['from', 'from=yesterday'],
    ['from', 'from=2026-02-30'],
    ['from', 'from=2026-11-20T10:00:00'],
    ['to', 'to=20261120'],
    ['from', 'from=2026-11-21&to=2026-11-20'],
    ['status', 'status=open'],
  ])('refuse a list with a bad %s: ?%s', async (field, search) => {
    const answer = await list(search);
    expect(outcome(answer)).toBe('400 validation_failed');
    expect(answer.body).toMatchObject({ errors: [{ field }] });
  });

  it('are deleted with their messages, once, with an audit event', async () => {
    const { conversation_id: id } = await chat(live, ANSWERED, { end_user_id: 'ann' });
    const { conversation_id: other } = await chat(live, UNANSWERED);
    const remove = () => alice.call('DELETE', `/conversations/${id}`);
    expect((await remove()).body).toEqual({ success: true });
    expect(outcome(await remove())).toBe('404 not_found');
    expect(outcome(await messages(id))).toBe('404 not_found');
    expect(outcome(await alice.get(`/conversations/${id}`))).toBe('404 not_found');
    expect(outcome(await partner.chat(live, ANSWERED, { conversation_id: id }))).toBe(
      '404 not_found',
    );
    expect(await ids('')).toEqual([other]);
    const rows = await sql<{ content: string }>(
      service.environment,
      `SELECT content FROM messages WHERE conversation_id = '${id}'`,
    );
    expect(rows).toEqual([]);
    const events = await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events?limit=1`);
    expect(events.body.data).toMatchObject([
      { actor: ALICE, action: 'conversation.deleted', target_id: id },
    ]);
  });

  describe('of an end user', () => {
    const erase = (search: string) => alice.call('DELETE', `/kbs/${kbId}/conversations${search}`);

    it('are erased, all of them and no others, and nothing of them is left', async () => {
      const foreign = (await alice.createKnowledgeBase()).id;
      const elsewhere = (await alice.createApiKey(foreign)).api_key;
      const kept = [
        (await chat(live, ANSWERED, { end_user_id: 'ann-marie' })).conversation_id,
        (await chat(live, ANSWERED)).conversation_id,
      ];
      await chat(elsewhere, UNANSWERED, { end_user_id: 'ann' });
      // More than go in one transaction.
      for (let batch = 0; batch < 21; batch++) {
        await Promise.all(
          Array.from({ length: 10 }, () => chat(live, 'Secret penguins?', { end_user_id: 'ann' })),
        );
      }
      expect((await list('end_user_id=ann')).body.total).toBe(210);

      expect((await erase('?end_user_id=ann')).body).toEqual({ success: true });
      expect(await ids('')).toEqual(kept.reverse());
      expect((await alice.get<Page<unknown>>(`/kbs/${foreign}/conversations`)).body.total).toBe(1);
      const left = await sql<{ count: number | string }>(
        service.environment,
        `SELECT COUNT(*) AS count FROM messages WHERE content LIKE 'Secret%'`,
      );
      expect(Number(left[0]?.count)).toBe(0);
      const unanswered = await alice.get<Page<unknown>>(`/kbs/${kbId}/analytics/unanswered`);
      expect(unanswered.body.data).toEqual([]);

      // Counted, but not told.
      const { body } = await alice.get<{ totals: object }>(`/kbs/${kbId}/analytics`);
      expect(body.totals).toMatchObject({ chats: 212, unanswered: 210, end_users: 2 });
      const { text, body: events } = await alice.get<Page<AuditEvent>>(
        `/kbs/${kbId}/audit-events?limit=1`,
      );
      expect(events.data).toMatchObject([
        { action: 'conversations.erased', target_id: kbId, details: { conversations: 210 } },
      ]);
      expect(text).not.toContain('ann');
      expect(service.logs).not.toContain('end_user_id=ann');

      // Who comes back is somebody new.
      await chat(live, ANSWERED, { end_user_id: 'ann' });
      const again = await alice.get<{ totals: object }>(`/kbs/${kbId}/analytics`);
      expect(again.body.totals).toMatchObject({ end_users: 3 });
    });

    it.each(['', '?end_user_id=', '?end_user_id=a&end_user_id=b', '?end_user_id=a&all=true'])(
      'are not erased by DELETE with %p',
      async (search) => {
        const { conversation_id: id } = await chat(live, ANSWERED, { end_user_id: 'a' });
        expect(outcome(await erase(search))).toBe('400 validation_failed');
        expect(await ids('')).toEqual([id]);
      },
    );
  });
});
