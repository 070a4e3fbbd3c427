import type { EntityManager } from 'typeorm';
import { insertRows } from '../../platform/database/insert-rows.js';
import { endUserNumber } from './end-user-number.js';
import { quarterOf, QUARTERS_PER_DAY } from './quarter.js';
import { addToRollUp, type Increment } from './roll-up.js';
import { UsageDocument } from './usage-document.entity.js';
import { UsageEndUser } from './usage-end-user.entity.js';
import { UsageRecord } from './usage-record.entity.js';
import type { UsedKey } from './used-key.js';

interface Entry {
  /** The id of the query, the answer or the conversation; each is recorded once. */
  readonly id: string;
  readonly key: UsedKey;
  readonly at: Date;
}

/** An answered `/query` request. */
export interface QueryEntry extends Entry {
  readonly kind: 'query';
  readonly latencyMs: number;
}

/** An answered `/chat` request. */
export interface ChatEntry extends Entry {
  readonly kind: 'chat';
  readonly latencyMs: number;
  /** Null when the client disconnected before the end. */
  readonly answered: boolean | null;
  readonly endUserId: string | null;
  /** The distinct documents of the sources. */
  readonly documentIds: readonly string[];
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A new conversation. */
export interface ConversationEntry extends Entry {
  readonly kind: 'conversation';
}

export type UsageEntry = QueryEntry | ChatEntry | ConversationEntry;

/** Writes a record for each entry and adds them to the roll-up, in the caller's transaction. */
export async function recordUsage(
  manager: EntityManager,
  entries: readonly UsageEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await insertRows(manager, UsageRecord, entries.map(toRecord));
  for (const entry of entries) {
    if (entry.kind === 'chat') await recordEndUserAndDocuments(manager, entry);
  }
  await addToRollUp(manager, entries.map(toIncrement));
}

async function recordEndUserAndDocuments(manager: EntityManager, entry: ChatEntry): Promise<void> {
  const { id: apiKeyId, kbId, environment } = entry.key;
  const quarter = quarterOf(entry.at);
  if (entry.endUserId !== null) {
    const endUser = endUserNumber(kbId, entry.endUserId);
    await manager
      .createQueryBuilder()
      .insert()
      .into(UsageEndUser)
      .values({ kbId, quarter, environment, apiKeyId, endUser })
      .orIgnore()
      .execute();
  }
  const day = Math.floor(quarter / QUARTERS_PER_DAY);
  // In one order, so that parallel transactions cannot deadlock.
  const documents = entry.documentIds
    .toSorted()
    .map((documentId) => ({ kbId, day, environment, documentId, answers: 1 }));
  await insertRows(manager, UsageDocument, documents, ADD_ANSWERS);
}

const ADD_ANSWERS = `ON CONFLICT (kb_id, day, environment, document_id) DO UPDATE SET
  answers = usage_documents.answers + excluded.answers`;

type UsageRecordRow = Omit<UsageRecord, 'knowledgeBase'>;

const toRecord = (entry: UsageEntry): UsageRecordRow => ({
  id: entry.id,
  kbId: entry.key.kbId,
  apiKeyId: entry.key.id,
  environment: entry.key.environment,
  kind: entry.kind,
  answered: entry.kind === 'chat' ? entry.answered : null,
  beganConversation: entry.kind === 'conversation',
  rating: null,
  promptTokens: entry.kind === 'chat' ? entry.promptTokens : 0,
  completionTokens: entry.kind === 'chat' ? entry.completionTokens : 0,
  latencyMs: entry.kind === 'conversation' ? 0 : entry.latencyMs,
  createdAt: entry.at,
});

function toIncrement(entry: UsageEntry): Increment {
  const { key, at } = entry;
  switch (entry.kind) {
    case 'query':
      return { key, at, counts: { queries: 1 }, latencyMs: entry.latencyMs };
    case 'conversation':
      return { key, at, counts: { conversations: 1 } };
    case 'chat': {
      const { answered, promptTokens, completionTokens, latencyMs } = entry;
      const counts = {
        chats: 1,
        answered: Number(answered === true),
        unanswered: Number(answered === false),
        promptTokens,
        completionTokens,
      };
      return { key, at, counts, latencyMs };
    }
  }
}
