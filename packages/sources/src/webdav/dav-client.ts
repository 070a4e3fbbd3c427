import type { AccessMap } from '../access-map.js';
import { type SourceContext, SourceError } from '../source-kind.js';
import { getHost, readBounded, ThrottledClient, toStatusError } from '../throttled-client.js';
import { type DavEntry, MultistatusReader, TooManyEntries } from './multistatus.js';

export interface DavConfig {
  readonly url: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Rules by the path below the address. */
  readonly access?: AccessMap;
}

export type DavCredentials =
  { readonly username?: string; readonly password?: string } | { readonly token: string };

/** One folder's listing; 10,000 files take some 7 MB. */
const MAX_LISTING_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 100_000;
/** A server that sends a listing in drops does not keep a run busy for hours. */
const MAX_LISTING_MS = 300_000;
const BODY =
  '<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:resourcetype/><d:getetag/><d:getlastmodified/><d:getcontentlength/><oc:fileid/></d:prop></d:propfind>';
/** A link that Nextcloud makes for a share. */
const SHARE = /^(.*?)(?:\/index\.php)?\/s\/([A-Za-z0-9]{15})\/?$/;

/** Sends the requests to a WebDAV server; never to another one, whatever its answers name. */
export class DavClient {
  /** The folder of the source, with a slash at the end. */
  readonly base: URL;
  /** How Nextcloud's page of a file begins. */
  readonly filePage: string | undefined;
  private readonly client: ThrottledClient;

  constructor(
    { url }: DavConfig,
    credentials: DavCredentials,
    private readonly context: SourceContext,
  ) {
    const { origin, pathname } = new URL(url);
    const [, above = '', share] = SHARE.exec(pathname) ?? [];
    this.base = new URL(
      share === undefined
        ? `${origin}${withSlash(pathname)}`
        : `${origin}${above}/public.php/dav/files/${share}/`,
    );
    const nextcloud = /^(.*?)\/remote\.php\//.exec(pathname)?.[1];
    // This form works with and without rewritten addresses.
    if (nextcloud !== undefined) this.filePage = `${origin}${nextcloud}/index.php/f/`;
    this.client = new ThrottledClient(context, {
      ...toAuthorization(credentials),
      ...(share !== undefined && { 'x-requested-with': 'XMLHttpRequest' }),
    });
  }

  /**
   * Lists one folder, itself included: servers refuse to list whole trees.
   *
   * @param path as it stands in the address
   * @throws SourceError also when the answer is not whole
   */
  async readFolder(path: string): Promise<readonly DavEntry[]> {
    const url = this.toAddress(path);
    const signal = AbortSignal.any([this.context.signal, AbortSignal.timeout(MAX_LISTING_MS)]);
    const response = await this.client.request(url, {
      method: 'PROPFIND',
      headers: { depth: '1', 'content-type': 'application/xml; charset=utf-8' },
      body: BODY,
      redirect: 'manual',
      signal,
    });
    if (response.status !== 207) {
      await response.body?.cancel();
      throw toListingError(url, response.status);
    }
    const reader = new MultistatusReader(MAX_ENTRIES);
    const decoder = new TextDecoder();
    try {
      for await (const part of readBounded(response, MAX_LISTING_BYTES)) {
        reader.write(decoder.decode(part, { stream: true }));
      }
      reader.end();
    } catch (error) {
      if (error instanceof TooManyEntries) {
        throw new SourceError('too_many_documents', 'A folder has too many files.');
      }
      if (error instanceof SourceError || this.context.signal.aborted) throw error;
      const message = `${getHost(url)} sent a listing that is not whole.`;
      throw new SourceError('incomplete_listing', message, { cause: error });
    }
    return reader.entries;
  }

  download(path: string): Promise<Response> {
    // A compressed answer may have another ETag than the listing.
    const headers = { 'accept-encoding': 'identity' };
    return this.client.request(this.toAddress(path), { headers });
  }

  /** Only the path of the address is replaced: one that begins with two slashes would name another host. */
  toAddress(path: string): string {
    const address = new URL(this.base);
    address.pathname = path;
    return address.href;
  }
}

export const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

function toListingError(url: string, status: number): SourceError {
  const host = getHost(url);
  if (status >= 300 && status < 400) {
    const message = `${host} redirects to another address: give that one.`;
    return new SourceError('not_allowed', message);
  }
  if (status < 300 || status === 405 || status === 501) {
    const message = `${host} has no WebDAV at this address.`;
    return new SourceError('not_found', message);
  }
  return toStatusError(url, status);
}

function toAuthorization(credentials: DavCredentials): Record<string, string> {
  if ('token' in credentials) return { authorization: `Bearer ${credentials.token}` };
  const { username, password = '' } = credentials;
  if (username === undefined) return {};
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return { authorization: `Basic ${basic}` };
}
