import type { Turn } from '../../chat/conversations/exchange.js';
import { invalidField } from '../../platform/problems/problem.js';

/** How many messages of a request are read. */
export const MAX_MESSAGES = 200;

/** A message of a request, whose text is empty where it only calls tools. */
export interface GivenMessage {
  readonly role: string;
  readonly text: string;
}

interface Conversation {
  readonly question: string;
  readonly history: readonly Turn[];
}

export const isInstruction = ({ role }: GivenMessage): boolean =>
  role === 'system' || role === 'developer';

/**
 * The question of a request, which is its last message, and the turns before it. Instructions stand anywhere;
 * calls of tools and their results are left out.
 *
 * @param field names the messages
 * @throws Problem `validation_failed`
 */
export function readConversation(given: readonly GivenMessage[], field: string): Conversation {
  const messages = given.filter(
    ({ role, text }) => role === 'user' || (role === 'assistant' && text !== ''),
  );
  const last = messages.at(-1);
  if (last?.role !== 'user') throw invalidField(field, 'The last message must be of the role user');
  return { question: last.text, history: turnsOf(messages.slice(0, -1)) };
}

/** Each answer with the question before it; a question without an answer is left out. */
function turnsOf(messages: readonly GivenMessage[]): Turn[] {
  const turns: Turn[] = [];
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
