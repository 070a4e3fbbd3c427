import { analysePassage, type PassageText } from '@latchkey/ranking/analyse-passage';
import type { DocumentVersion } from '@latchkey/ranking/search-index';
import { inTransaction, type IndexTransaction } from './index-transaction.js';
import { addChunks } from './index-writer.js';
import { GIVEN_CHUNKS } from './read-statements.js';

/** Chunks in one transaction, so that other writes do not wait long. */
const BATCH = 50;

export interface AddRequest {
  readonly kbId: string;
  readonly versions: readonly DocumentVersion[];
  /** The number of the last chunk that was added; 0 at first. */
  readonly after: number;
}

/** @returns the rest of the request; undefined when everything is added */
export async function addBatch(request: AddRequest): Promise<AddRequest | undefined> {
  const { kbId, versions, after } = request;
  const found = await inTransaction((transaction) => findPassages(transaction, versions, after));
  const languages = new Map(versions.map(({ documentId, language }) => [documentId, language]));
  // Between the transactions, so that it holds no lock.
  const passages = found.map(({ documentId, ...passage }) => {
    const language = languages.get(documentId);
    return analysePassage(language === undefined ? passage : { ...passage, language });
  });
  if (passages.length > 0) {
    await inTransaction(async (transaction) => {
      const present = await lockPresent(
        transaction,
        passages.map(({ number }) => number),
      );
      const added = passages.filter(({ number }) => present.has(number));
      if (added.length > 0) await addChunks(transaction, kbId, added);
    });
  }
  const last = found.length < BATCH ? undefined : found.at(-1)?.number;
  return last === undefined ? undefined : { ...request, after: last };
}

const findPassages = (
  transaction: IndexTransaction,
  versions: readonly DocumentVersion[],
  after: number,
) =>
  transaction.query<(PassageText & { documentId: string })[]>(
    `SELECT c.number, d.id AS "documentId", d.title, d.language, c.heading, c.text
     FROM unnest($1::text[], $2::integer[]) AS v (document_id, version)
     JOIN chunks c ON c.document_id = v.document_id AND c.version = v.version
     JOIN documents d ON d.id = c.document_id AND d.state = 'active'
     WHERE c.number > $3
       AND NOT EXISTS (SELECT FROM search_chunks s WHERE s.chunk_number = c.number)
     ORDER BY c.number LIMIT ${BATCH}`,
    [versions.map(({ documentId }) => documentId), versions.map(({ version }) => version), after],
  );

/**
 * Locks the documents against deletion until the transaction ends.
 *
 * @returns the chunks whose document is still active
 */
async function lockPresent(
  transaction: IndexTransaction,
  numbers: readonly number[],
): Promise<Set<number>> {
  const rows = await transaction.query<{ number: number }[]>(
    `${GIVEN_CHUNKS}
     SELECT c.number FROM c JOIN documents d ON d.id = c.document_id AND d.state = 'active'
     WHERE NOT EXISTS (SELECT FROM search_chunks s WHERE s.chunk_number = c.number)
     FOR SHARE OF d`,
    [numbers],
  );
  return new Set(rows.map(({ number }) => number));
}
