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

/** Limits one page of a listing. */
const MAX_LISTING_BYTES = 32 * 1024 * 1024;
/** Limits a page with its body; Confluence itself accepts only a few megabytes. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const ATTEMPTS = 3;

/** Whether a site is hosted by Atlassian, with another API than Data Center. */
export const isCloud = (baseUrl: string): boolean =>
  /\.(?:atlassian\.net|jira-dev\.com)$/.test(new URL(baseUrl).hostname);

/** Sends the requests to a Confluence site. */
export class ConfluenceClient {
  /** The base URL without a slash at the end; for the cloud it includes `/wiki`. */
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

  /** @param path a path below the base, or a whole URL or path, as in links to the next page */
  async get(path: string, maxBytes = MAX_LISTING_BYTES): Promise<JsonValue> {
    const url = this.resolveAddress(path);
    // A listing has many pages: one that fails once must not waste the others.
    for (let attempt = 1; ; attempt++) {
      try {
        return new JsonValue(await this.client.readJson(url, maxBytes));
      } catch (error) {
        if (attempt === ATTEMPTS || !isPassing(error)) throw error;
        await sleep(200 * attempt, undefined, { signal: this.context.signal });
      }
    }
  }

  /** Downloads an attachment. The token is not sent to storage servers that it redirects to. */
  download(path: string): Promise<Response> {
    return this.client.request(this.resolveAddress(path), { headers: { accept: '*/*' } });
  }

  /** @throws SourceError if the path leads to another server, which would get the token */
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
