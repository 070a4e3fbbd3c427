import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AuditEvent, Client, outcome, type Page } from '../../../test/support/client.js';
import { withPlugins } from '../../../test/support/requirement.js';
import { eventually, Service } from '../../../test/support/service.js';
import {
  BOT,
  BOT_TOKEN,
  type SlackBody,
  SlackServer,
  signSlack,
  WORKSPACE,
} from '../../../test/support/slack-server.js';
import { sql } from '../../../test/support/sql.js';

interface Channel {
  id: string;
  name: string;
  state: string;
  workspace: { id: string; name: string } | null;
  daily_messages: number;
  messages_today: number;
  last_event_at: string | null;
  last_error: string | null;
}

interface Conversation {
  id: string;
  end_user_id: string | null;
}

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const QUESTION = 'How long may customers return an order?';

/** Ids and times as Slack has them, each of them once. */
let count = 0;
const newTime = () => `1700000000.${String(count++).padStart(6, '0')}`;

describe('a channel of Slack', () => {
  let slack: SlackServer;
  let service: Service;
  let second: Service;
  let alice: Client;
  let kbId: string;
  let channel: Channel;

  beforeAll(async () => {
    slack = await SlackServer.start();
    service = await Service.start({ SLACK_API_URL: slack.url });
    second = await service.beside();
    alice = new Client(service, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
    await alice.addDocument(kbId, {
      title: 'Returns <!channel>',
      text: 'Customers may return an order within 30 days.',
      source_url: 'https://shop.example.com/returns',
    });
    await alice.addDocument(kbId, {
      title: 'Bonus',
      text: 'The bonus of the warehouse team is 700 euros.',
      access: { allow: ['user:anna@shop.example', 'user:kim@shop.example'], deny: [] },
    });
  });

  afterAll(async () => {
    await Promise.all([service.stop(), second === service ? undefined : second.stop()]);
    await slack.stop();
    expect(service.logs).not.toContain(SECRET);
    expect(service.logs).not.toContain(BOT_TOKEN);
  });

  beforeEach(async () => {
    slack.calls.length = 0;
    slack.faults.clear();
    channel = await create();
  });

  const create = async (more: object = {}) => {
    const secrets = { signing_secret: SECRET, bot_token: BOT_TOKEN };
    const limits = { per_user_per_minute: 600 };
    const body = { name: 'Slack', ...secrets, ...limits, ...more };
    return (await alice.post<Channel>(`/kbs/${kbId}/channels`, body)).body;
  };
  const get = async (id = channel.id) => (await alice.get<Channel>(`/channels/${id}`)).body;
  const change = (body: object) => alice.call<Channel>('PATCH', `/channels/${channel.id}`, body);
  const post = (path: string, body: string, headers: Record<string, string>, to = service) =>
    new Client(to).call<Record<string, unknown>>(
      'POST',
      `/channels/${channel.id}/${path}`,
      body,
      headers,
    );
  const wrap = (event: object, id = `Ev${count++}`) =>
    JSON.stringify({
      ...{ token: 'old', team_id: WORKSPACE, api_app_id: 'A1', type: 'event_callback' },
      ...{ event_id: id, event_time: 1_800_000_000, event },
    });
  const deliver = (body: string, to = service, more: Record<string, string> = {}) =>
    post('events', body, { ...signSlack(body, SECRET), ...more }, to);
  const send = async (event: object) => {
    expect(outcome(await deliver(wrap(event)))).toBe('200');
  };
  const mention = (text = QUESTION, more: object = {}) => ({
    ...{ type: 'app_mention', user: 'UANNA', channel: 'C024BE91L', team: WORKSPACE },
    ...{ text: `<@${BOT}> ${text}`, ts: newTime(), ...more },
  });
  const direct = (text = QUESTION, more: object = {}) => ({
    ...mention(text, more),
    ...{ type: 'message', channel: 'D024BE91L', channel_type: 'im', text },
  });
  const reply = async (thread: string): Promise<SlackBody> => {
    await eventually(() => slack.in(thread).length > 0);
    return slack.in(thread)[0] ?? {};
  };
  const read = ({ blocks = [] }: SlackBody) =>
    blocks.flatMap(({ text, elements = [] }) =>
      (text ? [text, ...elements] : elements).map((one) => one.text),
    );
  const answerTo = async (event: { ts: string }) => {
    await send(event);
    return read(await reply(event.ts)).join('\n');
  };
  /** Waits until everything that was sent is done. */
  const settle = () =>
    eventually(async () => {
      const rows = await sql<{ subject_id: string }>(
        service.environment,
        `SELECT subject_id FROM queued_jobs WHERE queue = 'channel_events'`,
      );
      return rows.length === 0;
    });
  const conversations = async () =>
    (await alice.get<Page<Conversation>>(`/kbs/${kbId}/conversations?limit=100`)).body.data;

  it('knows its workspace by its token, and shows no secret', async () => {
    const shown = await alice.get<Channel>(`/channels/${channel.id}`);
    expect(shown.body).toMatchObject({
      ...{ state: 'active', workspace: { id: WORKSPACE, name: 'The shop' }, last_error: null },
    });
    const listed = await alice.get<Page<Channel>>(`/kbs/${kbId}/channels`);
    const audit = await alice.get(`/kbs/${kbId}/audit-events?limit=100`);
    for (const { text } of [shown, listed, audit]) {
      expect(text).toContain(channel.id);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(BOT_TOKEN);
    }
    const [row] = await sql<object>(
      service.environment,
      `SELECT * FROM channels WHERE id = '${channel.id}'`,
    );
    expect(JSON.stringify(row)).not.toMatch(new RegExp(`${SECRET}|${BOT_TOKEN}`));
  });

  it('can be created before the app is, since the addresses of the app have its id', async () => {
    const { body: empty } = await alice.post<Channel>(`/kbs/${kbId}/channels`, { name: 'Later' });
    expect(empty).toMatchObject({ workspace: null, state: 'active' });
    channel = empty;
    expect(outcome(await deliver(wrap(mention())))).toBe('401 invalid_signature');
    const added = await change({ signing_secret: SECRET, bot_token: BOT_TOKEN });
    expect(added.body.workspace).toEqual({ id: WORKSPACE, name: 'The shop' });
    expect(await answerTo(mention())).toContain('30 days');
  });

  it.each([
    ['Slack refuses', { error: 'invalid_auth' }, '400 validation_failed'],
    ['Slack does not get', { status: 503 }, '503 chat_service_unavailable'],
  ])('takes no token that %s', async (_, fault, expected) => {
    slack.faults.set('auth.test', [fault]);
    const refused = await change({ bot_token: BOT_TOKEN });
    expect(outcome(refused)).toBe(expected);
    expect(refused.text).not.toContain(BOT_TOKEN);
  });

  it.each([
    ['no name', { name: '' }],
    ['no messages', { daily_messages: 0 }],
    ['another type', { type: 'fax' }],
    ['a token of two lines', { bot_token: 'xoxb-1\nx' }],
    ['a secret that is none', { signing_secret: 'ä' }],
  ])('is refused with %s', async (_, more) => {
    const refused = await alice.post(`/kbs/${kbId}/channels`, { name: 'Slack', ...more });
    expect(outcome(refused)).toBe('400 validation_failed');
  });

  it('answers the challenge of Slack', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1aB', token: 'x' });
    const answered = await deliver(body);
    expect([answered.status, answered.body]).toEqual([200, { challenge: '3eZbrw1aB' }]);
  });

  const body = JSON.stringify({ type: 'url_verification', challenge: 'c' });
  it.each([
    ['no signature', {}],
    ['a signature of another secret', signSlack(body, 'other')],
    ['a signature of another body', signSlack(`${body} `, SECRET)],
    ['a signature of ten minutes ago', signSlack(body, SECRET, Date.now() - 600_000)],
    ['a signature of the future', signSlack(body, SECRET, Date.now() + 600_000)],
    ['a time that is none', { ...signSlack(body, SECRET), 'x-slack-request-timestamp': 'NaN' }],
    ['half a signature', { ...signSlack(body, SECRET), 'x-slack-signature': 'v0=ab' }],
  ])('refuses %s', async (_, headers) => {
    expect(outcome(await post('events', body, headers))).toBe('401 invalid_signature');
    expect(outcome(await post('commands', body, headers))).toBe('401 invalid_signature');
  });

  it.each(['[]', 'null', '{"type":"block_actions"}', '{"type":"event_callback"}', '{'])(
    'refuses %s, though it is signed',
    async (text) => {
      expect(outcome(await deliver(text))).toBe('400 validation_failed');
    },
  );

  it('answers a mention in its thread, with its sources', async () => {
    const event = mention();
    await send(event);
    const said = await reply(event.ts);
    expect(said.channel).toBe(event.channel);
    const [answer, source] = read(said);
    expect(answer).toContain('30 days');
    expect(source).toBe('[1] <https://shop.example.com/returns|Returns &lt;!channel&gt;>');
    await eventually(async () => (await get()).messages_today === 1);
    expect((await get()).last_event_at).not.toBeNull();
    expect((await conversations())[0]?.end_user_id).toBe(`slack-${WORKSPACE}-UANNA`);
  });

  it('continues the conversation of a thread, for each person', async () => {
    const event = mention();
    await answerTo(event);
    const before = (await conversations()).length;
    await send(mention('And employees?', { thread_ts: event.ts }));
    await eventually(() => slack.in(event.ts).length === 2);
    expect(await conversations()).toHaveLength(before);
    await send(mention(QUESTION, { thread_ts: event.ts, user: 'UBEN' }));
    await eventually(() => slack.in(event.ts).length === 3);
    expect(await conversations()).toHaveLength(before + 1);
  });

  it('answers what was asked meanwhile in the same thread after what was asked before', async () => {
    const before = (await conversations()).length;
    slack.faults.set('users.info', [{ status: 503 }]);
    const event = direct(QUESTION, { user: 'UCARL' });
    await send(event);
    await eventually(() => slack.of('users.info').length === 1);
    await send(direct('And employees?', { thread_ts: event.ts, user: 'UCARL' }));
    await eventually(() => slack.in(event.ts).length === 2);
    expect(await conversations()).toHaveLength(before + 1);
  });

  it('answers once, however often Slack tells it, and to whichever process', async () => {
    const event = mention();
    const text = wrap(event);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        deliver(text, index % 2 ? service : second, {
          ...(index > 0 && { 'x-slack-retry-num': String(index) }),
        }),
      ),
    );
    expect(new Set(answers.map(outcome))).toEqual(new Set(['200']));
    // Another subscription to the same message has an event of its own.
    await send(event);
    await reply(event.ts);
    await settle();
    expect(slack.in(event.ts)).toHaveLength(1);
    expect((await get()).messages_today).toBe(1);
  });

  it('acknowledges at once, while Slack and the answer take their time', async () => {
    slack.faults.set('chat.postMessage', [{ status: 429, headers: { 'retry-after': '1' } }]);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    slack.held = promise;
    const event = mention();
    try {
      await send(event);
      await eventually(() => slack.in(event.ts).length === 1);
      expect((await get()).messages_today).toBe(1);
    } finally {
      resolve(undefined);
      slack.held = undefined;
    }
    await eventually(() => slack.in(event.ts).length === 2);
    await settle();
    expect((await get()).messages_today).toBe(1);
  });

  it('tries again after a failure of Slack, without asking again', async () => {
    slack.faults.set('chat.postMessage', [{ status: 503 }, { error: 'internal_error' }]);
    const event = mention();
    await send(event);
    await eventually(() => slack.in(event.ts).length === 3);
    await settle();
    expect(await get()).toMatchObject({ messages_today: 1, last_error: null });
  });

  it('says which message it could not send, and goes on', async () => {
    slack.faults.set('chat.postMessage', [{ error: 'not_in_channel' }]);
    await send(mention());
    await settle();
    expect(await get()).toMatchObject({ state: 'active', last_error: 'not_in_channel' });
    expect(await answerTo(mention())).toContain('30 days');
    await eventually(async () => (await get()).last_error === null);
  });

  it.each(['token_revoked', 'account_inactive', 'invalid_auth'])(
    'pauses at %s, and does not try again',
    async (error) => {
      slack.faults.set('chat.postMessage', [{ error }]);
      slack.faults.set('auth.test', [{ error }]);
      const event = mention();
      await send(event);
      await settle();
      expect(await get()).toMatchObject({ state: 'paused', last_error: error });
      expect(slack.in(event.ts)).toHaveLength(1);
    },
  );

  it('tries again at an error of the token that has gone', async () => {
    slack.faults.set('chat.postMessage', [{ error: 'invalid_auth' }]);
    const event = mention();
    await send(event);
    await eventually(() => slack.in(event.ts).length === 2);
    await settle();
    expect(await get()).toMatchObject({ state: 'active', messages_today: 1, last_error: null });
  });

  it.each([{ type: 'app_uninstalled' }, { type: 'tokens_revoked', tokens: { bot: ['UBOT'] } }])(
    'goes on at a late $type, since its token works',
    async (event) => {
      const told = JSON.parse(wrap(event)) as object;
      expect(outcome(await deliver(JSON.stringify({ ...told, event_time: 1 })))).toBe('200');
      await settle();
      expect(await get()).toMatchObject({ state: 'active', last_error: null });
    },
  );

  it('pauses when the app is uninstalled, and goes on with a new token', async () => {
    await send({ type: 'app_uninstalled' });
    await eventually(async () => (await get()).state === 'paused');
    expect((await get()).last_error).toBe('app_uninstalled');
    const path = `/kbs/${kbId}/audit-events?action=channel.updated`;
    const { data } = (await alice.get<Page<AuditEvent>>(path)).body;
    expect(data[0]).toMatchObject({ actor: 'slack', target_id: channel.id });
    expect((await change({ bot_token: BOT_TOKEN })).body).toMatchObject({
      ...{ state: 'active', last_error: null },
    });
    expect(await answerTo(mention())).toContain('30 days');
  });

  it('answers nobody while it is paused, says so once, and goes on', async () => {
    await change({ state: 'paused' });
    const events = [direct(), direct(), direct()];
    for (const event of events) await send(event);
    await settle();
    const said = slack.of('chat.postMessage');
    expect(said.map(({ blocks }) => blocks?.[0]?.text?.text)).toEqual([
      expect.stringContaining('taking a break'),
    ]);
    expect((await get()).messages_today).toBe(0);
    await change({ state: 'active' });
    expect(await answerTo(direct())).toContain('30 days');
  });

  it('says so in the language of the question', async () => {
    await change({ state: 'paused' });
    expect(
      await answerTo(direct('Wie lange dürfen Kunden eine Bestellung zurückgeben?')),
    ).toContain('mache gerade Pause');
  });

  it('ends with its deletion', async () => {
    const event = mention();
    await alice.call('DELETE', `/channels/${channel.id}`);
    expect(outcome(await deliver(wrap(event)))).toBe('401 invalid_signature');
    expect(outcome(await alice.get(`/channels/${channel.id}`))).toBe('404 not_found');
    const [row] = await sql<{ bot_token: string | null }>(
      service.environment,
      `SELECT bot_token FROM channels WHERE id = '${channel.id}'`,
    );
    expect(row?.bot_token).toBeNull();
  });

  it('holds its budget exactly, and tells each person once', async () => {
    await change({ daily_messages: 5 });
    const people = ['UANNA', 'UBEN'];
    const events = Array.from({ length: 50 }, (_, index) =>
      mention(QUESTION, { user: people[index % 2] }),
    );
    await Promise.all(
      events.map((event, index) => deliver(wrap(event), index % 3 ? service : second)),
    );
    await settle();
    const texts = slack.of('chat.postMessage').map((said) => read(said).join('\n'));
    expect(texts.filter((text) => text.includes('30 days'))).toHaveLength(5);
    expect(texts.filter((text) => text.includes('may answer today'))).toHaveLength(2);
    expect(texts).toHaveLength(7);
    expect((await get()).messages_today).toBe(5);
  });

  it('limits each person', async () => {
    await change({ per_user_per_minute: 1 });
    await answerTo(direct());
    expect(await answerTo(direct())).toContain('wait a minute');
    expect(await answerTo(direct(QUESTION, { user: 'UBEN' }))).toContain('30 days');
  });

  const BONUS = 'How high is the bonus of the warehouse team?';
  it.each([
    ['whom the rule names, in a direct message', direct(BONUS), true],
    ['whom it does not name', direct(BONUS, { user: 'UBEN' }), false],
    ['in a channel, where others read along', mention(BONUS), false],
    ['who is a guest', direct(BONUS, { user: 'UGUEST' }), false],
    ['of another workspace', direct(BONUS, { user: 'UOTHER' }), false],
    ['of another workspace, by the event', direct(BONUS, { user_team: 'T0THER' }), false],
    ['whose address only looks like that of somebody', direct(BONUS, { user: 'UKELVIN' }), false],
    ['whose address is not told', direct(BONUS, { user: 'UNOMAIL' }), false],
    ['whom Slack does not know', direct(BONUS, { user: 'UNOBODY' }), false],
  ])('answers from a closed document for somebody %s: %#', async (_, event, isOpen) => {
    const text = await answerTo(event);
    if (isOpen) expect(text).toContain('700 euros');
    else expect(text).not.toMatch(/700|Bonus/);
  });

  it('leaves closed documents closed without the scope for addresses', async () => {
    slack.faults.set('users.info', [{ error: 'missing_scope' }]);
    expect(await answerTo(direct(BONUS))).not.toContain('700');
  });

  const edit = (
    { ts, channel: place }: { ts: string; channel: string },
    text: string,
    at: string,
  ) => ({
    ...{ type: 'message', subtype: 'message_changed', hidden: true, ts: at, channel: place },
    channel_type: 'im',
    message: { type: 'message', user: 'UANNA', text, ts, edited: { user: 'UANNA', ts: at } },
  });

  it('replaces the answer to an edited question, once for each edit', async () => {
    const event = direct('When is the shop on the moon open?');
    expect(await answerTo(event)).not.toContain('30 days');
    const first = edit(event, QUESTION, '1700000900.000100');
    for (const one of [first, first, first]) await deliver(wrap(one));
    await eventually(() => slack.of('chat.update').length > 0);
    await send(edit(event, 'May I?', '1700000800.000100'));
    await settle();
    const updates = slack.of('chat.update');
    expect(updates).toHaveLength(1);
    expect(updates[0]).toMatchObject({ channel: event.channel });
    expect(read(updates[0] ?? {}).join()).toContain('30 days');
    expect(slack.in(event.ts)).toHaveLength(1);
  });

  /** Runs an event again, as after a crash before its end. */
  const repeat = async (event: { ts: string }, told: object) => {
    const where = `id LIKE '${channel.id}:%:${event.ts}:%'`;
    await sql(
      service.environment,
      `UPDATE channel_events SET event = '${JSON.stringify(told)}' WHERE ${where}`,
    );
    await sql(
      service.environment,
      `INSERT INTO queued_jobs (queue, subject_id, kb_id, user_id, kind, priority, state, due_at, attempts)
       SELECT 'channel_events', id, '${kbId}', 'alice', '', 0, 'waiting', created_at, 1
       FROM channel_events WHERE ${where}`,
    );
    await settle();
  };

  it('asks an edit once, also after a crash behind its answer', async () => {
    const event = direct('When is the shop on the moon open?');
    await answerTo(event);
    await settle();
    const at = '1700000900.000100';
    await send(edit(event, QUESTION, at));
    await settle();
    await sql(
      service.environment,
      `DELETE FROM channel_events WHERE id LIKE '${channel.id}:question:%'`,
    );
    await repeat(event, {
      ...{ kind: 'edit', place: event.channel, message: event.ts, thread: event.ts },
      ...{ asker: { id: 'UANNA', isStranger: false }, text: QUESTION, isPrivate: true },
      editedAt: at,
    });
    expect(slack.of('chat.update')).toHaveLength(1);
    expect((await get()).messages_today).toBe(2);
  });

  it('posts no second answer where one waits to be replaced', async () => {
    const event = mention('When is the shop on the moon open?');
    await answerTo(event);
    await settle();
    const reply = JSON.stringify({ text: 'x', isMarkdown: false, sources: [] });
    await sql(
      service.environment,
      `UPDATE channel_answers SET reply = '${reply}' WHERE channel_id = '${channel.id}'`,
    );
    const edited = { user: 'UANNA', ts: '1700000900.000100' };
    await send({ ...event, text: `<@${BOT}> ${QUESTION}`, edited });
    await settle();
    expect(slack.in(event.ts)).toHaveLength(1);
    expect(slack.of('chat.update')).toHaveLength(1);
  });

  it('takes an edit that comes before its question', async () => {
    const event = direct('When is the shop on the moon open?');
    await send(edit(event, QUESTION, '1700000900.000100'));
    await send(event);
    await eventually(() => slack.of('chat.update').length === 1);
    await settle();
    expect(read(slack.of('chat.update')[0] ?? {}).join()).toContain('30 days');
  });

  it('replaces the answer when a mention is edited', async () => {
    const event = mention('When is the shop on the moon open?');
    await answerTo(event);
    const at = '1700000900.000100';
    await send({ ...event, text: `<@${BOT}> ${QUESTION}`, edited: { user: 'UANNA', ts: at } });
    await eventually(() => slack.of('chat.update').length === 1);
  });

  const react = (
    event: { channel: string },
    message: string,
    reaction: string,
    more: object = {},
  ) => ({
    ...{ type: 'reaction_added', user: 'UANNA', reaction, item_user: BOT },
    ...{ item: { type: 'message', channel: event.channel, ts: message }, event_ts: newTime() },
    ...more,
  });
  /** Answers a question; gives the message with the answer. */
  const answered = async (event: { ts: string; channel: string }) => {
    await answerTo(event);
    await settle();
    const [row] = await sql<{ answer_message: string; message_id: string }>(
      service.environment,
      `SELECT answer_message, message_id FROM channel_answers
       WHERE channel_id = '${channel.id}' AND thread = '${event.ts}'`,
    );
    return { at: String(row?.answer_message), id: String(row?.message_id) };
  };
  const ratingOf = async (id: string) => {
    const [row] = await sql<{ rating: string }>(
      service.environment,
      `SELECT rating FROM message_feedback WHERE message_id = '${id}'`,
    );
    return row?.rating;
  };

  it('takes reactions of the asker as the rating, the latest one', async () => {
    const event = mention();
    const { at, id } = await answered(event);
    const rate = async (reaction: string, more: object = {}) => {
      await send(react(event, at, reaction, more));
      await settle();
      return ratingOf(id);
    };
    expect(await rate('+1', { user: 'UBEN' })).toBeUndefined();
    expect(await rate('+1::skin-tone-3')).toBe('up');
    expect(await rate('x')).toBe('down');
    expect(await rate('+1', { type: 'reaction_removed' })).toBe('down');
    expect(await rate('+1', { event_ts: '1600000000.000000' })).toBe('down');
    expect(await rate('x', { type: 'reaction_removed' })).toBeUndefined();
    expect(await rate('eyes')).toBeUndefined();
  });

  it('takes the latest of reactions that come at once', async () => {
    const event = mention();
    const { at, id } = await answered(event);
    for (let round = 0; round < 8; round++) {
      await send(react(event, at, '+1'));
      await settle();
      const removed = react(event, at, '+1', { type: 'reaction_removed' });
      const added = react(event, at, '-1');
      await Promise.all([
        deliver(wrap(removed), round % 2 ? service : second),
        deliver(wrap(added), round % 2 ? second : service),
      ]);
      await settle();
      expect(await ratingOf(id)).toBe('down');
    }
  });

  it('takes a reaction that comes before the answer is stored', async () => {
    const event = mention();
    const { at, id } = await answered(event);
    const set = (message: string) =>
      sql(
        service.environment,
        `UPDATE channel_answers SET answer_message = '${message}' WHERE message_id = '${id}'`,
      );
    await set('1.0');
    await send(react(event, at, '+1'));
    await eventually(async () => {
      const [row] = await sql<{ attempts: number }>(
        service.environment,
        `SELECT attempts FROM queued_jobs WHERE queue = 'channel_events' AND attempts > 0`,
      );
      return row !== undefined;
    });
    await set(at);
    await eventually(async () => (await ratingOf(id)) === 'up');
  });

  it('forgets a reaction on a message that it never sent', async () => {
    await send(react(mention(), '1600000000.000100', '+1'));
    await settle();
  });

  withPlugins('gaps').it('opens a gap with a question that nobody could answer', async () => {
    const asked = `Who feeds the penguin of the lighthouse?`;
    await answerTo(mention(asked));
    const { body: gaps } = await alice.get<{ data: { question: string }[] }>(`/kbs/${kbId}/gaps`);
    expect(gaps.data.map(({ question }) => question)).toContain(asked);
  });

  it.each([
    ['the bot', { user: BOT }],
    ['another bot', { bot_id: 'B2' }],
    ['the app that posts for a user', { subtype: 'bot_message' }],
  ])('does not answer %s', async (_, more) => {
    await send(direct(QUESTION, more));
    await send(mention(QUESTION, more));
    await settle();
    expect(slack.calls.filter(({ method }) => method.startsWith('chat.'))).toEqual([]);
  });

  it('says what to do with an empty mention', async () => {
    expect(await answerTo(mention(''))).toContain('Write your question');
    expect((await get()).messages_today).toBe(0);
  });

  it.each([
    ['that mentions everybody', `<!channel> <!here> &lt;!everyone&gt; ${QUESTION}`],
    ['of 40,000 characters', 'word '.repeat(8000)],
    ['of signs alone', '\u0000\uD800 ???'],
  ])('answers a text %s, and mentions nobody', async (_, text) => {
    const event = mention(text);
    await send(event);
    expect(JSON.stringify(await reply(event.ts))).not.toMatch(/<[!@]/);
  });

  const command = (more: Record<string, string> = {}) =>
    new URLSearchParams({
      ...{ token: 'old', team_id: WORKSPACE, channel_id: 'C024BE91L', user_id: 'UANNA' },
      ...{ command: '/ask', text: QUESTION, response_url: slack.replyUrl },
      ...{ trigger_id: `1.2.${count++}`, ...more },
    }).toString();
  const use = (form: string, to = service) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return post('commands', form, { ...signSlack(form, SECRET), ...type }, to);
  };

  it('answers a command where only the asker sees it, once', async () => {
    const form = command({ text: BONUS });
    const answers = await Promise.all([use(form), use(form, second), use(form)]);
    for (const { status, body: said } of answers) {
      expect([status, said]).toEqual([200, { response_type: 'ephemeral', text: `:mag: ${BONUS}` }]);
    }
    await eventually(() => slack.of('commands').length > 0);
    await settle();
    const [said, ...others] = slack.of('commands');
    expect(others).toEqual([]);
    expect(said?.response_type).toBe('ephemeral');
    expect(read(said ?? {}).join()).toContain('700 euros');
  });

  it('answers a command of a stranger from what everybody may read', async () => {
    await use(command({ text: BONUS, team_id: 'T0THER' }));
    await eventually(() => slack.of('commands').length === 1);
    expect(JSON.stringify(slack.of('commands'))).not.toContain('700');
  });

  it.each(['http://169.254.169.254/latest', 'https://hooks.slack.com.evil.example/1', 'x'])(
    'sends no answer to %s',
    async (response_url) => {
      expect(outcome(await use(command({ response_url })))).toBe('200');
      await settle();
      expect((await get()).last_error).toBe('response_url_not_of_slack');
    },
  );

  it('keeps nothing of what was said but the conversation', async () => {
    const event = mention(`${QUESTION} zebra`);
    await answerTo(event);
    await settle();
    const rows = await sql<object>(service.environment, 'SELECT * FROM channel_events');
    const answers = await sql<object>(service.environment, 'SELECT * FROM channel_answers');
    expect(JSON.stringify([rows, answers])).not.toContain('zebra');
    expect(JSON.stringify([rows, answers])).not.toContain('30 days');
  });
});

