import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@latchkey/text/parse-json';

/** The state of a page when it was last read. */
export interface KnownPage {
  /** The canonical address of the page. */
  readonly key: string;
  readonly version: string;
  readonly type: string;
  readonly title: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** The encoding that its server declares. */
  readonly charset?: string;
  readonly isDocument: boolean;
  readonly links: readonly string[];
  /** Whether it has more links than are followed. */
  readonly hasMoreLinks?: true;
}

/** Pages whose links exceed this total are not stored, and are read in full the next time. */
const MAX_LINKS = 2_000_000;
const FORMAT = 1;

interface Stored {
  readonly format: number;
  /** Links are stored as indexes of these, since pages of a site share most links. */
  readonly addresses: readonly string[];
  readonly pages: readonly (readonly [address: number, page: StoredPage])[];
}

type StoredPage = Omit<KnownPage, 'links'> & { readonly links: readonly number[] };

/**
 * The pages of the previous run, stored in the work folder. Without the file, unchanged pages are merely
 * read again.
 */
export class PageCache {
  private readonly former = new Map<string, KnownPage>();
  private readonly pages = new Map<string, KnownPage>();
  /** Stores each address once, since pages of a site share most links. */
  private readonly addresses = new Map<string, string>();
  private readonly path: string;

  private constructor(folder: string) {
    this.path = join(folder, 'pages.json');
  }

  static async open(folder: string): Promise<PageCache> {
    const cache = new PageCache(folder);
    try {
      cache.restore(parseJson(await readFile(cache.path, 'utf8')) as Stored);
    } catch {
      cache.former.clear();
    }
    return cache;
  }

  get(address: string): KnownPage | undefined {
    return this.former.get(address);
  }

  set(address: string, page: KnownPage): void {
    this.pages.set(address, { ...page, links: page.links.map((link) => this.sharedAddress(link)) });
  }

  private sharedAddress(address: string): string {
    const shared = this.addresses.get(address);
    if (shared === undefined) this.addresses.set(address, address);
    return shared ?? address;
  }

  /** Replaces the file atomically, so that a killed process leaves the previous one. */
  async save(): Promise<void> {
    const numbers = new Map<string, number>();
    const assignNumber = (address: string) => {
      const number = numbers.get(address) ?? numbers.size;
      numbers.set(address, number);
      return number;
    };
    const pages: [number, StoredPage][] = [];
    let links = 0;
    for (const [address, page] of this.pages) {
      links += page.links.length;
      if (links > MAX_LINKS) break;
      pages.push([assignNumber(address), { ...page, links: page.links.map(assignNumber) }]);
    }
    const stored: Stored = { format: FORMAT, addresses: [...numbers.keys()], pages };
    await writeFile(`${this.path}.new`, JSON.stringify(stored));
    await rename(`${this.path}.new`, this.path);
  }

  private restore({ format, addresses, pages }: Stored): void {
    if (format !== FORMAT) return;
    for (const [number, page] of pages) {
      const links = page.links.map((link) => addresses[link] ?? '');
      this.former.set(addresses[number] ?? '', { ...page, links });
    }
  }
}
