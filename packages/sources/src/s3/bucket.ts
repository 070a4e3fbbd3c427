import type { AccessMap } from '../access-map.js';
import { type SourceContext, SourceError } from '../source-kind.js';
import { getHost, readBytes, toStatusError, ThrottledClient } from '../throttled-client.js';
import { type ListingPage, readListingPage } from './listing-page.js';
import type { AccessTags } from './tag-set.js';
import { encode, type S3Credentials, signRequest } from './sign-request.js';

export interface S3Config {
  readonly endpoint: string;
  readonly region?: string;
  readonly bucket: string;
  readonly prefix?: string;
  /** Rules by the key. */
  readonly access?: AccessMap;
  /** Tags of objects with rules. */
  readonly access_tags?: AccessTags;
}

/** Enough for a page of 1,000 keys of 1,024 bytes, escaped. */
const MAX_LISTING_BYTES = 8 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const PAGE_SIZE = 1000;

/** Matches the error codes for wrong credentials or a wrong region. */
const UNAUTHORIZED =
  /<Code>(?:AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|AuthorizationHeaderMalformed)</;

/** Sends the requests to a bucket, which is named in the path: every store supports that. */
export class Bucket {
  private readonly client: ThrottledClient;
  private readonly base: string;

  constructor(
    readonly config: S3Config,
    private readonly credentials: S3Credentials,
    context: SourceContext,
  ) {
    this.client = new ThrottledClient(context);
    this.base = `${config.endpoint.replace(/\/$/, '')}/${config.bucket}`;
  }

  async readPage(token: string | undefined, size = PAGE_SIZE): Promise<ListingPage> {
    const { prefix } = this.config;
    const parameters = {
      ...(token !== undefined && { 'continuation-token': token }),
      'encoding-type': 'url',
      'list-type': '2',
      'max-keys': String(size),
      ...(prefix !== undefined && { prefix }),
    };
    const query = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`);
    const response = await this.send('GET', `${this.base}?${query.join('&')}`);
    if (!response.ok) throw await this.readFailure(response);
    return readListingPage((await readBytes(response, MAX_LISTING_BYTES)).toString());
  }

  requestObject(method: 'GET' | 'HEAD', key: string, headers: Record<string, string> = {}) {
    const path = key.split('/').map(encode).join('/');
    return this.send(method, `${this.base}/${path}`, headers);
  }

  requestTags(key: string): Promise<Response> {
    const path = key.split('/').map(encode).join('/');
    return this.send('GET', `${this.base}/${path}?tagging=`);
  }

  /** An address to show to people, since stores have no page for an object. */
  toAddress(key: string): string {
    return `s3://${this.config.bucket}/${key.split('/').map(encode).join('/')}`;
  }

  /** Explains a failed answer by its code only, since its text may repeat the signed request. */
  async readFailure(response: Response): Promise<SourceError> {
    const { status } = response;
    const text = (await readBytes(response, MAX_ERROR_BYTES)).toString();
    const host = getHost(this.base);
    if (text.includes('<Code>RequestTimeTooSkewed<')) {
      return new SourceError('unauthorized', `The clocks of ${host} and of the service differ.`);
    }
    if (UNAUTHORIZED.test(text) || status === 401 || status === 403) {
      const message = `${host} refuses the credentials, or the region is wrong.`;
      return new SourceError('unauthorized', message);
    }
    if (text.includes('<Code>NoSuchBucket<')) {
      return new SourceError('not_found', `${host} has no such bucket.`);
    }
    if (status >= 300 && status < 400) {
      return new SourceError('not_found', 'The bucket has another endpoint or region.');
    }
    return toStatusError(this.base, status);
  }

  private send(method: 'GET' | 'HEAD', url: string, headers: Record<string, string> = {}) {
    const { region = 'us-east-1' } = this.config;
    const signed = signRequest(method, url, this.credentials, region);
    const init: RequestInit = { method, headers: { ...headers, ...signed }, redirect: 'manual' };
    return this.client.request(url, init);
  }
}
