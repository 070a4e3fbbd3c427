import { setTimeout as pause } from 'node:timers/promises';
import { answer, type Latchkey, Refusal } from './client.js';
import type { Failure, SentDocument } from './ingest.js';
import { withProgress } from './progress.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;

/**
 * Waits until each document is indexed or has failed.
 *
 * @param failures where those that failed are added
 * @returns how many are indexed
 */
export async function waitUntilIndexed(
  client: Latchkey,
  documents: ReadonlyMap<string, SentDocument>,
  failures: Failure[],
): Promise<number> {
  let ready = 0;
  await withProgress('indexed', [...documents], async ([id, { file, document }]) => {
    try {
      const { status, error } = await settled(client, id, document);
      if (status === 'ready') ready++;
      else failures.push({ file, reason: error ? `${error.code}: ${error.message}` : status });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      failures.push({ file, reason: error.message });
    }
    return file;
  });
  return ready;
}

type Indexing = Pick<SentDocument['document'], 'status' | 'error'>;

async function settled(client: Latchkey, id: string, known: Indexing): Promise<Indexing> {
  let document = known;
  let pauseMs = FIRST_PAUSE_MS;
  while (document.status !== 'ready' && document.status !== 'failed') {
    await pause(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    document = await answer(
      client.GET('/api/v1/documents/{document_id}', { params: { path: { document_id: id } } }),
    );
  }
  return document;
}
