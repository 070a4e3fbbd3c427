import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_PROGRESS } from '@latchkey/extraction/watched-process';
import {
  type OpenSource,
  type SidecarReport,
  type SourceContent,
  type SourceContext,
  type SourceEntry,
  SourceError,
} from '@latchkey/sources/source-kind';
import { Problem } from '../../platform/problems/problem.js';
import type {
  SourceConnection,
  SourceMessage,
  SourceResults,
  SourceTaskName,
  SourceTasks,
} from './source-messages.js';

const PROGRAM = new URL('./source.process.js', import.meta.url);

/** A process that has not loaded its code by then is killed; it has a low priority. */
const START_TIMEOUT_MS = 60_000;
/** More than the memory limit of the whole process, which therefore applies first. */
const MAX_HEAP_MB = 1024;

/** The variables that a process needs to reach a server and to trust its certificate. */
const NETWORK_VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_USE_SYSTEM_CA',
  'OPENSSL_CONF',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
];

type Events = Pick<SourceContext, 'signal' | 'warn' | 'found'>;

interface Waiting {
  readonly resolve: (result: SourceResults[SourceTaskName]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A source that is read by a process of its own, which has limits of memory and time and can be killed.
 * Documents are passed as files, because they may be large.
 */
export class SourceProcess implements OpenSource {
  parallelLoads = 1;
  access: OpenSource['access'];
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private hasStarted = false;
  private tasks = 0;
  private loads = 0;
  private readonly startTimer: NodeJS.Timeout;
  private readonly stop = () => this.child.kill('SIGKILL');

  private constructor(
    type: string,
    private readonly runFolder: string,
    private readonly events: Events,
  ) {
    this.child = fork(PROGRAM, [type], {
      // The process gets no other variables of the service, such as its secrets.
      env: Object.fromEntries(NETWORK_VARIABLES.map((name) => [name, process.env[name]])),
      execArgv: [...process.execArgv, `--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.on('message', (message: SourceMessage) => {
      this.receive(message);
    });
    this.child.on('error', () => {
      this.rejectAll();
    });
    this.child.on('exit', () => {
      this.rejectAll();
    });
    this.startTimer = setTimeout(this.stop, START_TIMEOUT_MS);
    events.signal.addEventListener('abort', this.stop);
  }

  /** Tests the connection. @throws SourceError */
  static async test(type: string, connection: SourceConnection, events: Events): Promise<void> {
    const source = new SourceProcess(type, connection.runFolder, events);
    await source.run('test', connection).finally(() => source.close());
  }

  /** @throws SourceError */
  static async open(
    type: string,
    connection: SourceConnection,
    events: Events,
  ): Promise<SourceProcess> {
    const source = new SourceProcess(type, connection.runFolder, events);
    try {
      const { parallelLoads, access } = await source.run('open', connection);
      source.parallelLoads = parallelLoads;
      source.access = access;
      return source;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  get isOver(): boolean {
    return !this.child.connected;
  }

  async readSidecars(): Promise<SidecarReport | undefined> {
    return (await this.run('sidecars', {})) ?? undefined;
  }

  async *list(): AsyncIterable<SourceEntry> {
    for (let isWhole = false; !isWhole;) {
      const batch = await this.run('list', {});
      yield* batch.entries;
      ({ isWhole } = batch);
    }
  }

  async load(entry: SourceEntry): Promise<SourceContent> {
    const path = join(this.runFolder, `load-${++this.loads}`);
    const described = await this.run('load', { entry, path });
    const body = createReadStream(path);
    body.once('close', () => {
      void rm(path, { force: true });
    });
    return { ...described, body };
  }

  isGone(key: string): Promise<boolean> {
    return this.run('isGone', { key });
  }

  /** Ends the process and removes its files. */
  async close(): Promise<void> {
    const { child } = this;
    clearTimeout(this.startTimer);
    this.events.signal.removeEventListener('abort', this.stop);
    const isRunning =
      child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    if (isRunning) {
      const exit = once(child, 'exit');
      this.stop();
      await exit;
    }
    await rm(this.runFolder, { recursive: true, force: true });
  }

  private async run<Name extends SourceTaskName>(
    name: Name,
    task: SourceTasks[Name],
  ): Promise<SourceResults[Name]> {
    this.events.signal.throwIfAborted();
    const id = ++this.tasks;
    const result = await new Promise<SourceResults[SourceTaskName]>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      // Sending to a process that has just ended fails; `exit` follows.
      if (this.child.connected) this.child.send({ ...task, id, name }, () => undefined);
      else this.rejectAll();
    });
    return result as SourceResults[Name];
  }

  private receive(message: SourceMessage): void {
    if (message === 'started') {
      this.hasStarted = true;
      clearTimeout(this.startTimer);
    } else if ('warning' in message) this.events.warn(message.warning);
    else if ('found' in message) this.events.found?.(message.found);
    else {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if ('result' in message) waiting?.resolve(message.result);
      else if ('error' in message) waiting?.reject(new Error(message.error));
      else waiting?.reject(new SourceError(message.failure.code, message.failure.message));
    }
  }

  private rejectAll(): void {
    clearTimeout(this.startTimer);
    const error = this.reasonOfEnd();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  /** A process that exceeds a limit ends itself by a signal other than SIGKILL. */
  private reasonOfEnd(): Error {
    const { signal } = this.events;
    if (signal.aborted) return signal.reason as Error;
    const { signalCode } = this.child;
    if (signalCode === NO_PROGRESS) {
      return new SourceError('too_large', 'Reading what the server sent took too long.');
    }
    if (this.hasStarted && signalCode !== null && signalCode !== 'SIGKILL') {
      return new SourceError('too_large', 'Reading what the server sent took too much memory.');
    }
    return new Problem('worker_unavailable', { detail: 'The source cannot be read right now.' });
  }
}
