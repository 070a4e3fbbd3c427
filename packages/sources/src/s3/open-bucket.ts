import { buffer } from 'node:stream/consumers';
import type { AccessMap } from '../access-map.js';
import type { FoundAccess } from '../access-rule.js';
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
import { readBytes, streamBody, toStatusError } from '../throttled-client.js';
import type { Bucket } from './bucket.js';
import type { S3Object } from './listing-page.js';
import { type AccessTags, findTaggedAccess, readTagSet } from './tag-set.js';

/** A whole listing: the documents, the sidecars by their keys, and what is left out. */
interface Listing {
  readonly objects: ReadonlyMap<string, S3Object>;
  readonly sidecars: ReadonlyMap<string, S3Object>;
  readonly pages: number;
  readonly leftOut: number;
}

export class OpenBucket implements OpenSource {
  private read:
    Promise<{ entries: SourceEntry[]; leftOut: number; report: SidecarReport }> | undefined;

  constructor(
    private readonly bucket: Bucket,
    private readonly context: SourceContext,
  ) {}

  get access(): AccessMap | undefined {
    return this.bucket.config.access;
  }

  async readSidecars(): Promise<SidecarReport> {
    this.read ??= this.readAll();
    return (await this.read).report;
  }

  async *list(): AsyncIterable<SourceEntry> {
    this.read ??= this.readAll();
    const { entries, leftOut } = await this.read;
    yield* entries;
    if (leftOut > 0) this.context.warn(`${leftOut} objects have no format that can be read.`);
  }

  /**
   * Lists the bucket and reads the rules of its objects. An object that is changed meanwhile is read by nobody
   * until the next run, since the rule may be that of its new content.
   */
  private async readAll() {
    const listing = await this.readListing();
    const sidecars = await this.loadSidecars(listing);
    const tagged = await this.readAllTags(listing);
    const { report } = sidecars;
    // Pages are listed one after the other, so even the sidecars of a longer listing may be of different times.
    const isAtOnce = listing.pages === 1 && tagged === undefined && report.sidecars.length === 0;
    const after = isAtOnce ? listing : await this.readListing();
    const keys = new Set([...listing.sidecars.keys(), ...after.sidecars.keys()]);
    const changed = [...keys]
      .filter((key) => listing.sidecars.get(key)?.etag !== after.sidecars.get(key)?.etag)
      .map(getFolder);
    const isUnder = (key: string) =>
      changed.some((folder) => folder === '' || key.startsWith(`${folder}/`));
    let unsure = 0;
    const entries = Array.from(listing.objects.values(), (object): SourceEntry => {
      const { key, etag } = object;
      const isRuled = tagged !== undefined || sidecars.governs(key);
      if (isUnder(key) || (isRuled && after.objects.get(key)?.etag !== etag)) {
        unsure++;
        return { ...this.toEntry(object), access: 'unreadable' };
      }
      return { ...this.toEntry(object), ...sidecars.findAccess(key, tagged?.get(key)) };
    });
    if (unsure > 0) {
      this.context.warn(
        `${unsure} objects, or rules for them, were changed while they were listed.`,
      );
    }
    return { entries, leftOut: listing.leftOut, report };
  }

  private async readListing(): Promise<Listing> {
    const objects = new Map<string, S3Object>();
    const sidecars = new Map<string, S3Object>();
    const tokens = new Set<string>();
    let listed = 0;
    let leftOut = 0;
    let token: string | undefined;
    let pages = 0;
    do {
      const page = await this.bucket.readPage(token);
      pages++;
      for (const object of page.objects) {
        if (isSidecarName(object.key.slice(object.key.lastIndexOf('/') + 1))) {
          sidecars.set(object.key, object);
          continue;
        }
        if (++listed > this.context.limits.maxEntries) {
          throw new SourceError('too_many_documents', 'The bucket has too many objects.');
        }
        if (isReadable(object)) objects.set(object.key, object);
        else if (!object.key.endsWith('/')) leftOut++;
      }
      this.context.found?.(objects.size);
      token = page.token;
      if (token !== undefined && tokens.has(token)) {
        throw new SourceError('incomplete_listing', 'The store lists the same page again.');
      }
      if (token !== undefined) tokens.add(token);
    } while (token !== undefined);
    return { objects, sidecars, pages, leftOut };
  }

