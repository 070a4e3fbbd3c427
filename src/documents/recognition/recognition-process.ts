import { type ChildProcess, fork } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { RECOGNITION_PROCESS } from '@latchkey/extraction/process-url';
import type {
  RecognitionMessage,
  RecognitionTask,
} from '@latchkey/extraction/recognition/recognition.process';
import type { RecognitionResult } from '@latchkey/extraction/recognition/recogniser';
import { NOT_INSTALLED } from '@latchkey/extraction/watched-process';
import { Unreadable } from '@latchkey/extraction/unreadable';
import { WorkerUnavailableError } from '../../platform/jobs/worker-errors.js';
import { probeAgain, withoutNetwork } from '../ingestion/without-network.js';
import { RecognitionServer } from './recognition-server.js';
import { Config } from '../../platform/config/config.js';

/** Pages of one document, in order. */
type PagesToRecognise = Omit<RecognitionTask, 'languageFolder' | 'isDrawing'>;

const MAX_HEAP_MB = 160;
const RETRY_MS = 5000;
/** The document is not at fault, so it stays in the queue. */
const cannotStart = () => new WorkerUnavailableError('Recognition', RETRY_MS);

/**
 * Recognises pages in a child process. It needs ten times the memory of an extraction process, is
 * started for each document, and gets no environment variables.
 */
@Injectable()
export class RecognitionProcess {
  private readonly logger = new Logger(RecognitionProcess.name);
  private readonly languageFolder: string;

  constructor(
    config: Config,
    private readonly server: RecognitionServer,
  ) {
    this.languageFolder = join(resolve(config.DATA_DIR), 'ocr');
  }

  /**
   * @param onPage called with each page as soon as it is recognised, or with null if recognition failed
   * @throws Unreadable when the document cannot be opened
   */
  async recognise(
    { pages, ...task }: PagesToRecognise,
    onPage: (page: number, recognition: RecognitionResult | null) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    let rest = pages;
    while (rest.length > 0) {
      signal.throwIfAborted();
      const done = await this.run({ ...task, pages: rest }, onPage, signal);
      const [failed] = rest.slice(done);
      if (failed === undefined) return;
      // The process hit a limit. If no page was finished, the first page is the cause.
      if (done === 0) await onPage(failed, null);
      rest = rest.slice(Math.max(done, 1));
    }
  }

  /** @returns how many pages were recognised before the process ended */
  private async run(
    task: PagesToRecognise,
    onPage: (page: number, recognition: RecognitionResult | null) => Promise<void>,
    signal: AbortSignal,
  ): Promise<number> {
    const child = await this.launch(signal);
    const onStop = () => child.kill('SIGKILL');
    signal.addEventListener('abort', onStop);
    let count = 0;
    let stored = Promise.resolve();
    try {
      await new Promise<void>((resolve, reject) => {
        let hasStarted = false;
        child.once('error', reject);
        child.once('exit', (code, killedBy) => {
          this.logger.debug(`Recognition ended with ${killedBy ?? String(code)}`);
          const isEndedByLimit = killedBy !== null && killedBy !== 'SIGKILL';
          if (hasStarted && isEndedByLimit) resolve();
          else if (!hasStarted || code === NOT_INSTALLED) {
            probeAgain();
            reject(cannotStart());
          } else reject(new Error('Recognition ended early'));
        });
        child.on('message', (message: RecognitionMessage) => {
          if (message === 'started') hasStarted = true;
          else if (message === 'done') resolve();
          else if ('unreadable' in message) {
            reject(new Unreadable(message.unreadable.code, message.unreadable.message));
          } else {
            count++;
            stored = stored.then(async () => {
              await onPage(message.number, await this.toRecognition(message, signal));
              if (child.connected) child.send('next', () => undefined);
            });
            stored.catch(reject);
          }
        });
        const sent: RecognitionTask = {
          ...task,
          languageFolder: this.languageFolder,
          isDrawing: this.server.isConfigured,
        };
        if (child.connected) child.send(sent, () => undefined);
      });
      await stored;
      return count;
    } finally {
      signal.removeEventListener('abort', onStop);
      child.kill('SIGKILL');
    }
  }

  private async toRecognition(
    message: Exclude<RecognitionMessage, string | { unreadable: unknown }>,
    signal: AbortSignal,
  ): Promise<RecognitionResult | null> {
    if ('recognition' in message) return message.recognition;
    const page = message.drawn && (await this.server.recognise(message.drawn, signal));
    return page && { page, languages: [] };
  }

  private async launch(signal: AbortSignal): Promise<ChildProcess> {
    const options = await withoutNetwork([
      `--max-old-space-size=${MAX_HEAP_MB}`,
      '--wasm-num-compilation-tasks=1',
    ]);
    signal.throwIfAborted();
    const child = fork(RECOGNITION_PROCESS, {
      env: {},
      ...options,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // Without a listener, an `error` event would end the service.
    child.on('error', (error) => {
      this.logger.warn(error);
    });
    return child;
  }
}
