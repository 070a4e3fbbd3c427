import type { AnswerEvent } from '../../chat/chat-event.js';
import { messageEnd, messageStart, delta, NOT_KEPT } from '../../chat/chat-event.js';
import { shortOutcome } from '../../chat/outcome.js';
import type { Turn } from '../../chat/conversations/exchange.js';

const MAX_TITLE = 60;
/** Instructions before a conversation are shorter. */
const MAX_INSTRUCTIONS = 4000;

/**
 * The reply to what a chat interface asks by itself about a conversation, such as its title: a plain one,
 * without a model, since a document does not answer it. Such a prompt is recognised by its form: it quotes the
 * conversation, and says in what form the reply must be.
 *
 * @returns undefined for a question of a person
 */
export function housekeepingReply(prompt: string, history: readonly Turn[]): string | undefined {
  if (history.length > 0) return undefined;
  return replyInJson(prompt) ?? replyAsTitle(prompt);
}

/** As Open WebUI asks: the conversation in an element, the reply as a JSON object of which an example is given. */
function replyInJson(prompt: string): string | undefined {
  const start = prompt.indexOf('<chat_history>');
  const end = prompt.lastIndexOf('</chat_history>');
  if (start < 0 || end < start) return undefined;
  const instructions = prompt.slice(0, Math.min(start, MAX_INSTRUCTIONS));
  const [, name, value] = /\{\s*"(\w+)"\s*:\s*(["[])/.exec(instructions) ?? [];
  if (name === undefined) return undefined;
  const title = toTitle(firstQuestion(prompt.slice(start, end)));
  return JSON.stringify({ [name]: value === '[' ? [] : name === 'title' ? title : '' });
}

/** As LibreChat asks: instructions that speak of a title, and the first exchange behind them. */
function replyAsTitle(prompt: string): string | undefined {
  const start = prompt.indexOf('\nUser: ');
  if (start < 0 || start > MAX_INSTRUCTIONS || !prompt.includes('\nAI:', start + 1)) {
    return undefined;
  }
  return /\btitle\b/i.test(prompt.slice(0, start)) ? toTitle(firstQuestion(prompt)) : undefined;
}

const firstQuestion = (conversation: string): string =>
  /^(?:USER|User): *(.*)/m.exec(conversation)?.[1] ?? '';

/** The beginning of a question, cut between words. */
function toTitle(question: string): string {
  const text = question
    .slice(0, 10 * MAX_TITLE)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(text);
  if (characters.length <= MAX_TITLE) return text;
  const cut = characters.slice(0, MAX_TITLE).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > 0 ? cut.slice(0, space) : cut}…`;
}

/** The events of a reply that is not kept. */
export const replyEvents = (reply: string, startedAt: number): AnswerEvent[] => [
  messageStart(NOT_KEPT),
  delta(reply),
  messageEnd(NOT_KEPT, shortOutcome(reply, startedAt), false),
];
