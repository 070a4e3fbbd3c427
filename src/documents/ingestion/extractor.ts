import { type ChildProcess, fork } from 'node:child_process';
import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { addFailures } from '@latchkey/text/failures';
import { afterRunningFor } from '../../platform/jobs/running-time.js';
import { WorkerStarts } from '../../platform/jobs/worker-starts.js';
import { Problem } from '../../platform/problems/problem.js';
import { isOutage } from '../outage.js';
import type { ExtractionRequest, ExtractionResult } from '@latchkey/extraction/extract';
import type { DocumentView, ViewRequest } from '@latchkey/extraction/view/view-document';
import type {
  ExtractionMessage,
  ExtractionOutcome,
  ExtractionReply,
  ExtractionTask,
} from '@latchkey/extraction/extraction.process';
import { NO_PROGRESS, NOT_INSTALLED } from '@latchkey/extraction/watched-process';
import { TakesLong } from './takes-long.js';
import { probeAgain, withoutNetwork } from './without-network.js';
import { Unreadable } from '@latchkey/extraction/unreadable';
import { EXTRACTION_PROCESS } from '@latchkey/extraction/process-url';

type UnreadableOutcome = Extract<ExtractionOutcome, { unreadable: object }>;

/** The process normally ends itself before this; otherwise it is killed. */
const TIMEOUT_MS = 660_000;
/**
 * A process that has not started by then is killed. It is generous because the process has a low
 * priority.
 */
const START_TIMEOUT_MS = 60_000;
/** A document that takes more time than this counts as long. */
const TAKES_LONG_MS = 2000;
/** Users wait for a page, and a link to one times out after a minute (deploy/nginx.conf). */
const VIEW_TIMEOUT_MS = 50_000;
/** A page may be an image of a hundred million pixels. */
const MAX_VIEW_BYTES = 640 * 1024 * 1024;
const MAX_HEAP_MB = 160;
/** The time for which an idle process is kept. */
const IDLE_MS = 10_000;

/**
 * Extracts text in child processes, which can be killed and whose memory is limited. They get no
 * environment variables, which a document that exploits a parser could read, and no network access
 * where the system allows that.
 */
