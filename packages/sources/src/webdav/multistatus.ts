import { SaxesParser } from 'saxes';

/** A file or folder in an answer to PROPFIND. */
export interface DavEntry {
  /** As the server writes it: a path or a whole address. */
  readonly href: string;
  readonly isFolder: boolean;
  readonly etag: string;
  readonly size: number | undefined;
  readonly modifiedAt: Date | undefined;
  /** The number of a file in Nextcloud and ownCloud, which it keeps when it is moved. */
  readonly fileId: string | undefined;
}

const MAX_DEPTH = 20;
const MAX_TEXT = 10_000;
const OK = /^HTTP\/\d(?:\.\d)? 2\d\d\b/;
const GONE = /^HTTP\/\d(?:\.\d)? (?:404|410)\b/;
/** Elements of other namespaces may have the same names. */
const NAMESPACES: ReadonlySet<string> = new Set(['DAV:', 'http://owncloud.org/ns']);

/**
 * Reads an answer with the status 207 in parts. Entities that it declares itself are an error, so that none
 * is expanded.
 */
export class MultistatusReader {
  readonly entries: DavEntry[] = [];
  private readonly parser = new SaxesParser<{ xmlns: true }>({ xmlns: true });
  private readonly path: string[] = [];
  private root = '';
  private text = '';
  /** The texts of a `response`, and those of its `propstat`, by element. */
  private response = new Map<string, string>();
  private found = new Map<string, string>();
  private properties = new Map<string, string>();

  constructor(private readonly maxEntries: number) {
    this.parser.on('error', (error) => {
      throw error;
    });
    this.parser.on('opentag', ({ local, uri }) => {
      if (this.path.length >= MAX_DEPTH) throw new Error('It is nested too deeply');
      const name = NAMESPACES.has(uri) ? local : '';
      if (this.path.length === 0) this.root = name;
      this.path.push(name);
      this.text = '';
      if (name === 'collection' && this.path.at(-2) === 'resourcetype') {
        this.found.set('collection', 'yes');
      }
    });
    this.parser.on('text', (text) => {
      this.add(text);
    });
    this.parser.on('cdata', (text) => {
      this.add(text);
    });
    this.parser.on('closetag', () => {
      this.close(this.path.pop() ?? '');
    });
  }

  /** @throws Error when it is no XML, or has too many entries */
  write(text: string): void {
    this.parser.write(text);
  }

  /** @throws Error when it was cut, or is something else */
  end(): void {
    this.parser.close();
    if (this.root !== 'multistatus') throw new Error('It is no listing');
  }

  private add(text: string): void {
    if (this.text.length + text.length > MAX_TEXT) {
      if (text.trim() === '') return;
      throw new Error('A text in it is too long');
    }
    this.text += text;
  }

  private close(name: string): void {
    const value = this.text.trim();
    this.text = '';
    const [, , third, fourth] = this.path;
    if (this.path.length === 1 && name === 'response') this.addEntry();
    else if (this.path.length === 2) {
      if (name === 'propstat') this.endProperties();
      else this.response.set(name, value);
    } else if (third === 'propstat' && (fourth === 'prop' || name === 'status')) {
      if (name !== 'collection') this.found.set(name, value);
    }
  }

  /** Properties that the server does not have come with another status. */
  private endProperties(): void {
    if (OK.test(this.found.get('status') ?? '')) {
      for (const [name, value] of this.found) this.properties.set(name, value);
    }
    this.found = new Map();
  }

  private addEntry(): void {
    const { response, properties } = this;
    this.response = new Map();
    this.properties = new Map();
    const status = response.get('status');
    // Something that was deleted while the server listed its folder.
    if (status !== undefined && GONE.test(status)) return;
    const href = response.get('href') ?? '';
    // For instance 507: the server has more than it lists.
    const isWhole = (status === undefined || OK.test(status)) && properties.size > 0;
    if (href === '' || !isWhole) throw new Error('An entry cannot be read');
    if (this.entries.length >= this.maxEntries) throw new TooManyEntries();
    const size = properties.get('getcontentlength') ?? '';
    this.entries.push({
      href,
      isFolder: properties.has('collection'),
      etag: (properties.get('getetag') ?? '').replace(/^W\//, '').replaceAll('"', ''),
      size: /^\d{1,15}$/.test(size) ? Number(size) : undefined,
      modifiedAt: parseDate(properties.get('getlastmodified')),
      fileId: /^\d{1,20}$/.exec(properties.get('fileid') ?? '')?.[0],
    });
  }
}

export class TooManyEntries extends Error {
  override name = 'TooManyEntries';
}

function parseDate(text = ''): Date | undefined {
  const date = new Date(text === '' ? Number.NaN : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
