import { ConfigFields } from '../config-fields.js';
import { matchesWildcard } from './wildcard.js';

export interface WebsiteConfig {
  readonly start_urls: readonly string[];
  readonly sitemap_url?: string;
  readonly max_depth?: number;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Longer addresses come from crawler traps. */
const MAX_URL_LENGTH = 1000;
const DEFAULT_DEPTH = 3;
const MAX_DEPTH = 20;
/** How often a part of a path may be repeated, as in `/a/b/a/b/a/b`, which relative links of traps produce. */
const MAX_REPETITIONS = 3;

export function parseWebsite(value: unknown, credentials: unknown): WebsiteConfig {
  const fields = new ConfigFields('config', value);
  const starts = fields.texts('start_urls');
  const sitemap = fields.optionalText('sitemap_url');
  const depth = fields.optionalInteger('max_depth', 0, MAX_DEPTH);
  const include = fields.texts('include');
  const exclude = fields.texts('exclude');
  if (starts.length === 0 && sitemap === undefined) {
    fields.refuse('start_urls', 'must have an address, unless there is a sitemap_url');
  }
  if (!starts.every(isAddress)) fields.refuse('start_urls', 'must be http or https addresses');
  if (sitemap !== undefined && !isAddress(sitemap)) {
    fields.refuse('sitemap_url', 'must be an http or https address');
  }
  fields.finish();
  new ConfigFields('credentials', credentials).finish();
  return {
    start_urls: starts,
    ...(sitemap !== undefined && { sitemap_url: sitemap }),
    ...(depth !== undefined && { max_depth: depth }),
    ...(include.length > 0 && { include }),
    ...(exclude.length > 0 && { exclude }),
  };
}

function isAddress(text: string): boolean {
  return normalizeAddress(text) !== undefined;
}

/** Normalises an address and removes its fragment; undefined if it cannot be a page or is too long. */
export function normalizeAddress(link: string, base?: string): string | undefined {
  // The length is checked before parsing, which is slow for very long hosts.
  if (link.length > MAX_URL_LENGTH) return undefined;
  const url = URL.parse(link, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href.length > MAX_URL_LENGTH ? undefined : url.href;
}

/** Which addresses belong to a website. */
export class WebsiteScope {
  readonly maxDepth: number;
  private readonly origins: Set<string>;

  constructor(private readonly config: WebsiteConfig) {
    this.maxDepth = config.max_depth ?? DEFAULT_DEPTH;
    const { start_urls: starts, sitemap_url: sitemap } = config;
    this.origins = new Set([...starts, ...(sitemap === undefined ? [] : [sitemap])].map(getOrigin));
  }

  /** Adds the target of a start page's redirect to the website, such as `www.`. */
  addOrigin(address: string): void {
    this.origins.add(getOrigin(address));
  }

  has(address: string): boolean {
    if (!this.origins.has(getOrigin(address))) return false;
    const { include = [], exclude = [] } = this.config;
    if (exclude.some((pattern) => matchesAddress(pattern, address))) return false;
    if (include.length > 0 && !include.some((pattern) => matchesAddress(pattern, address))) {
      return false;
    }
    return !isRepeating(address);
  }
}

const getOrigin = (address: string) => new URL(address).origin;

/** Matches a pattern with `://` against the whole address, any other against the path and query. */
function matchesAddress(pattern: string, address: string): boolean {
  if (pattern.includes('://')) return matchesWildcard(pattern, address);
  const { pathname, search } = new URL(address);
  return matchesWildcard(pattern, pathname + search);
}

function isRepeating(address: string): boolean {
  const counts = new Map<string, number>();
  for (const part of new URL(address).pathname.split('/')) {
    if (part === '') continue;
    const count = (counts.get(part) ?? 0) + 1;
    if (count > MAX_REPETITIONS) return true;
    counts.set(part, count);
  }
  return false;
}