@Injectable()
export class Extractor implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Extractor.name);
  /** Idle processes, each with the timer that ends it. */
  private readonly idle = new Map<ChildProcess, NodeJS.Timeout>();
  private readonly processes = new Set<ChildProcess>();
  private readonly stopping = new AbortController();
  /**
   * Media types for which a process could not be started, for example because a file of their reader is
   * missing.
   */
  private readonly unloadable = new Set<string>();
  private readonly starts = new WorkerStarts('extraction', {
    start: () => {
      this.launch().then(
        (child) =>
          this.runIn(child, [], () => true, this.stopping.signal).catch((error: unknown) => {
            this.logger.debug(error);
          }),
        (error: unknown) => {
          this.starts.failed(error);
        },
      );
    },
  });

  /** False while processes cannot be started. */
  get isAvailable(): boolean {
    return this.starts.isAvailable;
  }

  /**
   * Extracts the passages of one document, or of several small ones in one process.
   *
   * @param mayTakeLong called after TAKES_LONG_MS; if it returns false, the process is killed
   * @param signal aborted when the service stops; the process is killed
   * @returns the result of each document; a rejection with Unreadable is final, others may be retried
   * @throws TakesLong when `mayTakeLong` returns false, and when several documents fail together, since
   *   one of them may be the cause
   */
  async extract(
    requests: readonly ExtractionRequest[],
    mayTakeLong: () => boolean,
    signal: AbortSignal,
  ): Promise<PromiseSettledResult<ExtractionResult>[]> {
    try {
      const outcomes = await this.run(requests, mayTakeLong, signal);
      return outcomes.map((outcome) => this.toResult(outcome));
    } catch (reason) {
      if (reason instanceof TakesLong) throw reason;
      if (requests.length === 1 || isOutage(reason) || signal.aborted) {
        return requests.map(() => ({ status: 'rejected', reason }));
      }
      this.logger.debug(reason);
      throw new TakesLong();
    }
  }

  /**
   * Renders a page of a document.
   *
   * @returns null if the document has no such page
   * @throws Unreadable, or Problem `worker_unavailable` if other work delayed it for too long
   */
  async view(request: ViewRequest): Promise<DocumentView | null> {
    if (!this.isAvailable) throw this.starts.unavailable();
    const timeout = AbortSignal.timeout(VIEW_TIMEOUT_MS);
    const signal = AbortSignal.any([this.stopping.signal, timeout]);
    signal.throwIfAborted();
    const runIn = (child: ChildProcess) => this.runIn(child, [request], () => true, signal);
    try {
      const outcomes = await runIn(this.takeIdle() ?? (await this.launch())).catch(
        async (error: unknown) => {
          const isTooLarge = error instanceof Unreadable && error.code === 'too_large';
          if (!isTooLarge || signal.aborted) throw error;
          return runIn(await this.launch(MAX_VIEW_BYTES));
        },
      );
      const [outcome] = outcomes;
      if (outcome && 'view' in outcome) return outcome.view;
      throw outcome && 'unreadable' in outcome ? this.unreadable(outcome) : tooSlow();
    } catch (error) {
      // The process enforces its own time limit, so this timeout means that other work delayed it.
      throw timeout.aborted ? heldUp() : error;
    }
  }

  /** Nest calls this after the extraction jobs have been aborted, so only idle processes are left. */
  beforeApplicationShutdown(): void {
    this.starts.close();
    this.stopping.abort();
    for (const child of this.processes) child.kill('SIGKILL');
  }

  private async run(
    requests: readonly ExtractionRequest[],
    mayTakeLong: () => boolean,
    signal: AbortSignal,
  ): Promise<ExtractionOutcome[]> {
    signal.throwIfAborted();
    if (!this.isAvailable) throw this.starts.unavailable();
    const used = this.takeIdle();
    try {
      return await this.runIn(used ?? (await this.launch()), requests, mayTakeLong, signal);
    } catch (error) {
      // A used process has less memory left than a new one. A group of documents is retried anyway.
      const isTooLarge = error instanceof Unreadable && error.code === 'too_large';
      if (!used || requests.length > 1 || !isTooLarge) throw error;
      signal.throwIfAborted();
      this.logger.debug(error);
      return this.runIn(await this.launch(), requests, mayTakeLong, signal);
    }
  }

  private async runIn(
    child: ChildProcess,
    requests: ExtractionTask['requests'],
    mayTakeLong: () => boolean,
    signal: AbortSignal,
  ): Promise<ExtractionOutcome[]> {
    const reply = await this.ask(child, requests, mayTakeLong, signal);
    const { outcomes, isReusable, failures } = reply;
    addFailures(failures);
    if (isReusable) this.keep(child);
    else child.kill('SIGKILL');
    return outcomes;
  }

  private toResult(outcome: ExtractionOutcome): PromiseSettledResult<ExtractionResult> {
    if ('result' in outcome) return { status: 'fulfilled', value: outcome.result };
    if (!('unreadable' in outcome)) throw new Error('A page was not asked for');
    return { status: 'rejected', reason: this.unreadable(outcome) };
  }

  private unreadable({ unreadable, cause }: UnreadableOutcome): Unreadable {
    const { code, message } = unreadable;
    if (cause !== undefined) this.logger.debug(`${message} ${cause}`);
    return new Unreadable(code, message);
  }

  private takeIdle(): ChildProcess | undefined {
    for (const [child, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(child);
      return child;
    }
    return undefined;
  }

  private async launch(maxBytes?: number): Promise<ChildProcess> {
    const options = await withoutNetwork([
      `--max-old-space-size=${MAX_HEAP_MB}`,
      '--max-semi-space-size=4',
      // A heap that starts smaller is garbage-collected several times while a small document is read.
      '--initial-heap-size=64',
      // Modules are compiled lazily, so more compilation threads would waste CPU time.
      '--wasm-num-compilation-tasks=1',
    ]);
    this.stopping.signal.throwIfAborted();
    const child = fork(EXTRACTION_PROCESS, maxBytes === undefined ? [] : [String(maxBytes)], {
      env: {},
      ...options,
      // Preserves typed arrays, unlike JSON.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.processes.add(child);
    // An `error` event without a listener would end the service, and `ask` listens only while it waits.
    child.on('error', (error) => {
      this.logger.warn(error);
    });
    child.once('exit', () => {
      this.processes.delete(child);
      this.idle.delete(child);
    });
    return child;
  }

  private ask(
    child: ChildProcess,
    requests: ExtractionTask['requests'],
    mayTakeLong: () => boolean,
    signal: AbortSignal,
  ): Promise<ExtractionReply> {
    // A probe without documents loads the readers that failed before, to check that they work now.
    const mimeTypes =
      requests.length > 0
        ? [...new Set(requests.map(({ mimeType }) => mimeType))]
        : [...this.unloadable];
    return new Promise((resolve, reject) => {
      let takesLongTimer: NodeJS.Timeout | undefined;
      let hasStarted = false;
      const onMessage = (message: ExtractionMessage) => {
        if (message === 'started') {
          hasStarted = true;
          cancelStartLimit();
          for (const mimeType of mimeTypes) this.unloadable.delete(mimeType);
          this.starts.succeeded();
          takesLongTimer = setTimeout(() => {
            if (!mayTakeLong()) kill(new TakesLong());
          }, TAKES_LONG_MS);
          return;
        }
        settle();
        resolve(message);
      };
      const failToStart = (reason: Error) => {
        settle();
        for (const mimeType of mimeTypes) this.unloadable.add(mimeType);
        probeAgain();
        this.starts.failed(reason);
        reject(this.starts.unavailable());
      };
      const onExit = (code: number | null, killedBy: string | null) => {
        const isEndedByLimit = killedBy !== null && killedBy !== 'SIGKILL';
        if ((!hasStarted && !isEndedByLimit) || code === NOT_INSTALLED) {
          failToStart(new Error(`it ended with ${killedBy ?? `exit code ${String(code)}`}`));
          return;
        }
        settle();
        reject(toExitError(killedBy));
      };
      const kill = (reason: Error) => {
        settle();
        child.kill('SIGKILL');
        reject(reason);
      };
      const onStop = () => {
        kill(new Error('The service is stopping'));
      };
      const timeout = setTimeout(() => {
        kill(tooSlow());
      }, TIMEOUT_MS);
      const cancelStartLimit = afterRunningFor(START_TIMEOUT_MS, () => {
        failToStart(new Error('it took too long'));
        child.kill('SIGKILL');
      });
      const settle = () => {
        clearTimeout(timeout);
        cancelStartLimit();
        clearTimeout(takesLongTimer);
        signal.removeEventListener('abort', onStop);
        child.off('message', onMessage).off('exit', onExit).off('error', failToStart);
      };
      signal.addEventListener('abort', onStop);
      child.on('message', onMessage).on('exit', onExit).on('error', failToStart);
      // A process that could not be started emits `error`. Sending to one that has just ended fails;
      // the `exit` event that follows has the reason.
      if (signal.aborted) onStop();
      else if (child.connected)
        child.send({ mimeTypes, requests } satisfies ExtractionTask, () => undefined);
    });
  }

  private keep(child: ChildProcess): void {
    const timer = setTimeout(() => {
      this.idle.delete(child);
      child.kill('SIGKILL');
    }, IDLE_MS).unref();
    this.idle.set(child, timer);
  }
}

/**
 * A process that exceeds a limit ends itself by a signal other than SIGKILL, which comes from this
 * service at a stop, or from a system that is short of memory.
 */
function toExitError(killedBy: string | null): Error {
  if (killedBy === NO_PROGRESS) return tooSlow();
  if (killedBy === null || killedBy === 'SIGKILL') return new Error('Extraction ended early');
  return new Unreadable('too_large', 'Reading the document exceeds the memory limit.');
}

const heldUp = () =>
  new Problem('worker_unavailable', { detail: 'The page could not be shown in time.' });

const tooSlow = () =>
  new Unreadable('parse_timeout', 'Reading the document took too long without progress.');
