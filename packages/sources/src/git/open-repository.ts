import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { AccessMap } from '../access-map.js';
import { findTypeByName } from '../readable-file.js';
import { getFolder, type SidecarContent, Sidecars } from '../sidecars/sidecars.js';
import {
  type OpenSource,
  type SourceContent,
  type SidecarReport,
  type SourceContext,
  type SourceEntry,
  SourceError,
} from '../source-kind.js';
import { toFileAddress } from './file-address.js';
import { Repository } from './repository.js';

export interface GitConfig {
  readonly url: string;
  readonly branch?: string;
  readonly folder?: string;
  /** Rules by the path in the repository. */
  readonly access?: AccessMap;
}

export interface GitCredentials {
  readonly token?: string;
}

/** Each fetch adds a pack. With more packs, everything is fetched anew, which drops unused objects. */
const MAX_PACKS = 20;

/** The last commit of a branch. Fetched objects are kept in the work folder for the next run. */
export class OpenRepository implements OpenSource {
  private readonly gitdir: string;
  private readonly repository: Repository;
  /** The commit that sidecars and documents are read from. */
  private commit: ReturnType<OpenRepository['readOnce']> | undefined;
  private sidecars: Sidecars | undefined;

  private constructor(
    private readonly config: GitConfig,
    credentials: GitCredentials,
    private readonly context: SourceContext,
  ) {
    this.gitdir = join(context.workFolder, 'repository');
    const headers = toAuthorization(config.url, credentials);
    this.repository = new Repository(config.url, headers, this.gitdir, context);
  }

  static async open(config: GitConfig, credentials: GitCredentials, context: SourceContext) {
    const gitdir = join(context.workFolder, 'repository');
    const packs = await readdir(join(gitdir, 'objects', 'pack')).catch(() => []);
    if (packs.length > 2 * MAX_PACKS) await rm(gitdir, { recursive: true });
    await mkdir(gitdir, { recursive: true });
    return new OpenRepository(config, credentials, context);
  }

  get access(): AccessMap | undefined {
    return this.config.access;
  }

  /** Whether the branch can be reached. */
  async test(): Promise<void> {
    await this.repository.find(this.config.branch);
  }

  async readSidecars(): Promise<SidecarReport> {
    const { files, sidecars } = await this.read();
    const read = new Sidecars(this.config.access);
    const names = Map.groupBy(files, ({ path }) => getFolder(path));
    const { folder } = this.config;
    for (const { path, oid } of sidecars) {
      const at = getFolder(path);
      const isAbove = folder !== undefined && at !== folder && !at.startsWith(`${folder}/`);
      const inFolder = names.get(at)?.map((file) => basename(file.path)) ?? [];
      read.add(path, await this.readSidecar(oid), isAbove ? undefined : inFolder);
    }
    this.sidecars = read;
    return read.report;
  }

  async *list(): AsyncIterable<SourceEntry> {
    const { branch, files, links, submodules } = await this.read();
    if (!this.sidecars) await this.readSidecars();
    let listed = 0;
    for (const { path, oid } of files) {
      if (findTypeByName(path) === undefined) continue;
      if (++listed > this.context.limits.maxEntries) {
        throw new SourceError('too_many_documents', 'The repository has too many files.');
      }
      const url = toFileAddress(this.config.url, branch, path);
      const access = this.sidecars?.findAccess(path);
      yield { key: path, version: oid, versionIsOfContent: true, url, ...access };
    }
    if (listed < files.length) {
      this.context.warn(`${files.length - listed} files have no format that can be read.`);
    }
    if (links > 0) this.context.warn(`${links} symbolic links are left out.`);
    if (submodules > 0) this.context.warn(`${submodules} submodules are left out.`);
  }

  async load({ key, version }: SourceEntry): Promise<SourceContent> {
    const content = await this.repository.read(version);
    const body = Readable.from([content], { objectMode: false });
    const mimeType = findTypeByName(key);
    return { body, fileName: basename(key), ...(mimeType !== undefined && { mimeType }) };
  }

  private async readSidecar(oid: string | undefined): Promise<SidecarContent> {
    if (oid === undefined) return { problem: 'It is no file.' };
    try {
      return await this.repository.read(oid);
    } catch (error) {
      if (!(error instanceof SourceError) || error.code !== 'too_large') throw error;
      return { problem: error.message };
    }
  }

  private async read() {
    this.commit ??= this.readCommit();
    return this.commit;
  }

  /** Reads the commit. If the kept objects are damaged, as by a full disk, it fetches everything again. */
  private async readCommit() {
    try {
      return await this.readOnce();
    } catch (error) {
      if (!(error instanceof SourceError) || error.code !== 'unreadable') throw error;
      await rm(this.gitdir, { recursive: true, force: true });
      await mkdir(this.gitdir);
      return this.readOnce();
    }
  }

  private async readOnce() {
    const fetched = await this.repository.fetch(this.config.branch);
    const listing = await this.repository.list(fetched.commit, this.config.folder ?? '');
    return { ...fetched, ...listing };
  }
}

/** Hosts accept a token as the password of any user, except for one that requires a certain name. */
function toAuthorization(url: string, { token }: GitCredentials): Record<string, string> {
  if (token === undefined) return {};
  const user = new URL(url).hostname === 'bitbucket.org' ? 'x-token-auth' : 'oauth2';
  return { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` };
}
