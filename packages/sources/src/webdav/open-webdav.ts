import { type AccessMap, findAccess } from '../access-map.js';
import { readDeclaredCharset } from '../declared-charset.js';
import { findTypeByName } from '../readable-file.js';
import {
  type OpenSource,
  type SourceContent,
  type SourceContext,
  type SourceEntry,
  SourceError,
} from '../source-kind.js';
import { getHost, streamBody, toStatusError } from '../throttled-client.js';
import { matchesWildcard } from '../website/wildcard.js';
import { type DavClient, type DavConfig, withSlash } from './dav-client.js';
import { findMember } from './member-paths.js';
import type { DavEntry } from './multistatus.js';

/** Servers follow links, and some lead back to where they are. */
const MAX_LEVELS = 100;
const MAX_FOLDERS = 20_000;
const MAX_KEY = 1000;

interface Folder {
  readonly key: string;
  readonly path: string;
}

interface Found {
  readonly path: string;
  readonly etag: string;
}

/** The files below an address, read folder by folder. */
export class OpenWebDav implements OpenSource {
  readonly parallelLoads = 2;
  private readonly files = new Map<string, Found>();
  private leftOut = 0;
  private misnamed = 0;

  constructor(
    private readonly client: DavClient,
    private readonly config: DavConfig,
    private readonly context: SourceContext,
  ) {}

  get access(): AccessMap | undefined {
    return this.config.access;
  }

  async *list(): AsyncIterable<SourceEntry> {
    const folders: Folder[] = [{ key: '', path: this.client.base.pathname }];
    const seen = new Set(['']);
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      for (const { key, path, entry } of await this.readFolder(folder)) {
        if (!entry.isFolder) {
          const listed = this.toEntry(key, path, entry);
          if (listed) yield listed;
        } else if (!seen.has(key) && !this.isExcluded(`${key}/`)) {
          seen.add(key);
          if (seen.size > MAX_FOLDERS) throw tooMany('folders');
          folders.push({ key, path: withSlash(path) });
        }
      }
    }
    if (this.leftOut > 0) {
      this.context.warn(`${this.leftOut} files have no format that can be read.`);
    }
    if (this.misnamed > 0) {
      this.context.warn(`${this.misnamed} names are left out: too long, or no UTF-8.`);
    }
  }

  async load({ key }: SourceEntry): Promise<SourceContent> {
    const found = this.files.get(key);
    if (!found) throw new SourceError('not_found', 'The file is not listed any more.');
    const response = await this.client.download(found.path);
    if (!response.ok) {
      await response.body?.cancel();
      throw toStatusError(this.client.base.href, response.status);
    }
    const etag = response.headers.get('etag')?.replace(/^W\//, '').replaceAll('"', '') ?? '';
    if (etag !== '' && found.etag !== '' && etag !== found.etag) {
      await response.body?.cancel();
      throw new SourceError('changed_while_reading', 'The file was changed while it was read.');
    }
    const body = streamBody(response, this.context.limits.maxBytes);
    const fileName = key.slice(key.lastIndexOf('/') + 1);
    const mimeType = findTypeByName(key);
    const charset = readDeclaredCharset(response.headers);
    return { body, fileName, ...charset, ...(mimeType !== undefined && { mimeType }) };
  }

  /** @throws SourceError if the listing is not of this folder */
  private async readFolder({ key: above, path: folder }: Folder) {
    const members: { key: string; path: string; entry: DavEntry }[] = [];
    let hasItself = false;
    for (const entry of await this.client.readFolder(folder)) {
      const member = findMember(folder, entry.href);
      if (member === undefined) throw this.incomplete('lists what is not in the folder');
      if (member === 'self') {
        if (!entry.isFolder) throw new SourceError('not_found', 'The address is no folder.');
        hasItself = true;
        continue;
      }
      const { name, path } = member;
      const key = above === '' ? (name ?? '') : `${above}/${name ?? ''}`;
      if (name === undefined || key.length > MAX_KEY) this.misnamed++;
      else if (!name.startsWith('.')) members.push({ key, path, entry });
    }
    if (!hasItself) throw this.incomplete('sent a listing that is not whole');
    if (above.split('/').length >= MAX_LEVELS) throw this.incomplete('has folders without an end');
    return members;
  }

  private toEntry(key: string, path: string, entry: DavEntry): SourceEntry | undefined {
    const { include = [] } = this.config;
    const isChosen = include.length === 0 || include.some((one) => matchesWildcard(one, key));
    if (!isChosen || this.isExcluded(key)) return undefined;
    if (findTypeByName(key) === undefined) {
      this.leftOut++;
      return undefined;
    }
    const isKnown = this.files.has(key);
    if (!isKnown && this.files.size >= this.context.limits.maxEntries) throw tooMany('files');
    const { etag, size, modifiedAt } = entry;
    this.files.set(key, { path, etag });
    return {
      key,
      ...this.toVersion(entry),
      url: this.toAddress(path, entry),
      ...(size !== undefined && { size }),
      ...(modifiedAt && { modifiedAt }),
      ...findAccess(this.config.access, key),
    };
  }

  /** Nextcloud changes the ETag with each content and never repeats it for one number of a file. */
  private toVersion({ etag, size, modifiedAt, fileId }: DavEntry) {
    if (etag !== '' && fileId !== undefined) {
      return { version: `${fileId} ${etag}`, versionIsOfContent: true as const };
    }
    if (etag !== '') return { version: etag };
    if (modifiedAt) return { version: `${modifiedAt.toISOString()} ${size ?? ''}` };
    return { version: '', unavailable: 'The server tells neither an ETag nor a date of the file.' };
  }

  private toAddress(path: string, { fileId }: DavEntry): string {
    const { filePage, base } = this.client;
    if (filePage !== undefined && fileId !== undefined) return `${filePage}${fileId}`;
    return new URL(path, base).href;
  }

  private isExcluded(key: string): boolean {
    return (this.config.exclude ?? []).some((one) => matchesWildcard(one, key));
  }

  private incomplete(what: string): SourceError {
    return new SourceError('incomplete_listing', `${getHost(this.client.base.href)} ${what}.`);
  }
}

const tooMany = (what: string) =>
  new SourceError('too_many_documents', `The server has too many ${what}. Narrow it by exclude.`);
