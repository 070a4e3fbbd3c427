import { fork } from 'node:child_process';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DEFAULT_MODEL, KNOWN_MODELS } from '@latchkey/embeddings/install/known-models';
import { Logger } from '@nestjs/common';
import type { FairShare } from '../../knowledge-bases/fair-share-lookup.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import type { Embeddings } from './embeddings.js';
import type { InstallMessage } from './install-model.process.js';
import { LocalEmbeddings } from './local-embeddings.js';

const INTERVAL_MS = 15_000;
const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 6 * 60 * 60_000;
/** A lock this old was left by a process that was killed. */
const LOCK_MS = 30 * 60_000;
const INSTALLER = new URL('./install-model.process.js', import.meta.url);

/**
 * The model of EMBEDDINGS_MODEL_PATH, or the newest in `DATA_DIR/models`, used as soon as it is
 * available. If that folder has none, or the files of a known model have changed, it is installed in
 * the background. Until a model can be used, search compares words only.
 */
export class BackgroundModel implements Embeddings {
  private readonly logger = new Logger(BackgroundModel.name);
  private loaded: LocalEmbeddings | undefined;
  private name = '';
  installing: string | undefined;
  private retryAt = 0;
  private retryMs = FIRST_RETRY_MS;

  /**
   * @param models the folder of installed models
   * @param path the model to use instead of an installed one
   * @param timeoutMs how long a question waits for its vector
   */
  constructor(
    private readonly models: string,
    private readonly path: string | undefined,
    private readonly timeoutMs: number,
  ) {}

  get model(): string | undefined {
    return this.loaded?.model;
  }

  get description(): string {
    return this.isUsable ? `local:${this.name}` : 'off';
  }

  async embedQuestion(question: string, fairShare: FairShare) {
    return this.loaded?.embedQuestion(question, fairShare);
  }

  async embedSentences(texts: readonly string[], fairShare: FairShare, signal?: AbortSignal) {
    return (await this.loaded?.embedSentences(texts, fairShare, signal)) ?? [];
  }

  async embedPassages(texts: string[], signal: AbortSignal) {
    return this.loaded?.embedPassages(texts, signal);
  }

  async close(): Promise<void> {
    await this.loaded?.close();
  }

  @Job({ every: INTERVAL_MS })
  async loadOrInstall({ signal }: JobRound): Promise<void> {
    // The running thread no longer needs the files, but a later restart would fail without them.
    if (this.isUsable && this.loaded && !(await isThere(this.loaded.file))) {
      this.loaded.problem = 'its files have gone';
    }
    if (this.isUsable || Date.now() < this.retryAt) return;
    try {
      await this.close();
      this.loaded = undefined;
      const found =
        this.path ?? (await this.newest()) ?? (await this.install(DEFAULT_MODEL.name, signal));
      if (found === undefined) return;
      this.loaded = await this.load(found, signal);
      this.name = basename(found);
      this.logger.log(`Searching by words and by meaning, with the model ${this.name}`);
    } catch (error) {
      if (signal.aborted) return;
      this.retryAt = Date.now() + this.retryMs;
      this.retryMs = Math.min(LAST_RETRY_MS, this.retryMs * 2);
      const reason = error instanceof Error ? error.message : String(error);
      const source = this.path === undefined ? '' : 'EMBEDDINGS_MODEL_PATH: ';
      this.logger.warn(`No embeddings; searching by words only: ${source}${reason}`);
    }
  }

  private get isUsable(): boolean {
    return this.loaded !== undefined && this.loaded.problem === undefined;
  }

  private async load(path: string, signal: AbortSignal): Promise<LocalEmbeddings> {
    const name = basename(path);
    try {
      return await LocalEmbeddings.load(path, this.timeoutMs);
    } catch (error) {
      if (this.path !== undefined || !KNOWN_MODELS.some((known) => known.name === name))
        throw error;
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn(`The model ${name} cannot be used; checking its files: ${reason}`);
      // Installs the model again if its files have changed; otherwise loading fails with the same
      // error.
      const installed = await this.install(name, signal);
      if (installed === undefined) throw error;
      return LocalEmbeddings.load(installed, this.timeoutMs);
    }
  }

  /** @returns the folder of the model that was installed last */
  private async newest(): Promise<string | undefined> {
    const names = await readdir(this.models).catch(() => []);
    const found = await Promise.all(
      names
        .filter((name) => !name.startsWith('.'))
        .map(async (name) => ({ name, at: await changedAt(join(this.models, name)) })),
    );
    const [newest] = found.sort((one, other) => other.at - one.at);
    return newest && join(this.models, newest.name);
  }

  /** @returns undefined while another process installs it */
  private async install(name: string, signal: AbortSignal): Promise<string | undefined> {
    await mkdir(this.models, { recursive: true });
    const lock = join(this.models, '.lock');
    if (Date.now() - (await changedAt(lock)) > LOCK_MS) await rm(lock, { force: true });
    const handle = await open(lock, 'wx').catch(() => undefined);
    if (!handle) return undefined;
    try {
      this.logger.log(
        'Installing a model for search by meaning; set EMBEDDINGS=off to prevent this',
      );
      this.installing = 'Looking for the model';
      await this.runInstaller(name, signal);
    } finally {
      this.installing = undefined;
      await handle.close();
      await rm(lock, { force: true });
    }
    return join(this.models, name);
  }

  /** Installs in a separate process, since it takes some seconds of CPU time. */
  private runInstaller(name: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = fork(INSTALLER, [this.models, name], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        signal,
        env: environmentOfInstaller(),
      });
      let problem = 'the installation was ended';
      child.on('message', (message: InstallMessage) => {
        if ('problem' in message) {
          problem = message.problem;
          return;
        }
        this.logger.log(message.line);
        // The readiness endpoint is public, and a URL may contain a password.
        if (!message.line.includes('://')) this.installing = message.line;
      });
      child.once('error', reject);
      child.once('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(problem));
      });
    });
  }
}

/**
 * The variables that pip and downloads use. The service's other variables hold secrets and are not
 * passed on.
 */
const OF_DOWNLOADS =
  /^(?:PATH|HOME|USERPROFILE|SYSTEMROOT|APPDATA|LOCALAPPDATA|TE?MP|TMPDIR|LANG|LC_\w+|(?:HTTPS?|ALL|NO)_PROXY|PIP_\w+|PYTHON\w+|PYENV\w*|VIRTUAL_ENV|XDG_\w+|HF_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS)$/i;

const environmentOfInstaller = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_DOWNLOADS.test(name))),
  // Makes Node.js use HTTPS_PROXY and NO_PROXY.
  NODE_USE_ENV_PROXY: '1',
});

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
