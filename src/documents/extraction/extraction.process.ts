import { Worker } from 'node:worker_threads';
import { lowerPriorityOfProcess } from '../../jobs/lower-priority.js';
import { extract, type ExtractionRequest, type ExtractionResult, readerOf } from './extract.js';
import { DOCUMENT, PROGRESS, type WatchedProcess } from './watched-process.js';
import { Unreadable, type UnreadableCode } from './unreadable.js';

export type ExtractionOutcome =
  | { readonly result: ExtractionResult }
  | { readonly unreadable: { code: UnreadableCode; message: string }; readonly cause?: string };

export interface ExtractionReply {
  readonly outcomes: ExtractionOutcome[];
  /** Whether the process can read further documents. */
  readonly isReusable: boolean;
}

/** `started` comes first, so that the start of the process does not count as the document's time. */
export type ExtractionMessage = 'started' | ExtractionReply;

/** Memory of the whole process. */
const MAX_BYTES = 208 * 1024 * 1024;
/** A process that uses more reads no further documents. After its first one it uses about 100 MB. */
const MAX_REUSABLE_BYTES = 0.75 * MAX_BYTES;

lowerPriorityOfProcess();
/** Shared with the thread that watches. */
const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
const progress = () => {
  Atomics.add(state, PROGRESS, 1);
};
let documents = 0;
new Worker(new URL('./resource-watch.js', import.meta.url), {
  workerData: { maxBytes: MAX_BYTES, state } satisfies WatchedProcess,
});

// A terminal or a service manager signals all processes; only the parent handles it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
// The parent may have died before the listener was added.
if (!process.connected) process.exit();
process.on('message', (requests: ExtractionRequest[]) => {
  void answer(requests);
});

async function answer(requests: ExtractionRequest[]): Promise<void> {
  process.send?.('started' satisfies ExtractionMessage);
  const outcomes: ExtractionOutcome[] = [];
  for (const request of requests) outcomes.push(await outcomeOf(request));
  // A parser that failed unexpectedly may be broken.
  const hasFailed = outcomes.some((outcome) => 'cause' in outcome);
  const isReusable = !hasFailed && process.memoryUsage.rss() <= MAX_REUSABLE_BYTES;
  process.send?.({ outcomes, isReusable } satisfies ExtractionMessage);
}

async function outcomeOf(request: ExtractionRequest): Promise<ExtractionOutcome> {
  // Outside of try: a module that cannot be loaded is not the document's fault and ends the process.
  const read = await readerOf(request.mimeType);
  Atomics.store(state, DOCUMENT, ++documents);
  try {
    return { result: await extract(read, request, progress) };
  } catch (error) {
    if (error instanceof Unreadable) {
      return { unreadable: { code: error.code, message: error.message } };
    }
    // Any other error of a parser is due to the document.
    return {
      unreadable: { code: 'parse_failed', message: 'The document could not be read.' },
      cause: error instanceof Error ? error.message.slice(0, 200) : typeof error,
    };
  } finally {
    Atomics.store(state, DOCUMENT, 0);
  }
}
