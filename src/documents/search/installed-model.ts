import { fork } from 'node:child_process';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tenant } from '../../knowledge-bases/tenant-lookup.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import type { Embeddings } from './embeddings.js';
import type { InstallMessage } from './install-model.process.js';
import { LocalEmbeddings } from './local-embeddings.js';

const INTERVAL_MS = 15_000;
const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 6 * 60 * 60_000;
/** A lock this old is of a process that was killed. */
const LOCK_MS = 30 * 60_000;
const INSTALLER = new URL('./install-model.process.js', import.meta.url);

/**
 * The model in `DATA_DIR/models`, used as soon as it is there. Where there is none it is installed in
 * the background; search goes by words alone meanwhile, and for as long as none can be had.
 */
export class InstalledModel extends BackgroundJob implements Embeddings {
  private loaded: LocalEmbeddings | undefined;
  private name = '';
  installing: string | undefined;
  private retryAt = 0;
  private retryMs = FIRST_RETRY_MS;

  /**
   * @param models the folder of installed models
   * @param timeoutMs how long a question waits for its vector
   */
  constructor(
    private readonly models: string,
    private readonly timeoutMs: number,
  ) {
    super(INTERVAL_MS);
  }

  get model(): string | undefined {
    return this.loaded?.model;
  }

  get description(): string {
    return this.loaded ? `local:${this.name}` : 'off';
  }

  async ofQuestion(question: string, tenant: Tenant) {
    return this.loaded?.ofQuestion(question, tenant);
  }

  async ofPassages(texts: string[], signal: AbortSignal) {
    return this.loaded?.ofPassages(texts, signal);
  }

  async close(): Promise<void> {
    await this.loaded?.close();
  }

  protected override async run(): Promise<void> {
    if (this.loaded || Date.now() < this.retryAt) return;
    try {
      const name = (await this.newest()) ?? (await this.install());
      if (name === undefined) return;
      this.loaded = await LocalEmbeddings.load(join(this.models, name), this.timeoutMs);
      this.name = name;
      this.logger.log(`Search goes by words and by meaning, by the model ${name}`);
    } catch (error) {
      if (this.signal.aborted) return;
      this.retryAt = Date.now() + this.retryMs;
      this.retryMs = Math.min(LAST_RETRY_MS, this.retryMs * 2);
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn(`No embeddings, so search goes by words alone: ${reason}`);
    }
  }

  /** @returns the name of the model that was installed last */
  private async newest(): Promise<string | undefined> {
    const names = await readdir(this.models).catch(() => []);
    const found = await Promise.all(
      names
        .filter((name) => !name.startsWith('.'))
        .map(async (name) => ({ name, at: await changedAt(join(this.models, name)) })),
    );
    return found.sort((one, other) => other.at - one.at)[0]?.name;
  }

  /** @returns undefined while another process installs it */
  private async install(): Promise<string | undefined> {
    await mkdir(this.models, { recursive: true });
    const lock = join(this.models, '.lock');
    if (Date.now() - (await changedAt(lock)) > LOCK_MS) await rm(lock, { force: true });
    const handle = await open(lock, 'wx').catch(() => undefined);
    if (!handle) return undefined;
    try {
      this.logger.log('Installing a model for search by meaning; EMBEDDINGS=off prevents it');
      this.installing = 'Looking for the model';
      await this.runInstaller();
    } finally {
      this.installing = undefined;
      await handle.close();
      await rm(lock, { force: true });
    }
    return this.newest();
  }

  /** In a process of its own, since it takes some seconds of a processor. */
  private runInstaller(): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = fork(INSTALLER, [this.models], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        signal: this.signal,
        env: environmentOfInstaller(),
      });
      let problem = 'the installation was ended';
      child.on('message', (message: InstallMessage) => {
        if ('problem' in message) {
          problem = message.problem;
          return;
        }
        this.logger.log(message.line);
        // Anybody may read readiness, and an address may have a password.
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

/** What pip and downloads heed; the service's own variables hold secrets, which they need not know. */
const OF_DOWNLOADS =
  /^(?:PATH|HOME|USERPROFILE|SYSTEMROOT|APPDATA|LOCALAPPDATA|TE?MP|TMPDIR|LANG|LC_\w+|(?:HTTPS?|ALL|NO)_PROXY|PIP_\w+|PYTHON\w+|PYENV\w*|VIRTUAL_ENV|XDG_\w+|HF_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS)$/i;

const environmentOfInstaller = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_DOWNLOADS.test(name))),
  // As other programs do, Node.js then heeds HTTPS_PROXY and NO_PROXY.
  NODE_USE_ENV_PROXY: '1',
});

const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
