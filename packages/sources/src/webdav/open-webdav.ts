import { buffer } from 'node:stream/consumers';
import type { AccessMap } from '../access-map.js';
import { readDeclaredCharset } from '../declared-charset.js';
import { findTypeByName } from '../readable-file.js';
import { isSidecarName, MAX_SIDECAR_BYTES } from '../sidecars/sidecar.js';
import { getFolder, type SidecarContent, Sidecars } from '../sidecars/sidecars.js';
import {
  type OpenSource,
  type SidecarReport,
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
/** Failures of the server, rather than of one file. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'throttled']);

interface Folder {
  readonly key: string;
  readonly path: string;
}

interface Member extends Folder {
  readonly entry: DavEntry;
}

interface FoundSidecar extends Member {
  /** The names of all files in its folder. */
  readonly names: readonly string[];
}

/** A whole listing, and what of it is left out. */
interface Listing {
  readonly files: ReadonlyMap<string, Member>;
  readonly sidecars: ReadonlyMap<string, FoundSidecar>;
  readonly folders: number;
  readonly leftOut: number;
  readonly misnamed: number;
}

/** The files below an address, read folder by folder. */
export class OpenWebDav implements OpenSource {
  readonly parallelLoads = 2;
  private read: ReturnType<OpenWebDav['readAll']> | undefined;
  private files: ReadonlyMap<string, Member> = new Map();

  constructor(
    private readonly client: DavClient,
    private readonly config: DavConfig,
    private readonly context: SourceContext,
  ) {}

  get access(): AccessMap | undefined {
    return this.config.access;
  }

  async readSidecars(): Promise<SidecarReport> {
    this.read ??= this.readAll();
    return (await this.read).report;
  }

  async *list(): AsyncIterable<SourceEntry> {
    this.read ??= this.readAll();
    const { entries, leftOut, misnamed } = await this.read;
    yield* entries;
    if (leftOut > 0) this.context.warn(`${leftOut} files have no format that can be read.`);
    if (misnamed > 0) {
      this.context.warn(`${misnamed} names are left out: too long, or no UTF-8.`);
    }
  }

  async load({ key }: SourceEntry): Promise<SourceContent> {
    const found = this.files.get(key);
    if (!found) throw new SourceError('not_found', 'The file is not listed any more.');
    const response = await this.download(found);
    const body = streamBody(response, this.context.limits.maxBytes);
    const fileName = key.slice(key.lastIndexOf('/') + 1);
    const mimeType = findTypeByName(key);
    const charset = readDeclaredCharset(response.headers);
    return { body, fileName, ...charset, ...(mimeType !== undefined && { mimeType }) };
  }

  /**
   * Lists the folders and reads the rules of their files. Folders are listed one after the other, so several are
   * listed twice: what was changed in between is read by nobody until the next run, since the rule may be that
   * of its new content.
   */
  private async readAll() {
    const listing = await this.readListing();
    this.files = listing.files;
    const sidecars = await this.loadSidecars(listing);
    const { report } = sidecars;
    const isAtOnce = listing.folders === 1 && listing.sidecars.size === 0;
    const after = isAtOnce ? listing : await this.readListing();
    const isSame = (one: Member | undefined, other: Member | undefined) =>
      one !== undefined && other !== undefined && getVersion(one) === getVersion(other);
    const keys = new Set([...listing.sidecars.keys(), ...after.sidecars.keys()]);
    const changed = [...keys]
      .filter((key) => !isSame(listing.sidecars.get(key), after.sidecars.get(key)))
      .map(getFolder);
    const isUnder = (key: string) =>
      changed.some((folder) => folder === '' || key.startsWith(`${folder}/`));
    let unsure = 0;
    const entries = Array.from(listing.files.values(), (file): SourceEntry => {
      const { key } = file;
      const isChanged = sidecars.governs(key) && !isSame(file, after.files.get(key));
      if (isUnder(key) || isChanged) {
        unsure++;
        return { ...this.toEntry(file), access: 'unreadable' };
      }
      return { ...this.toEntry(file), ...sidecars.findAccess(key) };
    });
    if (unsure > 0) {
      this.context.warn(`${unsure} files, or rules for them, were changed while they were listed.`);
    }
    return { entries, report, leftOut: listing.leftOut, misnamed: listing.misnamed };
  }

