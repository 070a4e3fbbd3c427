import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { type OpenSource, type SourceContext, SourceError } from '@latchkey/sources/source-kind';
import { Config } from '../../platform/config/config.js';
import { Problem } from '../../platform/problems/problem.js';
import { makeRunFolder, findWorkFolder } from './source-folders.js';
import { SourceKinds } from './source-kinds.js';
import type { SourceConnection } from './source-messages.js';
import { SourceProcess } from './source-process.js';

/** The context of a run that a kind of source gets. */
interface ContextOptions extends Pick<SourceContext, 'signal' | 'warn' | 'found'> {
  readonly workFolder: string;
}

/** Connects to sources within the limits of the service. Each server is read by a process of its own. */
@Injectable()
export class SourceConnections {
  constructor(
    private readonly kinds: SourceKinds,
    private readonly config: Config,
  ) {}

  /**
   * @param workFolder the default is created and removed
   * @throws SourceError when the source cannot be reached
   */
  async test(
    type: string,
    given: object,
    secret: object | null,
    signal: AbortSignal,
    workFolder = findWorkFolder(this.config, `test-${randomUUID()}`),
  ): Promise<void> {
    const { kind, connection } = await this.prepare(type, given, secret, workFolder);
    const events = { signal, warn: () => undefined };
    try {
      if (type !== 'folder') await SourceProcess.test(type, connection, events);
      else
        await kind.test(
          connection.config,
          connection.credentials,
          localContext(connection, events),
        );
    } finally {
      await rm(workFolder, { recursive: true, force: true });
    }
  }

  /** @throws SourceError */
  async open(
    type: string,
    given: object,
    secret: object | null,
    { workFolder, ...events }: ContextOptions,
  ): Promise<OpenSource> {
    const { kind, connection } = await this.prepare(type, given, secret, workFolder);
    if (type !== 'folder') return SourceProcess.open(type, connection, events);
    return kind.open(connection.config, connection.credentials, localContext(connection, events));
  }

  /** @throws Problem `validation_failed` */
  private async prepare(type: string, given: object, secret: object | null, workFolder: string) {
    const kind = this.kinds.findKind(type);
    if (!kind) throw new Problem('validation_failed');
    const { MAX_DOCUMENTS_PER_SOURCE: maxEntries, MAX_UPLOAD_BYTES: maxBytes } = this.config;
    const address = this.config.PUBLIC_URL;
    const parsed = this.kinds.parse(type, given, secret);
    const connection: SourceConnection = {
      ...parsed,
      limits: { maxEntries, maxBytes },
      workFolder,
      runFolder: await makeRunFolder(workFolder),
      userAgent: `Latchkey-Sources/1${address === undefined ? '' : ` (+${address})`}`,
      allowPrivate: this.config.SOURCE_ALLOW_PRIVATE === 'yes',
    };
    return { kind, connection };
  }
}

/** The context for a folder of this machine: there is no server, and only names and sizes are read. */
const localContext = (
  { limits, workFolder, runFolder, userAgent }: SourceConnection,
  events: Omit<ContextOptions, 'workFolder'>,
): SourceContext => ({
  ...{ limits, workFolder, runFolder, userAgent, ...events },
  fetch: refuse,
  resolve: refuse,
});

const refuse = () =>
  Promise.reject(new SourceError('not_allowed', 'A folder is not read from a server.'));
