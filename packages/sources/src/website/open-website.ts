import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { streamBody, getHost, ThrottledClient, toStatusError } from '../throttled-client.js';
import {
  type OpenSource,
  type SourceContent,
  type SourceContext,
  type SourceEntry,
  SourceError,
} from '../source-kind.js';
import { normalizeAddress, type WebsiteConfig, WebsiteScope } from './config.js';
import { readDeclaredCharset } from '../declared-charset.js';
import { toFileName, isOtherFile, openIfThere } from './files.js';
import { type KnownPage, PageCache } from './page-cache.js';
import { findReadableType, readAnswer } from './read-answer.js';
import { MAX_LINKS } from './read-page.js';
import { Redirects, type Visit } from './redirects.js';
import { Robots } from './robots.js';
import { readSitemap } from './sitemap.js';

interface Found {
  readonly address: string;
  readonly entry: SourceEntry;
  readonly charset?: string;
}

/** If this many pages fail in a row, the site is down. */
const MAX_FAILURES = 20;
/** Limits the pages that are kept until they are loaded; others are requested again. */
const MAX_KEPT_BYTES = 1024 * 1024 * 1024;

/**
 * A crawl of a website. It requests one page after the other, over one connection. Every answer is kept in
 * the run's folder until `load` takes it, since a page must be read for its links anyway.
 */
export class OpenWebsite implements OpenSource {
  private readonly client: ThrottledClient;
  private readonly robots: Robots;
  private readonly scope: WebsiteScope;
  private readonly visits: Visit[] = [];
  private readonly seen = new Set<string>();
  private readonly found = new Map<string, Found>();
  private readonly redirects = new Redirects();
  private readonly maxVisits: number;
  /** Whether a page with unknown links failed. */
  private isIncomplete = false;
  private failuresInARow = 0;
  /** The number of pages that redirect to another website. */
  private leftOut = 0;
  /** The number of pages with more links than are followed. */
  private cutPages = 0;
  private keptBytes = 0;
  private hasRead = false;
  private startFailure: SourceError | undefined;

  private constructor(
    private readonly config: WebsiteConfig,
    private readonly context: SourceContext,
    private readonly cache: PageCache,
  ) {
    this.client = new ThrottledClient(context);
    this.robots = new Robots(context, this.client);
    this.scope = new WebsiteScope(config);
    // Redirects and pages that are not documents are visited too.
    this.maxVisits = 2 * context.limits.maxEntries + 100;
  }

  static async open(config: WebsiteConfig, context: SourceContext): Promise<OpenWebsite> {
    return new OpenWebsite(config, context, await PageCache.open(context.workFolder));
  }

  async *list(): AsyncIterable<SourceEntry> {
    for (const start of this.config.start_urls) {
      const address = normalizeAddress(start);
      if (address !== undefined) this.enqueue({ address, depth: 0, isStart: true, redirects: 0 });
    }
    await this.visitAll();
    const { sitemap_url: sitemap } = this.config;
    const maxEntries = this.context.limits.maxEntries;
    if (sitemap !== undefined) {
      // The sitemap comes last, so that pages linked from a start page keep their lower depth.
      for await (const address of readSitemap(sitemap, this.client, maxEntries)) {
        this.enqueueLink(address, this.scope.maxDepth);
      }
    }
    // If a known page now redirects to a failure, its former links are followed.
    do {
      await this.visitAll();
      for (const [visit, error] of this.redirects.listFailed()) {
        if (this.mayBeDocument(visit)) this.addUnavailable(visit, error);
      }
    } while (this.visits.length > 0);
    if (!this.hasRead && this.startFailure) throw this.startFailure;
    if (this.leftOut > 0) {
      this.context.warn(`${this.leftOut} pages that redirect to elsewhere are left out.`);
    }
    if (this.cutPages > 0) {
      this.context.warn(
        `${this.cutPages} pages have more than ${MAX_LINKS} links; the others are not followed, and nothing is deleted.`,
      );
    }
    await this.cache.save();
    for (const { entry } of this.found.values()) yield entry;
  }

  async load({ key, title }: SourceEntry): Promise<SourceContent> {
    const found = this.found.get(key);
    const address = found?.address ?? key;
    const type = found?.entry.mimeType ?? '';
    const named = title !== undefined && { title };
    const described = { mimeType: type, fileName: toFileName(address, type), ...named };
    const kept = await openIfThere(this.bodyPath(address));
    if (kept) {
      const charset = found?.charset;
      return { body: kept, ...described, ...(charset !== undefined && { charset }) };
    }
    await this.robots.pause(address);
    const response = await this.client.request(address);
    if (response.ok) {
      const body = streamBody(response, this.context.limits.maxBytes);
      return { body, ...readDeclaredCharset(response.headers), ...described };
    }
    await response.body?.cancel();
    throw toStatusError(address, response.status);
  }

  /**
   * A page without any link to it is gone. If some links were not followed, the server is asked whether the
   * page still exists.
   */
  async isGone(key: string): Promise<boolean> {
    if (this.cutPages > 0) return false;
    if (!this.isIncomplete) return true;
    await this.robots.pause(key);
    const response = await this.client.request(key, { method: 'HEAD', redirect: 'manual' });
    return response.status === 404 || response.status === 410;
  }

