import {
  analyseEach,
  type FailedPassage,
  type PassageText,
} from '@latchkey/ranking/analyse-passage';
import { inTransaction, type IndexTransaction } from './index-transaction.js';
import { addChunks, lockIndex, removeChunks } from './index-writer.js';

/** Chunks in one transaction, so that other writes do not wait long. */
const BATCH = 50;

export interface ReindexedBatch {
  /** Whether no outdated chunk is left. */
  readonly isDone: boolean;
  /** Chunks that are in the index no more. */
  readonly failed: readonly FailedPassage[];
}

export async function reindexBatch(): Promise<ReindexedBatch> {
  const batch = await inTransaction(findOutdated);
  if (!batch) return { isDone: true, failed: [] };
  const { kbId, numbers, passages } = batch;
  // Between the transactions, so that it holds no lock.
  const { analysed, failed } = analyseEach(passages);
  await inTransaction(async (transaction) => {
    await lockIndex(transaction, kbId);
    // Others may have been removed, or indexed by another process.
    const rows = await transaction.query<{ number: number }[]>(
      `SELECT chunk_number AS number FROM search_chunks
       WHERE chunk_number = ANY ($1) AND format = 0`,
      [numbers],
    );
    const outdated = new Set(rows.map(({ number }) => number));
    await removeChunks(transaction, kbId, [...outdated]);
    await addChunks(
      transaction,
      kbId,
      analysed.filter(({ number }) => outdated.has(number)),
    );
  });
  return { isDone: false, failed };
}

/** Some outdated chunks of one knowledge base; undefined when there is none. */
async function findOutdated(
  transaction: IndexTransaction,
): Promise<{ kbId: string; numbers: number[]; passages: PassageText[] } | undefined> {
  const [outdated] = await transaction.query<{ kbId: string }[]>(
    `SELECT i.kb_id AS "kbId" FROM search_chunks s
     JOIN search_indexes i ON i.number = s.index_number WHERE s.format = 0 LIMIT 1`,
  );
  if (!outdated) return undefined;
  const { kbId } = outdated;
  const chunks = await transaction.query<{ number: number }[]>(
    `SELECT chunk_number AS number FROM search_chunks WHERE format = 0 AND index_number =
       (SELECT number FROM search_indexes WHERE kb_id = $1) LIMIT ${BATCH}`,
    [kbId],
  );
  const numbers = chunks.map(({ number }) => number);
  const passages = await transaction.query<PassageText[]>(
    `SELECT c.number, d.title, d.language, c.heading, c.text
     FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.number = ANY ($1)`,
    [numbers],
  );
  return { kbId, numbers, passages };
}
