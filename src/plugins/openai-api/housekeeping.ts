import type { AnswerEvent } from '../../chat/chat-event.js';
import { messageEnd, messageStart, delta, NOT_STORED } from '../../chat/chat-event.js';
import { shortOutcome } from '../../chat/outcome.js';
import type { ConversationTurn } from '../../chat/conversations/exchange.js';

const MAX_TITLE = 60;
/** The instructions that precede a conversation are shorter than this. */
const MAX_INSTRUCTIONS = 4000;

/**
 * Answers prompts that a chat interface sends by itself about a conversation, for example for its title. No
 * document answers them, so the reply is fixed and needs no model. Such a prompt is recognised by its form: it
 * quotes the conversation and prescribes the form of the reply.
 *
 * @returns undefined for a person's question
 */
export function housekeepingReply(
  prompt: string,
  history: readonly ConversationTurn[],
): string | undefined {
  if (history.length > 0) return undefined;
  return replyInJson(prompt) ?? replyAsTitle(prompt);
}

/** Open WebUI quotes the conversation in an element, and gives an example of the JSON object to reply with. */
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

/** LibreChat asks for a title, followed by the first question and answer. */
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

/** Yields the events of a reply that is not stored. */
export const replyEvents = (reply: string, startedAt: number): AnswerEvent[] => [
  messageStart(NOT_STORED),
  delta(reply),
  messageEnd(NOT_STORED, shortOutcome(reply, startedAt), { partial: false, searched: [] }),
];
