import { setTimeout as sleep } from 'node:timers/promises';
import { type SourceContext, SourceError } from '../source-kind.js';
import { ThrottledClient } from '../throttled-client.js';
import { JsonValue } from './json-value.js';

export interface ConfluenceConfig {
  readonly base_url: string;
  readonly space: string;
}

export interface ConfluenceCredentials {
  readonly email?: string;
  readonly token: string;
}

/** Of a page of a listing. */
const MAX_LISTING_BYTES = 32 * 1024 * 1024;
/** Of a page with its body: Confluence itself takes none of more than some megabytes. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const ATTEMPTS = 3;

/** Whether a site is one of Atlassian's, whose interface differs from that of Data Center. */
export const isCloud = (baseUrl: string): boolean =>
  /\.(?:atlassian\.net|jira-dev\.com)$/.test(new URL(baseUrl).hostname);

/** The requests to one Confluence. */
export class ConfluenceClient {
  /** Without a slash at its end; that of the cloud has `/wiki`. */
  readonly base: string;
  private readonly client: ThrottledClient;

  constructor(
    config: ConfluenceConfig,
    { email, token }: ConfluenceCredentials,
    private readonly context: SourceContext,
  ) {
    const base = config.base_url.replace(/\/$/, '');
    this.base = isCloud(base) && !base.endsWith('/wiki') ? `${base}/wiki` : base;
    const basic = `Basic ${Buffer.from(`${email ?? ''}:${token}`).toString('base64')}`;
    this.client = new ThrottledClient(context, {
      accept: 'application/json',
      authorization: email === undefined ? `Bearer ${token}` : basic,
    });
  }

  /** @param path below the base, or whole, as links to the next page are */
  async get(path: string, maxBytes = MAX_LISTING_BYTES): Promise<JsonValue> {
    const url = this.resolveAddress(path);
    // A listing is of many pages: one that fails once must not waste all others.
    for (let attempt = 1; ; attempt++) {
      try {
        return new JsonValue(await this.client.json(url, maxBytes));
      } catch (error) {
        if (attempt === ATTEMPTS || !isPassing(error)) throw error;
        await sleep(200 * attempt, undefined, { signal: this.context.signal });
      }
    }
  }

  /** The content of an attachment. Storages that it is redirected to are not sent the token. */
  download(path: string): Promise<Response> {
    return this.client.request(this.resolveAddress(path), { headers: { accept: '*/*' } });
  }

  /** @throws SourceError when it leads to another server, which would be sent the token */
  resolveAddress(path: string): string {
    const { origin, pathname } = new URL(this.base);
    const isWhole = /^https?:/.test(path) || path.startsWith(`${pathname}/`);
    const url = URL.parse(isWhole ? path : `${this.base}${path}`, origin);
    if (url?.origin !== origin) {
      throw new SourceError('not_allowed', 'Confluence names an address of another server.');
    }
    return url.href;
  }
}

const isPassing = (error: unknown) =>
  error instanceof SourceError &&
  (error.code === 'unreachable' || error.code === 'incomplete_listing');
