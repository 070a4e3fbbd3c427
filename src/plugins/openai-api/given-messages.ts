import type { ConversationTurn } from '../../chat/conversations/exchange.js';
import { invalidField } from '../../platform/problems/problem.js';

/** The number of messages that are read of a request. */
export const MAX_MESSAGES = 200;

/** A message of a request. Its text is empty if it only calls tools. */
export interface GivenMessage {
  readonly role: string;
  readonly text: string;
}

interface Conversation {
  readonly question: string;
  readonly history: readonly ConversationTurn[];
}

export const isInstruction = ({ role }: GivenMessage): boolean =>
  role === 'system' || role === 'developer';

/**
 * Finds the question of a request, which is its last message, and the turns before it. Instructions may stand
 * anywhere; tool calls and their results are left out.
 *
 * @param field names the messages
 * @throws Problem `validation_failed`
 */
export function readConversation(given: readonly GivenMessage[], field: string): Conversation {
  const messages = given.filter(
    ({ role, text }) => role === 'user' || (role === 'assistant' && text !== ''),
  );
  const last = messages.at(-1);
  if (last?.role !== 'user') throw invalidField(field, 'The last message must have the role user');
  return { question: last.text, history: pairTurns(messages.slice(0, -1)) };
}

/** Pairs each answer with the question before it, and leaves out questions without an answer. */
function pairTurns(messages: readonly GivenMessage[]): ConversationTurn[] {
  const turns: ConversationTurn[] = [];
  let question: string | undefined;
  for (const { role, text } of messages) {
    if (role === 'user') question = text;
    else if (question !== undefined) {
      turns.push({ question, answer: text });
      question = undefined;
    }
  }
  return turns;
}
