import { createHash } from 'node:crypto';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** The properties of a page that a crawler needs. */
export interface WebPage {
  readonly title: string;
  /** The links as written in the page. */
  readonly links: readonly string[];
  /** Whether it has more links than are read. */
  readonly hasMoreLinks: boolean;
  readonly base: string | undefined;
  readonly canonical: string | undefined;
  /** Whether its `robots` tag allows it to be a document, and its links to be followed. */
  readonly isIndexed: boolean;
  readonly isFollowed: boolean;
  /** A hash of the text and elements, but not of scripts and attributes, whose tokens change with each answer. */
  readonly hash: string;
}

export const MAX_LINKS = 5000;
const MAX_TITLE = 300;
const UNREAD = new Set(['script', 'style', 'noscript', 'template']);

/**
 * Reads a page with a tokenizer only: a parser searches for the element that an end tag closes, which takes
 * quadratic time on a page that never closes any.
 */
export function readPage(html: string): WebPage {
  const reader = new PageReader(html);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, reader);
  tokenizer.write(html);
  tokenizer.end();
  return reader.toPage();
}

class PageReader implements TokenizerCallbacks {
  private readonly links = new Set<string>();
  private hasMoreLinks = false;
  private readonly content: string[] = [];
  private title: string | undefined;
  private base: string | undefined;
  private canonical: string | undefined;
  private robots = '';
  private tag = '';
  private attributes = new Map<string, string>();
  private attribute = '';
  private value = '';
  /** The open element whose text is treated separately. */
  private inside = '';

  constructor(private readonly html: string) {}

  toPage(): WebPage {
    const hash = createHash('sha256').update(this.content.join(' ').replaceAll(/\s+/g, ' '));
    return {
      title: (this.title ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE),
      links: [...this.links],
      hasMoreLinks: this.hasMoreLinks,
      base: this.base,
      canonical: this.canonical,
      isIndexed: !/\b(?:noindex|none)\b/.test(this.robots),
      isFollowed: !/\b(?:nofollow|none)\b/.test(this.robots),
      hash: hash.digest('hex'),
    };
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, this.value);
  }

  onopentagend(): void {
    const { tag, attributes } = this;
    this.content.push(`<${tag}>`, attributes.get('alt') ?? '');
    if (UNREAD.has(tag) || tag === 'title') this.inside = tag;
    const href = attributes.get('href')?.trim();
    if (tag === 'meta') this.onMeta();
    if (href === undefined || href === '') return;
    const rel = attributes.get('rel')?.toLowerCase().split(/\s+/) ?? [];
    if (tag === 'base') this.base ??= href;
    else if (tag === 'link' && rel.includes('canonical')) this.canonical ??= href;
    else if (tag === 'a' || tag === 'area' || (tag === 'link' && rel.includes('next'))) {
      if (!rel.includes('nofollow')) this.addLink(href);
    }
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    if (this.html.slice(start, end).toLowerCase() === this.inside) this.inside = '';
  }

  ontext(start: number, end: number): void {
    this.addText(this.html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.addText(String.fromCodePoint(codepoint));
  }

  oncdata(start: number, end: number): void {
    this.addText(this.html.slice(start, end));
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}

  private addLink(href: string): void {
    if (this.links.size < MAX_LINKS) this.links.add(href);
    else if (!this.links.has(href)) this.hasMoreLinks = true;
  }

  private addText(text: string): void {
    if (UNREAD.has(this.inside)) return;
    this.content.push(text);
    if (this.inside === 'title') this.title = (this.title ?? '') + text;
  }

  private onMeta(): void {
    const name = this.attributes.get('name')?.toLowerCase();
    if (name === 'robots') this.robots += ` ${this.attributes.get('content')?.toLowerCase() ?? ''}`;
  }
}
