import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type ExtractedChunk, extract, type ExtractionRequest, parserOf } from './extract.js';
import { Unreadable, type UnreadableCode } from './unreadable.js';

export type ExtractionOutcome =
  | { readonly chunks: ExtractedChunk[] }
  | { readonly unreadable: { code: UnreadableCode; message: string }; readonly cause?: string };

/** What became of requests, and whether the process has too little memory left for another one. */
export interface ExtractionReply {
  readonly outcomes: ExtractionOutcome[];
  readonly spent: boolean;
}

/** The time counts once the process has started. */
export type ExtractionMessage = 'begun' | ExtractionReply;

/** Of the whole process. */
const MAX_BYTES = 208 * 1024 * 1024;
/** Requests come first. */
const NICENESS = 5;

setPriority(NICENESS);
new Worker(new URL('./memory-watch.js', import.meta.url), { workerData: { maxBytes: MAX_BYTES } });

// A stop that is sent to all processes of a terminal or a service is the parent's to handle.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
// The parent may have died before this was listened to.
if (!process.connected) process.exit();
process.on('message', (requests: ExtractionRequest[]) => {
  void answer(requests);
});

async function answer(requests: ExtractionRequest[]): Promise<void> {
  process.send?.('begun' satisfies ExtractionMessage);
  const outcomes: ExtractionOutcome[] = [];
  for (const request of requests) outcomes.push(await outcomeOf(request));
  const spent = process.memoryUsage.rss() > MAX_BYTES / 2;
  process.send?.({ outcomes, spent } satisfies ExtractionMessage);
}

async function outcomeOf(request: ExtractionRequest): Promise<ExtractionOutcome> {
  // What cannot be loaded is not the file's fault, and ends the process.
  const parse = await parserOf(request.mimeType);
  try {
    return { chunks: await extract(parse, request) };
  } catch (error) {
    if (error instanceof Unreadable) {
      return { unreadable: { code: error.code, message: error.message } };
    }
    // Whatever a parser throws is about the file.
    return {
      unreadable: { code: 'parse_failed', message: 'The document could not be read.' },
      cause: error instanceof Error ? error.message.slice(0, 200) : typeof error,
    };
  }
}
