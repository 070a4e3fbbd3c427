import type { ChannelBot, ChannelEvent, ChannelUser, Received } from '../channel-port.js';
import { escapeSlack, readSlackText } from './slack-text.js';

/** Ids, and times that are ids of messages. */
const ID = /^[A-Z0-9]{2,50}$/;
const TIME = /^\d{1,12}\.\d{1,9}$/;
const VISIBLE = /^[\x21-\x7e]+$/;
const MAX_ADDRESS = 2000;
const MAX_CHALLENGE = 1000;
const MAX_EVENT_ID = 100;
const RATINGS: ReadonlyMap<string, 'up' | 'down'> = new Map([
  ...['+1', 'thumbsup', 'white_check_mark', 'heavy_check_mark'].map((one) => [one, 'up'] as const),
  ...['-1', 'thumbsdown', 'x', 'negative_squared_cross_mark'].map((one) => [one, 'down'] as const),
  // Nobody knows this: what is rated so is a gap.
  ...['shrug', 'person_shrugging', 'man-shrugging', 'woman-shrugging'].map(
    (one) => [one, 'down'] as const,
  ),
]);

type Fields = Readonly<Record<string, unknown>>;

/** Reads a request of Slack’s Events API. @returns undefined if it is none */
export function readSlackEvent(body: unknown, bot: ChannelBot): Received | undefined {
  if (!isObject(body)) return undefined;
  const { type, challenge, event, event_id: eventId } = body;
  if (type === 'url_verification') {
    const isText = typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE;
    return isText ? { body: { challenge } } : undefined;
  }
  if (type === 'app_rate_limited') return { body: {} };
  if (type !== 'event_callback' || !isObject(event)) return undefined;
  if (typeof eventId !== 'string' || eventId.length > MAX_EVENT_ID || !VISIBLE.test(eventId)) {
    return undefined;
  }
  const read = readInner(event, body, bot);
  // An app can be installed in several workspaces, and be uninstalled from one.
  const isOther =
    bot.workspaceId !== null && ![undefined, bot.workspaceId].includes(body['team_id'] as string);
  if (read?.kind === 'ended' && isOther) return { body: {} };
  // A message is known by itself, however often and by however many subscriptions it comes.
  return { body: {}, received: read && { key: keyOf(read) ?? eventId, event: read } };
}

function keyOf(event: ChannelEvent): string | undefined {
  if (event.kind !== 'question' && event.kind !== 'edit') return undefined;
  return [event.kind, event.place, event.message, event.editedAt ?? ''].join(':');
}

function readInner(event: Fields, outer: Fields, bot: ChannelBot): ChannelEvent | undefined {
  const { event_time: seconds } = outer;
  const at = typeof seconds === 'number' ? seconds * 1000 : Date.now();
  switch (event['type']) {
    case 'app_mention':
      return readQuestion(event, event, bot, 'question', false);
    case 'message':
      return readMessage(event, bot);
    case 'reaction_added':
    case 'reaction_removed':
      return readReaction(event, bot);
    case 'app_uninstalled':
      return { kind: 'ended', reason: 'app_uninstalled', at };
    case 'tokens_revoked': {
      const { tokens } = event;
      const isBots = isObject(tokens) && Array.isArray(tokens['bot']) && tokens['bot'].length > 0;
      return isBots ? { kind: 'ended', reason: 'tokens_revoked', at } : undefined;
    }
    default:
      return undefined;
  }
}

function readMessage(event: Fields, bot: ChannelBot): ChannelEvent | undefined {
  const isDirect = event['channel_type'] === 'im';
  if (event['subtype'] === 'message_changed' && isObject(event['message'])) {
    const { message } = event;
    // Previews of links change messages too; in channels, nothing is kept of messages to others.
    const isQuestion = isDirect || mentions(message['text'], bot);
    return isQuestion && isObject(message['edited'])
      ? readQuestion(message, event, bot, 'edit', isDirect)
      : undefined;
  }
  return isDirect ? readQuestion(event, event, bot, 'question', true) : undefined;
}

const mentions = (text: unknown, { botUserId }: ChannelBot): boolean =>
  typeof text === 'string' && botUserId !== null && text.includes(`<@${botUserId}`);

/** @param outer names the place of a message */
function readQuestion(
  message: Fields,
  outer: Fields,
  bot: ChannelBot,
  kind: 'question' | 'edit',
  isPrivate: boolean,
): ChannelEvent | undefined {
  const { user, text, ts, thread_ts: thread = ts, subtype, edited } = message;
  const { channel: place } = outer;
  // What bots say is never answered, so that two of them cannot talk for ever.
  const isOfBot = message['bot_id'] != null || message['bot_profile'] != null;
  if (isOfBot || subtype !== undefined || user === bot.botUserId) return undefined;
  if (!isId(user) || !isId(place) || !isTime(ts) || !isTime(thread)) return undefined;
  if (typeof text !== 'string') return undefined;
  const editedAt = isObject(edited) && isTime(edited['ts']) ? edited['ts'] : undefined;
  const asker = toUser(user, [message, outer], bot);
  const said = readSlackText(text, bot.botUserId);
  const question = { place, message: ts, thread, asker, text: said, isPrivate };
  if (kind === 'question') return { kind, ...question, ...(editedAt && { editedAt }) };
  return editedAt === undefined ? undefined : { kind, ...question, editedAt };
}

/** In a conversation that several workspaces share, Slack says whose its author is. */
function toUser(id: string, said: readonly Fields[], { workspaceId }: ChannelBot): ChannelUser {
  const teams = said.flatMap((one) => [one['user_team'], one['source_team'], one['team']]);
  const named = teams.filter((team) => team !== undefined && team !== null);
  return { id, isStranger: named.some((team) => team !== workspaceId) };
}

function readReaction(event: Fields, bot: ChannelBot): ChannelEvent | undefined {
  const { type, user, reaction, item, item_user: author, event_ts: at } = event;
  if (!isObject(item) || item['type'] !== 'message' || author !== bot.botUserId) return undefined;
  const { channel: place, ts: message } = item;
  const rating = typeof reaction === 'string' ? RATINGS.get(reaction.split('::')[0] ?? '') : null;
  if (!rating || !isId(user) || !isId(place) || !isTime(message) || !isTime(at)) return undefined;
  const isRemoved = type === 'reaction_removed';
  return { kind: 'reaction', place, message, user, rating, isRemoved, at };
}

/** Reads a slash command, whose form Fastify has parsed. @returns undefined if it is none */
export function readSlackCommand(body: unknown, bot: ChannelBot): Received | undefined {
  if (!isObject(body)) return undefined;
  if (body['ssl_check'] === '1') return { body: {} };
  const { user_id: id, team_id: team, text, response_url: replyUrl, trigger_id: trigger } = body;
  if (!isId(id) || typeof text !== 'string' || !isAddress(replyUrl)) return undefined;
  if (typeof trigger !== 'string' || !/^[\w.-]{1,150}$/.test(trigger)) return undefined;
  const said = readSlackText(text, bot.botUserId);
  const asker = { id, isStranger: team !== bot.workspaceId };
  const message = `command:${trigger}`;
  const event = { kind: 'command' as const, asker, text: said, message, replyUrl };
  // Slack shows nobody what a command asked, so the acknowledgement repeats it.
  const shown = `:mag: ${escapeSlack(said.slice(0, 1000))}`;
  return { body: { response_type: 'ephemeral', text: shown }, received: { key: message, event } };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && ID.test(value);
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_ADDRESS && VISIBLE.test(value);
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && TIME.test(value);
