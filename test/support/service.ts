import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, SECRET, TEST_ENVIRONMENT } from './launch.mjs';
import { freePort } from './postgres.mjs';
import { copiedDatabase, engine, migratedDatabase } from './test-database.js';

const READY_TIMEOUT_MS = 60_000;
const REFUSAL_TIMEOUT_MS = 60_000;
/** Whoever asks for readiness asks again when there was no answer by then. */
const ANSWER_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 90_000;

/** The built service in a process of its own, as users run it. */
export class Service {
  private constructor(
    readonly url: string,
    /** The environment it runs with, for a second process beside it or after it. */
    readonly environment: NodeJS.ProcessEnv,
    private readonly process: ChildProcess,
    private readonly output: string[],
  ) {}

  /**
   * Starts it on a free port and on an empty database of its own, unless `environment` names them, and
   * waits until it is ready. Tests that need nothing special share one: see sharedServices().
   *
   * @param directory another one that it is built and installed in
   */
  static async start(environment: NodeJS.ProcessEnv = {}, directory?: string): Promise<Service> {
    const port = environment['PORT'] ?? String(await freePort());
    const DATA_DIR = newDataDir();
    const own = {
      ...TEST_ENVIRONMENT,
      DATA_DIR,
      // A service beside another one, or after it, brings its database.
      ...(environment['DATA_DIR'] === undefined && environment['DATABASE_URL'] === undefined
        ? await migratedDatabase(DATA_DIR)
        : {}),
      ...environment,
    };
    const { child, output } = launchAndListen({ ...own, PORT: port }, directory);
    const service = new Service(`http://127.0.0.1:${port}`, own, child, output);
    await service.untilReady().catch((error: unknown) => {
      // The caller has nothing to stop.
      child.kill('SIGKILL');
      throw error;
    });
    return service;
  }

  /** Starts it where it is expected to refuse; gives what it said and its exit code. */
  static async refusal(
    environment: NodeJS.ProcessEnv,
    directory?: string,
  ): Promise<{ code: number | null; output: string }> {
    const { child, output } = launchAndListen(
      { DATA_DIR: newDataDir(), PORT: '0', ...environment },
      directory,
    );
    // One that starts all the same must not outlive the test; its exit code is then null.
    const deadline = setTimeout(() => child.kill('SIGKILL'), REFUSAL_TIMEOUT_MS);
    await once(child, 'close');
    clearTimeout(deadline);
    return { code: child.exitCode, output: output.join('') };
  }

  /**
   * What a service starts with to find all that this one has kept, in a database and a DATA_DIR of its
   * own; this one must be stopped.
   */
  copy(): Promise<NodeJS.ProcessEnv> {
    return copiedDatabase(this.environment, newDataDir());
  }

  /**
   * Another process on its database. SQLite is one process's, so there it is this one itself: what a
   * test asks of both is then asked of one.
   */
  beside(): Promise<Service> {
    return engine === 'postgres' ? Service.start(this.environment) : Promise.resolve(this);
  }

  get pid(): number {
    return Number(this.process.pid);
  }

  get dataDir(): string {
    return String(this.environment['DATA_DIR']);
  }

  /** Everything it has written, at debug level unless told otherwise. */
  get logs(): string {
    return this.output.join('');
  }

  /** Stops to read what it writes, until the returned function is called. */
  leaveOutputUnread(): () => void {
    this.process.stdout?.pause();
    return () => this.process.stdout?.resume();
  }

  /** Ends it as an operator would; gives its exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      // A second SIGTERM would interrupt the stop that the first one began.
      if (signal === 'SIGKILL' || !this.process.killed) this.process.kill(signal);
      const deadline = { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) };
      await once(this.process, 'close', deadline).catch((cause: unknown) => {
        this.process.kill('SIGKILL');
        throw new Error(`It did not stop:\n${this.logs}`, { cause });
      });
    }
    if (SECRET.test(this.logs)) throw new Error('There is an API key in the log');
    const { exitCode, signalCode } = this.process;
    // Anything else is a crash.
    if (signalCode !== null && signalCode !== 'SIGTERM' && signalCode !== 'SIGKILL') {
      throw new Error(`It was ended by ${signalCode}:\n${this.logs}`);
    }
    return exitCode;
  }

  /** What it says of itself when it is ready; undefined when it is not. */
  async readiness(): Promise<{ meaning: string } | undefined> {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const response = await fetch(`${this.url}/health/ready`, { signal }).catch(() => undefined);
    return response?.ok === true ? ((await response.json()) as { meaning: string }) : undefined;
  }

  private async untilReady(): Promise<void> {
    await eventually(async () => {
      if (this.process.exitCode !== null) throw new Error(`It did not start:\n${this.logs}`);
      return (await this.readiness()) !== undefined;
    }, READY_TIMEOUT_MS);
  }
}

const newDataDir = () => mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'data-'));

function launchAndListen(
  environment: NodeJS.ProcessEnv,
  directory?: string,
): { child: ChildProcess; output: string[] } {
  const output: string[] = [];
  const child = launch(environment, ['ignore', 'pipe', 'pipe'], directory);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => output.push(bytes.toString()));
  }
  return { child, output };
}

const FIRST_POLL_MS = 25;
const LAST_POLL_MS = 150;

/** Waits until `condition` holds, asking less often the longer it takes; fails after `timeoutMs`. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 90_000,
): Promise<void> {
  const began = Date.now();
  while (!(await condition())) {
    const waited = Date.now() - began;
    if (waited > timeoutMs) throw new Error(`The condition did not hold in ${timeoutMs} ms`);
    const pause = Math.min(LAST_POLL_MS, Math.max(FIRST_POLL_MS, waited / 10));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
