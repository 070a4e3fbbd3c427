import { setTimeout as pause } from 'node:timers/promises';
import { describeError, isRefusal } from './client.js';
import type { Document } from '@latchkey/client';
import type { Destination } from './destination.js';
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
  destination: Destination,
  documents: ReadonlyMap<string, SentDocument>,
  failures: Failure[],
): Promise<number> {
  let ready = 0;
  await withProgress('indexed', [...documents.values()], async ({ file, document }) => {
    try {
      const { status, error } = await waitUntilSettled(destination, document);
      if (status === 'ready') ready++;
      else failures.push({ file, reason: error ? `${error.code}: ${error.message}` : status });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      failures.push({ file, reason: describeError(error) });
    }
    return file;
  });
  return ready;
}

async function waitUntilSettled(destination: Destination, known: Document): Promise<Document> {
  let document = known;
  let pauseMs = FIRST_PAUSE_MS;
  while (document.status !== 'ready' && document.status !== 'failed') {
    await pause(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    document = await destination.get(document);
  }
  return document;
}
