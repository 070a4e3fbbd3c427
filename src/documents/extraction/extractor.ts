import { type ChildProcess, fork } from 'node:child_process';
import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { ExtractedChunk, ExtractionRequest } from './extract.js';
import { isOutage } from '../outage.js';
import type {
  ExtractionMessage,
  ExtractionOutcome,
  ExtractionReply,
} from './extraction.process.js';
import { TakesLong } from './takes-long.js';
import { Unreadable } from './unreadable.js';

/** What a document may take; its process is ended then, whatever it does. */
const TIMEOUT_MS = 20_000;
/** After that a document takes long. */
const LONG_MS = 2000;
const MAX_HEAP_MB = 160;
/** How long a process waits for another document. */
const IDLE_MS = 10_000;

/**
 * Runs extraction in processes of their own, which can be ended at any moment and whose memory can
 * be limited as a whole. They get nothing of the environment, since a file may be hostile.
 */
@Injectable()
export class Extractor implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Extractor.name);
  /** With the time after which each has waited enough. */
  private readonly idle = new Map<ChildProcess, NodeJS.Timeout>();
  private readonly all = new Set<ChildProcess>();
  private stopped = false;

  /**
   * Reads small documents in one go, or a single one.
   *
   * @param mayTakeLong asked when it does
   * @returns what became of each; the reason is an Unreadable where trying again would not help
   * @throws TakesLong when it may not, or when one of several was too much: the limits are meant for
   * each
   */
  async extract(
    requests: readonly ExtractionRequest[],
    mayTakeLong: () => boolean,
  ): Promise<PromiseSettledResult<ExtractedChunk[]>[]> {
    try {
      const outcomes = await this.run(requests, mayTakeLong);
      return outcomes.map((outcome) => this.resultOf(outcome));
    } catch (reason) {
      if (reason instanceof TakesLong) throw reason;
      if (requests.length === 1 || isOutage(reason) || this.stopped) {
        return requests.map(() => ({ status: 'rejected', reason }));
      }
      this.logger.debug(reason);
      throw new TakesLong();
    }
  }

  /** A document that is being read is read again after the next start. */
  beforeApplicationShutdown(): void {
    this.stopped = true;
    for (const child of this.all) child.kill('SIGKILL');
  }

  private async run(
    requests: readonly ExtractionRequest[],
    mayTakeLong: () => boolean,
  ): Promise<ExtractionOutcome[]> {
    if (this.stopped) throw new Error('The service is stopping');
    const child = this.takeIdle() ?? this.launch();
    const { outcomes, spent } = await this.ask(child, requests, mayTakeLong);
    if (spent) child.kill('SIGKILL');
    else this.keep(child);
    return outcomes;
  }

  private resultOf(outcome: ExtractionOutcome): PromiseSettledResult<ExtractedChunk[]> {
    if ('chunks' in outcome) return { status: 'fulfilled', value: outcome.chunks };
    const { code, message } = outcome.unreadable;
    if (outcome.cause !== undefined) this.logger.debug(`${message} ${outcome.cause}`);
    return { status: 'rejected', reason: new Unreadable(code, message) };
  }

  private takeIdle(): ChildProcess | undefined {
    for (const [child, end] of this.idle) {
      clearTimeout(end);
      this.idle.delete(child);
      return child;
    }
    return undefined;
  }

  private launch(): ChildProcess {
    const child = fork(new URL('./extraction.process.js', import.meta.url), {
      env: {},
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`, '--max-semi-space-size=4'],
      // Typed arrays stay typed arrays.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.all.add(child);
    // Whoever waits for an answer listens, too; nobody else is concerned.
    child.on('error', (error) => {
      this.logger.warn(error);
    });
    child.once('exit', () => {
      this.all.delete(child);
      this.idle.delete(child);
    });
    return child;
  }

  private ask(
    child: ChildProcess,
    requests: readonly ExtractionRequest[],
    mayTakeLong: () => boolean,
  ): Promise<ExtractionReply> {
    return new Promise((resolve, reject) => {
      let moment: NodeJS.Timeout | undefined;
      const onMessage = (answer: ExtractionMessage) => {
        if (answer === 'begun') {
          moment = setTimeout(() => {
            if (!mayTakeLong()) end(new TakesLong());
          }, LONG_MS);
          return;
        }
        settle();
        resolve(answer);
      };
      const onExit = (_code: number | null, signal: string | null) => {
        settle();
        const endedFromOutside = signal === null || signal === 'SIGKILL';
        reject(endedFromOutside ? new Error('Extraction ended early') : tooLarge());
      };
      const onError = (error: Error) => {
        settle();
        reject(error);
      };
      const end = (reason: Error) => {
        settle();
        child.kill('SIGKILL');
        reject(reason);
      };
      const timeout = setTimeout(() => {
        end(new Unreadable('parse_timeout', 'Reading the document took too long.'));
      }, TIMEOUT_MS);
      const settle = () => {
        clearTimeout(timeout);
        clearTimeout(moment);
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
      };
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      // Where no process could be started there is nothing to send to; its error says so.
      if (child.connected) child.send(requests);
    });
  }

  private keep(child: ChildProcess): void {
    const end = setTimeout(() => {
      this.idle.delete(child);
      child.kill('SIGKILL');
    }, IDLE_MS).unref();
    this.idle.set(child, end);
  }
}

/**
 * A process is ended by a signal where its memory ends, be it the heap or all of it; but SIGKILL is
 * this service's own at a stop, or the system's, short of memory for whatever reason.
 */
const tooLarge = () =>
  new Unreadable('too_large', 'Reading the document takes more memory than it may.');