  private async visitAll(): Promise<void> {
    for (let visit = this.visits.shift(); visit; visit = this.visits.shift()) {
      try {
        await this.visit(visit);
        this.failuresInARow = 0;
      } catch (error) {
        if (!(error instanceof SourceError) || error.code === 'too_many_documents') throw error;
        if (++this.failuresInARow >= MAX_FAILURES) throw error;
        this.redirects.fail(visit.address, error);
        if (this.mayBeDocument(visit)) this.addUnavailable(visit, error);
      }
    }
  }

  /** @throws SourceError if the state of the page cannot be determined */
  private async visit(visit: Visit): Promise<void> {
    const { address } = visit;
    if (!(await this.robots.allows(address))) {
      if (visit.isStart)
        this.failStart('not_allowed', `The robots.txt of ${getHost(address)} forbids it.`);
      return;
    }
    await this.robots.pause(address);
    const known = this.cache.get(address);
    const response = await this.client.request(address, {
      redirect: 'manual',
      headers: toConditions(known),
    });
    const { status } = response;
    if (response.ok) return this.read(visit, response);
    await response.body?.cancel();
    if (status === 304 && known) this.add(visit, known);
    else if (status >= 300 && status < 400) this.redirect(visit, response);
    else if (status === 404 || status === 410) {
      if (visit.isStart) this.failStart('not_found', `A start page answers ${status}.`);
    } else throw toStatusError(address, status);
  }

  private async read(visit: Visit, response: Response): Promise<void> {
    const { address } = visit;
    const type = findReadableType(address, response);
    if (type === undefined) {
      await response.body?.cancel();
      return;
    }
    const { maxBytes } = this.context.limits;
    if (Number(response.headers.get('content-length')) > maxBytes) {
      await response.body?.cancel();
      throw new SourceError('too_large', `It is larger than ${maxBytes} bytes.`);
    }
    const path = this.bodyPath(address);
    this.add(visit, await readAnswer(address, response, { type, path, maxBytes }));
    const { size } = await stat(path);
    if (this.keptBytes + size > MAX_KEPT_BYTES) await rm(path);
    else this.keptBytes += size;
  }

  private add(visit: Visit, page: KnownPage): void {
    const { address } = visit;
    this.hasRead = true;
    this.cache.set(address, page);
    this.follow(visit, page);
    if (!page.isDocument) return;
    // Several addresses of a page are one document, identified by its canonical address.
    const { key, version, title, type, charset, lastModified = '' } = page;
    const former = this.found.get(key);
    if (former && (former.address === key || address !== key)) return;
    if (this.found.size >= this.context.limits.maxEntries && !former) throw tooMany();
    const named = title !== '' && { title };
    const isHash = { versionIsOfContent: true } as const;
    const modifiedAt = new Date(lastModified);
    const dated = !Number.isNaN(modifiedAt.getTime()) && { modifiedAt };
    const entry = { key, version, ...isHash, url: key, ...named, ...dated, mimeType: type };
    this.found.set(key, { address, entry, ...(charset !== undefined && { charset }) });
    this.context.found?.(this.found.size);
  }

  private addUnavailable(visit: Visit, error: SourceError): void {
    const { address } = visit;
    const known = this.cache.get(address);
    if (visit.isStart) this.startFailure ??= error;
    if (known) {
      this.cache.set(address, known);
      this.follow(visit, known);
    } else this.isIncomplete = true;
    if (known?.isDocument === false) return;
    const key = known?.key ?? address;
    const entry = { key, version: '', url: key, unavailable: error.message };
    if (!this.found.has(key)) this.found.set(key, { address, entry });
  }

  private redirect(visit: Visit, response: Response): void {
    const { address, isStart } = visit;
    const target = normalizeAddress(response.headers.get('location') ?? '', address);
    if (target === undefined) {
      throw new SourceError('unreachable', `${getHost(address)} redirects to no address.`);
    }
    if (isStart) this.scope.addOrigin(target);
    else if (!this.scope.has(target)) {
      this.leftOut++;
      return;
    }
    const next = this.redirects.follow(visit, target);
    if (next) this.enqueue(next);
  }

  /** Whether an address may be a document; the failure of a redirect's target is reported at its start. */
  private mayBeDocument({ address, redirects }: Visit): boolean {
    return redirects === 0 || this.cache.get(address) !== undefined;
  }

  private follow({ depth }: Visit, { links, hasMoreLinks }: KnownPage): void {
    if (depth >= this.scope.maxDepth) return;
    if (hasMoreLinks) this.cutPages++;
    for (const link of links) this.enqueueLink(link, depth + 1);
  }

  private enqueueLink(address: string, depth: number): void {
    if (!this.scope.has(address) || isOtherFile(address)) return;
    this.enqueue({ address, depth, isStart: false, redirects: 0 });
  }

  private enqueue(visit: Visit): void {
    if (this.seen.has(visit.address)) return;
    if (this.seen.size >= this.maxVisits) throw tooMany();
    this.seen.add(visit.address);
    this.visits.push(visit);
  }

  private failStart(code: 'not_allowed' | 'not_found', message: string): void {
    this.startFailure ??= new SourceError(code, message);
  }

  private bodyPath(address: string): string {
    return join(this.context.runFolder, createHash('sha256').update(address).digest('hex'));
  }
}

const tooMany = () =>
  new SourceError(
    'too_many_documents',
    'The website has too many pages. Narrow it by include, exclude or max_depth.',
  );

function toConditions(known: KnownPage | undefined): Record<string, string> {
  return {
    ...(known?.etag !== undefined && { 'if-none-match': known.etag }),
    ...(known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
  };
}
