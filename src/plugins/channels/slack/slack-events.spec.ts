import { describe, expect, it } from '@jest/globals';
import { readSlackCommand, readSlackEvent } from './slack-events.js';

const BOT = { workspaceId: 'T1SHOP', botUserId: 'UBOT' };
const read = (event: object) =>
  readSlackEvent({ type: 'event_callback', event_id: 'Ev1', team_id: 'T1SHOP', event }, BOT)
    ?.received?.event;
const mention = {
  ...{ type: 'app_mention', user: 'UANNA', channel: 'C1', ts: '1800000000.000100' },
  text: '<@UBOT> May I return <https://shop.example/a|this order> &amp; that?',
};
const direct = { ...mention, type: 'message', channel: 'D1', channel_type: 'im' };

describe(readSlackEvent.name, () => {
  it.each([
    ['T1SHOP', { kind: 'ended', reason: 'app_uninstalled', at: 0 }],
    ['T2OTHER', undefined],
  ])('reads the end of the app in the workspace %s as %o', (team_id, expected) => {
    const body = { type: 'event_callback', event_id: 'Ev1', event_time: 0, team_id };
    const read = readSlackEvent({ ...body, event: { type: 'app_uninstalled' } }, BOT);
    expect(read?.received?.event).toEqual(expected);
  });

  it('reads a mention as its author sees it', () => {
    expect(read(mention)).toEqual({
      ...{ kind: 'question', place: 'C1', message: mention.ts, thread: mention.ts },
      asker: { id: 'UANNA', isStranger: false },
      text: 'May I return this order & that?',
      isPrivate: false,
    });
  });

  it('reads the thread that a direct message is in', () => {
    const thread = '1700000000.000100';
    expect(read({ ...direct, thread_ts: thread })).toMatchObject({ thread, isPrivate: true });
  });

  it('reads what databases do not store as a sign for it', () => {
    expect(read({ ...direct, text: 'a\0b\uD800' })).toMatchObject({ text: 'a\uFFFDb\uFFFD' });
  });

  it.each([
    ['of the bot itself', { ...direct, user: 'UBOT' }],
    ['of another bot', { ...direct, bot_id: 'B2' }],
    ['of a bot that mentions this one', { ...mention, bot_id: 'B2' }],
    ['that somebody has joined', { ...direct, subtype: 'channel_join' }],
    ['in a channel, without a mention', { ...direct, channel: 'C1', channel_type: 'channel' }],
    ['without an author', { ...direct, user: undefined }],
    ['without a text', { ...direct, text: undefined }],
    ['with an id that is none', { ...direct, channel: '../x' }],
    ['with a time that is none', { ...direct, ts: 'now' }],
  ])('ignores a message %s', (_, event) => {
    expect(read(event)).toBeUndefined();
  });

  const changed = (message: object, more: object = {}) => ({
    ...{ type: 'message', subtype: 'message_changed', channel: 'D1', channel_type: 'im' },
    ts: '1800000009.000000',
    message: { user: 'UANNA', text: 'Now?', ts: direct.ts, ...message },
    ...more,
  });
  const edited = { edited: { user: 'UANNA', ts: '1800000009.000000' } };

  it('reads an edit', () => {
    expect(read(changed(edited))).toMatchObject({
      ...{ kind: 'edit', message: direct.ts, text: 'Now?', editedAt: edited.edited.ts },
    });
  });

  it.each([
    ['that only adds a preview', changed({})],
    ['of the bot’s own message', changed({ ...edited, user: 'UBOT', bot_id: 'B1' })],
    [
      'of what others say in a channel',
      changed(edited, { channel: 'C1', channel_type: 'channel' }),
    ],
  ])('ignores a change %s', (_, event) => {
    expect(read(event)).toBeUndefined();
  });

  it.each(['user_team', 'source_team', 'team'])('knows a stranger by %s', (name) => {
    expect(read({ ...direct, [name]: 'T2OTHER' })).toMatchObject({ asker: { isStranger: true } });
    expect(read({ ...direct, [name]: 'T1SHOP' })).toMatchObject({ asker: { isStranger: false } });
  });

  const reaction = {
    ...{ type: 'reaction_added', user: 'UANNA', item_user: 'UBOT', event_ts: '1800000001.000000' },
    item: { type: 'message', channel: 'C1', ts: '1800000000.000200' },
  };

  it.each([
    ['+1', 'up'],
    ['+1::skin-tone-5', 'up'],
    ['white_check_mark', 'up'],
    ['-1::skin-tone-2', 'down'],
    ['x', 'down'],
    ['shrug', 'down'],
    ['woman-shrugging::skin-tone-3', 'down'],
  ])('takes the reaction %s as %s', (name, rating) => {
    expect(read({ ...reaction, reaction: name })).toMatchObject({ rating, isRemoved: false });
  });

  it.each([
    ['that says nothing', { ...reaction, reaction: 'eyes' }],
    ['on what others said', { ...reaction, reaction: '+1', item_user: 'UBEN' }],
    ['on a file', { ...reaction, reaction: '+1', item: { type: 'file', file: 'F1' } }],
  ])('ignores a reaction %s', (_, event) => {
    expect(read(event)).toBeUndefined();
  });

  it('knows when the app has left, and ignores tokens of users', () => {
    expect(read({ type: 'app_uninstalled' })).toMatchObject({ kind: 'ended' });
    expect(read({ type: 'tokens_revoked', tokens: { bot: ['UBOT'] } })).toMatchObject({
      kind: 'ended',
    });
    expect(read({ type: 'tokens_revoked', tokens: { oauth: ['UANNA'] } })).toBeUndefined();
  });

  it.each([
    ['nothing', undefined],
    ['a list', []],
    ['an unknown type', { type: 'block_actions' }],
    ['an event without an id', { type: 'event_callback', event: mention }],
    [
      'an event whose id is no text to store',
      { type: 'event_callback', event_id: 'Ev\0', event: mention },
    ],
    ['an event that is none', { type: 'event_callback', event_id: 'Ev1', event: 'x' }],
    ['a challenge that is none', { type: 'url_verification', challenge: 7 }],
  ])('does not read %s', (_, body) => {
    expect(readSlackEvent(body, BOT)).toBeUndefined();
  });
});

describe(readSlackCommand.name, () => {
  const command = {
    ...{ user_id: 'UANNA', team_id: 'T1SHOP', text: 'May I?', trigger_id: '1.2.a' },
    response_url: 'https://hooks.slack.com/commands/1/2',
  };

  it('acknowledges it with what was asked, of which nothing is markup', () => {
    const said = readSlackCommand({ ...command, text: 'Is &lt;!channel&gt; <!here>?' }, BOT);
    expect(said?.body).toEqual({
      ...{ response_type: 'ephemeral', text: ':mag: Is &lt;!channel&gt; @here?' },
    });
  });

  it('knows a stranger', () => {
    const read = readSlackCommand({ ...command, team_id: 'T2OTHER' }, BOT);
    expect(read?.received?.event).toMatchObject({ asker: { isStranger: true } });
  });

  it('is none with an address that is none', () => {
    expect(readSlackCommand({ ...command, response_url: 'https://x/\0' }, BOT)).toBeUndefined();
  });

  it.each(['user_id', 'text', 'trigger_id', 'response_url'])('is none without %s', (name) => {
    expect(readSlackCommand({ ...command, [name]: undefined }, BOT)).toBeUndefined();
  });
});
