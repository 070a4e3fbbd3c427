import type { EntityManager } from 'typeorm';
import { endUserNumber } from './end-user-number.js';
import { toQuarter, QUARTERS_PER_DAY } from './quarter.js';
import { addToQuarters, type Increment, insertRequests } from './usage-counts.js';
import { type Cost, countMembers, type MemberRow, NO_COST } from './usage-members.js';
import type { UsedKey } from './key-use.js';

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
  /** Null if the client disconnected before the end. */
  readonly answered: boolean | null;
  readonly endUserId: string | null;
  /** The distinct documents of the sources. */
  readonly documentIds: readonly string[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The model that answered, or `extractive`. */
  readonly model: string;
  readonly cost: Cost;
}

/** A new conversation. */
export interface ConversationEntry extends Entry {
  readonly kind: 'conversation';
}

/** A message to `/chat` that asks nothing. */
export interface SmallTalkEntry extends Entry {
  readonly kind: 'smalltalk';
}

type UsageEntry = QueryEntry | ChatEntry | ConversationEntry | SmallTalkEntry;

/** Counts each entry as a request, with its members and in its quarter hour, in the caller's transaction. */
export async function recordUsage(
  manager: EntityManager,
  entries: readonly UsageEntry[],
): Promise<void> {
  const increments = entries.map((entry) => ({ id: entry.id, ...toIncrement(entry) }));
  await insertRequests(manager, increments);
  await countMembers(manager, entries.flatMap(toMembers));
  await addToQuarters(manager, increments);
}

function toMembers(entry: UsageEntry): MemberRow[] {
  if (entry.kind !== 'chat') return [];
  const { id: apiKeyId, kbId, environment } = entry.key;
  const quarter = toQuarter(entry.at);
  const shared = { kbId, environment, requests: 1 };
  const day = {
    ...shared,
    ...NO_COST,
    quarter: quarter - (quarter % QUARTERS_PER_DAY),
    apiKeyId: '',
  };
  const documents = entry.documentIds.map((member): MemberRow => ({
    ...day,
    kind: 'document',
    member,
  }));
  const costs = { ...shared, ...entry.cost, quarter, apiKeyId };
  const model: MemberRow = { ...costs, kind: 'model', member: entry.model };
  if (entry.endUserId === null) return [...documents, model];
  const member = endUserNumber(kbId, entry.endUserId);
  return [...documents, model, { ...costs, kind: 'end_user', member }];
}

function toIncrement(entry: UsageEntry): Increment {
  const { key, at } = entry;
  switch (entry.kind) {
    case 'query':
      return { key, at, counts: { queries: 1 }, latencyMs: entry.latencyMs };
    case 'conversation':
      return { key, at, counts: { conversations: 1 } };
    case 'smalltalk':
      return { key, at, counts: { smallTalk: 1 } };
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
