import type { EntityManager } from 'typeorm';
import { together } from '../database/together.js';
import { insertRows, upsert } from '../database/upsert.js';
import { increment, keyOf, merge, stretchesOf } from './counters.js';
import { endUserNumber } from './end-users.js';
import { bucketOf } from './latency-buckets.js';
import { quarterOf, QUARTERS_PER_DAY } from './quarters.js';
import { UsageDocument } from './usage-document.entity.js';
import { UsageEndUser } from './usage-end-user.entity.js';
import { UsageLatency } from './usage-latency.entity.js';
import { UsageRecord } from './usage-record.entity.js';
import { ofExisting, type UsedKey } from './used-key.js';

/** An answered request, to be recorded. */
export interface Use {
  /** Of the query, or of the answering message. */
  readonly id: string;
  readonly key: UsedKey;
  readonly at: Date;
  readonly latencyMs: number;
}

export interface ChatUse extends Use {
  /** Null when the client left before the end. */
  readonly answered: boolean | null;
  readonly endUserId: string | null;
  /** The documents of the sources, each once. */
  readonly documentIds: readonly string[];
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Records queries and counts them, neither without the other. */
export async function recordQueries(manager: EntityManager, uses: readonly Use[]): Promise<void> {
  const kept = await ofExisting(manager, uses);
  if (kept.length === 0) return;
  const counts = kept.map(({ key, at }) => ({ key, at, counts: { queries: 1 } }));
  await together(
    manager,
    () => insertRows(manager, UsageRecord, kept.map(queryRecord)),
    () => increment(manager, counts),
    () => countLatencies(manager, kept),
  );
}

/** Records that a conversation was begun and counts it, in the transaction that begins it. */
export async function recordConversation(
  manager: EntityManager,
  use: Omit<Use, 'latencyMs'>,
): Promise<void> {
  const record = { ...queryRecord({ ...use, latencyMs: 0 }), kind: 'conversation' as const };
  await together(
    manager,
    () => insertRows(manager, UsageRecord, [{ ...record, beganConversation: true }]),
    () => increment(manager, [{ key: use.key, at: use.at, counts: { conversations: 1 } }]),
  );
}

/** Records a chat and counts it, in the transaction that keeps its answer. */
export async function recordChat(manager: EntityManager, use: ChatUse): Promise<void> {
  const { key, at } = use;
  const counts = {
    chats: 1,
    answered: Number(use.answered === true),
    unanswered: Number(use.answered === false),
    promptTokens: use.promptTokens,
    completionTokens: use.completionTokens,
  };
  await together(
    manager,
    () => insertRows(manager, UsageRecord, [chatRecord(use)]),
    () => increment(manager, [{ key, at, counts }]),
    () => countLatencies(manager, [use]),
    () => noteEndUser(manager, use),
    () => countDocuments(manager, use),
  );
}

function countDocuments(manager: EntityManager, { key, at, documentIds }: ChatUse): Promise<void> {
  const { kbId, environment } = key;
  return upsert(
    manager,
    UsageDocument,
    [...documentIds]
      .sort()
      .map((documentId) => ({ kbId, day: dayOf(at), environment, documentId, answers: 1 })),
    { answers: 'usage_documents.answers + excluded.answers' },
  );
}

async function countLatencies(manager: EntityManager, uses: readonly Use[]): Promise<void> {
  const rows = uses.flatMap(({ key, at, latencyMs }) =>
    stretchesOf(key, at).map((stretch) => ({
      ...stretch,
      bucket: bucketOf(latencyMs),
      answers: 1,
    })),
  );
  const merged = merge(
    rows,
    (row) => `${keyOf(row)} ${row.bucket}`,
    (sum, row) => {
      sum.answers += row.answers;
    },
  );
  await upsert(manager, UsageLatency, merged, {
    answers: 'usage_latencies.answers + excluded.answers',
  });
}

async function noteEndUser(manager: EntityManager, { key, at, endUserId }: ChatUse): Promise<void> {
  if (endUserId === null) return;
  const row = {
    kbId: key.kbId,
    quarter: quarterOf(at),
    apiKeyId: key.id,
    endUser: endUserNumber(key.kbId, endUserId),
    environment: key.environment,
  };
  await insertRows(manager, UsageEndUser, [row], 'ON CONFLICT DO NOTHING');
}

const dayOf = (at: Date) => Math.floor(quarterOf(at) / QUARTERS_PER_DAY);

const queryRecord = ({ id, key, at, latencyMs }: Use) => ({
  id,
  kbId: key.kbId,
  apiKeyId: key.id,
  environment: key.environment,
  kind: 'query' as const,
  answered: null,
  beganConversation: false,
  rating: null,
  promptTokens: 0,
  completionTokens: 0,
  latencyMs,
  createdAt: at,
});

const chatRecord = (use: ChatUse) => ({
  ...queryRecord(use),
  kind: 'chat' as const,
  answered: use.answered,
  promptTokens: use.promptTokens,
  completionTokens: use.completionTokens,
});