  private async loadSidecars({ objects, sidecars }: Listing): Promise<Sidecars> {
    const read = new Sidecars(this.bucket.config.access);
    if (sidecars.size === 0) return read;
    const names = Map.groupBy(objects.keys(), getFolder);
    for (const object of sidecars.values()) {
      const inFolder = names.get(getFolder(object.key)) ?? [];
      const files = inFolder.map((key) => key.slice(key.lastIndexOf('/') + 1));
      read.add(object.key, await this.loadSidecar(object), files);
    }
    return read;
  }

  private async loadSidecar({ key, etag, size }: S3Object): Promise<SidecarContent> {
    if (size > MAX_SIDECAR_BYTES) return new Uint8Array(MAX_SIDECAR_BYTES + 1);
    try {
      const { body } = await this.load({ key, version: etag, url: '' });
      return await buffer(body);
    } catch (error) {
      // Without the store, nothing is known, and the run changes nothing.
      const isKnown = error instanceof SourceError && !PASSING.has(error.code);
      if (!isKnown) throw error;
      return { problem: error.message };
    }
  }

  /** Reads the tags of all objects, as each run must: a change of tags changes no ETag. */
  private async readAllTags({ objects }: Listing) {
    const names = this.bucket.config.access_tags;
    if (!names) return undefined;
    const found = new Map<string, FoundAccess>();
    const keys = objects.keys();
    const readNext = async () => {
      for (const key of keys) found.set(key, await this.readTags(key, names));
    };
    await Promise.all(Array.from({ length: PARALLEL_TAGS }, readNext));
    return found;
  }

  private async readTags(key: string, names: AccessTags): Promise<FoundAccess> {
    const response = await this.bucket.requestTags(key);
    const { status } = response;
    const text = (await readBytes(response, MAX_TAGS_BYTES)).toString();
    if (status === 404 && text.includes('<Code>NoSuchTagSet')) {
      return findTaggedAccess(new Map(), names);
    }
    if (status >= 500 && status !== 501) throw toStatusError(this.bucket.toAddress(key), status);
    if (!response.ok) return 'unreadable';
    try {
      return findTaggedAccess(readTagSet(text), names);
    } catch {
      return 'unreadable';
    }
  }

  async load({ key, version }: SourceEntry): Promise<SourceContent> {
    const response = await this.bucket.requestObject('GET', key, { 'if-match': `"${version}"` });
    const etag = response.headers.get('etag')?.replaceAll('"', '');
    if (response.status === 412 || (response.ok && etag !== undefined && etag !== version)) {
      await response.body?.cancel();
      throw new SourceError('changed_while_reading', 'The object was changed while it was read.');
    }
    if (!response.ok) throw await this.bucket.readFailure(response);
    const body = streamBody(response, this.context.limits.maxBytes);
    const mimeType = findTypeByName(key);
    const fileName = key.slice(key.lastIndexOf('/') + 1);
    const charset = readDeclaredCharset(response.headers);
    return { body, fileName, ...charset, ...(mimeType !== undefined && { mimeType }) };
  }

  /** Checks an object itself, since replicating stores may temporarily omit it from listings. */
  async isGone(key: string): Promise<boolean> {
    const response = await this.bucket.requestObject('HEAD', key);
    await response.body?.cancel();
    return response.status === 404;
  }

  private toEntry({ key, etag, size, modifiedAt }: S3Object): SourceEntry {
    const url = this.bucket.toAddress(key);
    const isHash = MD5.test(etag) && { versionIsOfContent: true as const };
    return { key, version: etag, ...isHash, url, size, modifiedAt };
  }
}

const MAX_TAGS_BYTES = 64 * 1024;
/** Tags that are asked for at once. */
const PARALLEL_TAGS = 8;
/** Failures of the store, rather than of one object. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'throttled']);
const MAX_KEY_LENGTH = 1000;
/** Matches an ETag that is an MD5 hash; for multipart uploads and in some stores it is not. */
const MD5 = /^[0-9a-f]{32}$/;

/** Whether an object can be requested: in a URL, a key with a part such as `..` would lead elsewhere. */
const isReadable = ({ key, etag }: S3Object) =>
  findTypeByName(key) !== undefined &&
  etag !== '' &&
  key.length <= MAX_KEY_LENGTH &&
  !/(?:^|\/)\.{1,2}(?:\/|$)/.test(key);
