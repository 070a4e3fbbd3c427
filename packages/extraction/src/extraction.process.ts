import { type FailureCount, takeFailures } from '@latchkey/text/failures';
import { extract, type ExtractionRequest, type ExtractionResult, loadReader } from './extract.js';
import type { Reader } from './block.js';
import { isMissingFile, watchProcess } from './process-watch.js';
import { READING_LIMITS } from './progress-limit.js';
import { NOT_INSTALLED } from './watched-process.js';
import { Unreadable, type UnreadableCode } from './unreadable.js';
import type { DocumentView, ViewRequest } from './view/view-document.js';

export type ExtractionOutcome =
  | { readonly result: ExtractionResult }
  | { readonly view: DocumentView | null }
  | { readonly unreadable: { code: UnreadableCode; message: string }; readonly cause?: string };

export interface ExtractionReply {
  readonly outcomes: ExtractionOutcome[];
  /** Whether the process can read further documents. */
  readonly isReusable: boolean;
  /** Failures that no document failed because of. */
  readonly failures: readonly FailureCount[];
}

/**
 * `started` is sent when everything is loaded: the start does not count towards the documents' time
 * limits, and a process that ends earlier did not fail because of a document.
 */
export type ExtractionMessage = 'started' | ExtractionReply;

export interface ExtractionTask {
  /** The readers of these types are loaded before `started` is sent. Includes the types of all requests. */
  readonly mimeTypes: readonly string[];
  /** Empty to test only whether the process can start. */
  readonly requests: readonly (ExtractionRequest | ViewRequest)[];
}

/** Limits the memory of the whole process, unless the parent sets another limit. */
const MAX_BYTES = Number(process.argv[2] ?? 208 * 1024 * 1024);
/** A process that uses more is not reused. It uses about 100 MB after its first document. */
const MAX_REUSABLE_BYTES = 0.75 * MAX_BYTES;

const watch = watchProcess(MAX_BYTES, READING_LIMITS);

process.on('message', (task: ExtractionTask) => {
  void answer(task);
});

async function answer({ mimeTypes, requests }: ExtractionTask): Promise<void> {
  // A module that cannot be loaded is not the documents' fault, and ends the process.
  await Promise.all(mimeTypes.map(loadReader));
  const readable = await Promise.all(
    requests.map(async (request) => ({ request, read: await loadReader(request.mimeType) })),
  );
  await watch.ready;
  process.send?.('started' satisfies ExtractionMessage);
  const outcomes: ExtractionOutcome[] = [];
  for (const { request, read } of readable) outcomes.push(await handleRequest(request, read));
  // A parser that failed unexpectedly may be broken.
  const hasFailed = outcomes.some((outcome) => 'cause' in outcome);
  const isReusable = !hasFailed && process.memoryUsage.rss() <= MAX_REUSABLE_BYTES;
  const failures = takeFailures();
  process.send?.({ outcomes, isReusable, failures } satisfies ExtractionMessage);
}

async function handleRequest(
  request: ExtractionRequest | ViewRequest,
  read: Reader,
): Promise<ExtractionOutcome> {
  watch.begin();
  try {
    if ('page' in request) {
      const { viewDocument } = await import('./view/view-document.js');
      return { view: await viewDocument(read, request, watch.progress) };
    }
    return { result: await extract(read, request, watch.progress) };
  } catch (error) {
    if (error instanceof Unreadable) {
      return { unreadable: { code: error.code, message: error.message } };
    }
    // A reader may load a file of the program only now, and find it missing.
    if (isMissingFile(error)) process.exit(NOT_INSTALLED);
    // Any other error of a parser is due to the document.
    return {
      unreadable: { code: 'parse_failed', message: 'The document could not be read.' },
      cause: error instanceof Error ? error.message.slice(0, 200) : typeof error,
    };
  } finally {
    watch.end();
  }
}
