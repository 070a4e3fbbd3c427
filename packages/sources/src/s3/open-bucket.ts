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
import { streamBody } from '../throttled-client.js';
import type { Bucket } from './bucket.js';
import type { S3Object } from './listing-page.js';

export class OpenBucket implements OpenSource {
  constructor(
    private readonly bucket: Bucket,
    private readonly context: SourceContext,
  ) {}

  get access(): AccessMap | undefined {
    return this.bucket.config.access;
  }

  async *list(): AsyncIterable<SourceEntry> {
    const tokens = new Set<string>();
    let listed = 0;
    let leftOut = 0;
    let token: string | undefined;
    do {
      const page = await this.bucket.readPage(token);
      for (const object of page.objects) {
        if (++listed > this.context.limits.maxEntries) {
          throw new SourceError('too_many_documents', 'The bucket has too many objects.');
        }
        if (isReadable(object)) yield this.toEntry(object);
        else if (!object.key.endsWith('/')) leftOut++;
      }
      token = page.token;
      if (token !== undefined && tokens.has(token)) {
        throw new SourceError('incomplete_listing', 'The store lists the same page again.');
      }
      if (token !== undefined) tokens.add(token);
    } while (token !== undefined);
    if (leftOut > 0) this.context.warn(`${leftOut} objects have no format that can be read.`);
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
    const access = findAccess(this.bucket.config.access, key);
    const url = this.bucket.toAddress(key);
    const isHash = MD5.test(etag) && { versionIsOfContent: true as const };
    return { key, version: etag, ...isHash, url, size, modifiedAt, ...access };
  }
}

const MAX_KEY_LENGTH = 1000;
/** Matches an ETag that is an MD5 hash; for multipart uploads and in some stores it is not. */
const MD5 = /^[0-9a-f]{32}$/;

/** Whether an object can be requested: in a URL, a key with a part such as `..` would lead elsewhere. */
const isReadable = ({ key, etag }: S3Object) =>
  findTypeByName(key) !== undefined &&
  etag !== '' &&
  key.length <= MAX_KEY_LENGTH &&
  !/(?:^|\/)\.{1,2}(?:\/|$)/.test(key);