describe('the knowledge base of a channel', () => {
  let slack: SlackServer;
  let service: Service;

  beforeAll(async () => {
    slack = await SlackServer.start();
    service = await Service.start({ SLACK_API_URL: slack.url });
  });

  afterAll(async () => {
    await service.stop();
    await slack.stop();
  });

  it('takes everything of the channel with it', async () => {
    const alice = new Client(service, 'alice');
    const { id: kbId } = await alice.createKnowledgeBase();
    const secrets = { signing_secret: SECRET, bot_token: BOT_TOKEN };
    const path = `/kbs/${kbId}/channels`;
    const { body: channel } = await alice.post<Channel>(path, { name: 'Slack', ...secrets });
    const event = { type: 'message', user: 'UANNA', channel: 'D1X', channel_type: 'im' };
    const body = JSON.stringify({
      ...{ type: 'event_callback', event_id: 'Ev1' },
      event: { ...event, text: 'Hello?', ts: newTime() },
    });
    await alice.call('POST', `/channels/${channel.id}/events`, body, signSlack(body, SECRET));
    await eventually(() => slack.of('chat.postMessage').length === 1);
    await alice.call('DELETE', `/kbs/${kbId}`);
    await eventually(async () => {
      const counts = await Promise.all(
        ['channels', 'channel_events', 'channel_answers'].map((table) =>
          sql<object>(service.environment, `SELECT 1 AS one FROM ${table}`),
        ),
      );
      return counts.every((rows) => rows.length === 0);
    });
  });
});
