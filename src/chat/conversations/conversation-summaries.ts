import { type EntityManager, In } from 'typeorm';
import { Conversation } from './conversation.entity.js';

/** The number of characters of a first question that lists show. */
const MAX_QUESTION_LENGTH = 300;

/** What a list shows of a conversation besides its row. */
export interface ConversationSummary {
  /** The beginning of the first question; null while it is being stored. */
  readonly question: string | null;
  /** False if a question was not answered, null if every answer failed. */
  readonly answered: boolean | null;
  /** `down` if one of its answers was rated `down`. */
  readonly rating: 'up' | 'down' | null;
  /** Null for a key that is deleted or no longer opens the knowledge base. */
  readonly apiKeyName: string | null;
  /** What asked with a key that has no secret, such as a site; null for other keys. */
  readonly asker: string | null;
}

const QUESTION = `SELECT substr(m.content, 1, ${MAX_QUESTION_LENGTH}) FROM messages m
  WHERE m.conversation_id = conversation.id AND m.role = 'user' ORDER BY m.id LIMIT 1`;
const UNANSWERED = `EXISTS (SELECT 1 FROM unanswered_questions u
  WHERE u.kb_id = conversation.kb_id AND u.conversation_id = conversation.id)`;
const ANSWERED = `EXISTS (SELECT 1 FROM messages m
  WHERE m.conversation_id = conversation.id AND m.answered)`;
const KEY_NAME = `SELECT k.name FROM api_keys k
  JOIN api_key_grants opened ON opened.key_id = k.id AND opened.kb_id = conversation.kb_id
  WHERE k.id = conversation.api_key_id AND k.deleted_at IS NULL`;
const ASKER = `SELECT k.prefix FROM api_keys k
  WHERE k.id = conversation.api_key_id AND k.secret_hash = ''`;
const sqlRated = (rating: 'up' | 'down') => `EXISTS (SELECT 1 FROM message_feedback f
  WHERE f.kb_id = conversation.kb_id AND f.rating = '${rating}' AND f.conversation_id = conversation.id)`;

/**
 * Loads the summaries of a page of conversations with one statement; each costs a few index lookups.
 *
 * @returns by the id of the conversation
 */
export async function loadSummaries(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, ConversationSummary>> {
  if (ids.length === 0) return new Map();
  const rows = await manager
    .createQueryBuilder(Conversation, 'conversation')
    .select('conversation.id', 'id')
    .addSelect(`(${QUESTION})`, 'question')
    .addSelect(`CASE WHEN ${UNANSWERED} THEN 0 WHEN ${ANSWERED} THEN 1 END`, 'answered')
    .addSelect(
      `CASE WHEN ${sqlRated('down')} THEN 'down' WHEN ${sqlRated('up')} THEN 'up' END`,
      'rating',
    )
    .addSelect(`(${KEY_NAME})`, 'apiKeyName')
    .addSelect(`(${ASKER})`, 'asker')
    .where({ id: In([...ids]) })
    .getRawMany<Omit<ConversationSummary, 'answered'> & { id: string; answered: 0 | 1 | null }>();
  return new Map(
    rows.map(({ id, answered, ...row }) => [
      id,
      { ...row, answered: answered === null ? null : answered === 1 },
    ]),
  );
}
