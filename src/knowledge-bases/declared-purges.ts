import { declareProviders } from '../platform/discovery/declared-providers.js';

/** Removes rows of a deleted knowledge base in batches. It returns early if `signal` is aborted. */
export type PurgeStep = (kbId: string, signal: AbortSignal) => Promise<void>;

/** Declares a provider whose `purgeKnowledgeBase` is a step of KnowledgeBasePurge. */
export const PurgesKnowledgeBase = declareProviders<{ purgeKnowledgeBase: PurgeStep }>();

export const purgedTables = new Map<object, string>();

/**
 * Declares that KnowledgeBasePurge deletes the rows of an entity in batches. The rows of other tables are
 * deleted by the database's cascade, all at once.
 *
 * @param condition SQL: which of its rows belong to the knowledge base `:kbId`
 */
export const PurgedInBatches =
  (condition = 'kb_id = :kbId') =>
  (entity: object): void => {
    purgedTables.set(entity, condition);
  };
