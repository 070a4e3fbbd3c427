import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { SourceContext } from '@latchkey/sources/source-kind';
import { Config } from '../../platform/config/config.js';
import { SourceClient } from './source-client.js';
import { workFolderOf } from './source-folders.js';
import { SourceKinds } from './source-kinds.js';

/** What a kind is told of a run. */
interface ContextOptions extends Pick<SourceContext, 'signal' | 'warn' | 'found'> {
  readonly workFolder: string;
}

/** Connects to sources, with the limits of the service. */
@Injectable()
export class SourceConnections {
  constructor(
    private readonly kinds: SourceKinds,
    private readonly config: Config,
  ) {}

  /**
   * @param workFolder made and removed
   * @throws SourceError when the source cannot be reached
   */
  async test(
    type: string,
    given: object,
    secret: object | null,
    signal: AbortSignal,
    workFolder = workFolderOf(this.config, `test-${randomUUID()}`),
  ): Promise<void> {
    const kind = this.kinds.of(type);
    const { config, credentials } = this.kinds.parse(type, given, secret);
    const options = { signal, warn: () => undefined, workFolder };
    await this.use(options, async (context) => {
      await kind?.test(config, credentials, context);
    }).finally(() => rm(workFolder, { recursive: true, force: true }));
  }

  /** Runs `work` with a client whose connections are closed afterwards. */
  async use<T>(options: ContextOptions, work: (context: SourceContext) => Promise<T>): Promise<T> {
    await mkdir(options.workFolder, { recursive: true });
    const { MAX_DOCUMENTS_PER_SOURCE: maxEntries, MAX_UPLOAD_BYTES: maxBytes } = this.config;
    const address = this.config.PUBLIC_URL;
    const userAgent = `Latchkey-Sources/1${address === undefined ? '' : ` (+${address})`}`;
    const allowPrivate = this.config.SOURCE_ALLOW_PRIVATE === 'yes';
    const client = new SourceClient({ allowPrivate, userAgent, signal: options.signal });
    try {
      const limits = { maxEntries, maxBytes };
      return await work({ ...options, fetch: client.fetch, limits, userAgent });
    } finally {
      client.close();
    }
  }
}