  private async readListing(): Promise<Listing> {
    const files = new Map<string, Member>();
    const sidecars = new Map<string, FoundSidecar>();
    let [leftOut, misnamed] = [0, 0];
    const folders: Folder[] = [{ key: '', path: this.client.base.pathname }];
    const seen = new Set(['']);
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      const listed = await this.readFolder(folder);
      misnamed += listed.misnamed;
      const names = listed.members.filter(({ entry }) => !entry.isFolder).map(getName);
      for (const member of listed.members) {
        const { key, path, entry } = member;
        const name = getName(member);
        if (isSidecarName(name)) sidecars.set(key, { ...member, names });
        else if (name.startsWith('.')) continue;
        else if (key.length > MAX_KEY) misnamed++;
        else if (entry.isFolder) {
          if (seen.has(key) || this.isExcluded(`${key}/`)) continue;
          seen.add(key);
          if (seen.size > MAX_FOLDERS) throw tooMany('folders');
          folders.push({ key, path: withSlash(path) });
        } else if (!this.isChosen(key)) continue;
        else if (findTypeByName(key) === undefined) leftOut++;
        else {
          files.set(key, member);
          if (files.size > this.context.limits.maxEntries) throw tooMany('files');
        }
      }
      this.context.found?.(files.size);
    }
    return { files, sidecars, folders: seen.size, leftOut, misnamed };
  }

  /** @throws SourceError if the listing is not of this folder */
  private async readFolder({ key: above, path: folder }: Folder) {
    const members: Member[] = [];
    let misnamed = 0;
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
      if (name === undefined) misnamed++;
      else members.push({ key: above === '' ? name : `${above}/${name}`, path, entry });
    }
    if (!hasItself) throw this.incomplete('sent a listing that is not whole');
    if (above.split('/').length >= MAX_LEVELS) throw this.incomplete('has folders without an end');
    return { members, misnamed };
  }

  private async loadSidecars({ sidecars }: Listing): Promise<Sidecars> {
    const read = new Sidecars(this.config.access);
    for (const sidecar of sidecars.values()) {
      read.add(sidecar.key, await this.loadSidecar(sidecar), sidecar.names);
    }
    return read;
  }

  private async loadSidecar(sidecar: FoundSidecar): Promise<SidecarContent> {
    if (sidecar.entry.isFolder) return { problem: 'It is a folder.' };
    try {
      return await buffer(streamBody(await this.download(sidecar), MAX_SIDECAR_BYTES + 1));
    } catch (error) {
      // Without the server, nothing is known, and the run changes nothing.
      const isKnown = error instanceof SourceError && !PASSING.has(error.code);
      if (!isKnown) throw error;
      return { problem: error.message };
    }
  }

  /** @throws SourceError also when the file was changed since it was listed */
  private async download({ path, entry }: Member): Promise<Response> {
    const response = await this.client.download(path);
    if (!response.ok) {
      await response.body?.cancel();
      throw toStatusError(this.client.base.href, response.status);
    }
    const etag = response.headers.get('etag')?.replace(/^W\//, '').replaceAll('"', '') ?? '';
    if (etag !== '' && entry.etag !== '' && etag !== entry.etag) {
      await response.body?.cancel();
      throw new SourceError('changed_while_reading', 'The file was changed while it was read.');
    }
    return response;
  }

  private toEntry(file: Member): SourceEntry {
    const { key, path, entry } = file;
    const { size, modifiedAt } = entry;
    return {
      key,
      ...toVersion(entry),
      url: this.toAddress(path, entry),
      ...(size !== undefined && { size }),
      ...(modifiedAt && { modifiedAt }),
    };
  }

  private toAddress(path: string, { fileId }: DavEntry): string {
    const { filePage } = this.client;
    if (filePage !== undefined && fileId !== undefined) return `${filePage}${fileId}`;
    return this.client.toAddress(path);
  }

  private isChosen(key: string): boolean {
    const { include = [] } = this.config;
    const isIncluded = include.length === 0 || include.some((one) => matchesWildcard(one, key));
    return isIncluded && !this.isExcluded(key);
  }

  private isExcluded(key: string): boolean {
    return (this.config.exclude ?? []).some((one) => matchesWildcard(one, key));
  }

  private incomplete(what: string): SourceError {
    return new SourceError('incomplete_listing', `${getHost(this.client.base.href)} ${what}.`);
  }
}

/** Nextcloud changes the ETag with each content and never repeats it for one number of a file. */
function toVersion({ etag, size, modifiedAt, fileId }: DavEntry) {
  if (etag !== '' && fileId !== undefined) {
    return { version: `${fileId} ${etag}`, versionIsOfContent: true as const };
  }
  if (etag !== '') return { version: etag };
  if (modifiedAt) return { version: `${modifiedAt.toISOString()} ${size ?? ''}` };
  return { version: '', unavailable: 'The server tells neither an ETag nor a date of the file.' };
}

const getVersion = ({ entry }: Member) => toVersion(entry).version;

const getName = ({ key }: Member) => key.slice(key.lastIndexOf('/') + 1);

const tooMany = (what: string) =>
  new SourceError('too_many_documents', `The server has too many ${what}. Narrow it by exclude.`);
