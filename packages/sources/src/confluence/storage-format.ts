import { Parser } from 'htmlparser2';
import { SourceError } from '../source-kind.js';

/** Limits the parser's search for the element that an end tag closes. */
const MAX_DEPTH = 300;
const MAX_ELEMENTS = 500_000;

/** Elements that contain nothing for readers. */
const LEFT_OUT = new Set([
  'ac:adf-attribute',
  'ac:adf-node',
  'ac:emoticon',
  'ac:placeholder',
  'ac:task-id',
  'ac:task-status',
  'ac:task-uuid',
  'script',
  'style',
]);
const RENAMED: Readonly<Record<string, string>> = {
  'ac:task-list': 'ul',
  'ac:task': 'li',
  'ac:plain-text-body': 'pre',
  'ac:caption': 'p',
  'ac:layout-section': 'div',
  'ac:layout-cell': 'div',
};
const KEPT_ATTRIBUTES = ['href', 'colspan', 'rowspan', 'start', 'alt'];
const VOID = new Set(['br', 'hr', 'img', 'col', 'wbr']);

/**
 * Converts a page from Confluence's storage format to HTML: code, panels and tasks are written as readers
 * see them, links as their text, and macros that would have to be run are left out.
 *
 * @throws SourceError when it has too many elements, or is nested too deeply
 */
export function storageToHtml(storage: string, title: string): string {
  const converter = new Converter();
  const parser = new Parser(converter, { recognizeCDATA: true, recognizeSelfClosing: true });
  parser.write(storage);
  parser.end();
  const heading = escapeText(title);
  return `<!doctype html><html><head><meta charset="utf-8"><title>${heading}</title></head><body><h1>${heading}</h1>${converter.toHtml()}</body></html>`;
}

class Converter {
  private readonly parts: string[] = [];
  private elements = 0;
  private depth = 0;
  /** The depth within an element that is left out. */
  private leftOut = 0;
  /** The open links, with the length of the output at their start to see whether they have a text. */
  private readonly links: { readonly start: number; target: string }[] = [];
  private isTitle = false;

  toHtml(): string {
    return this.parts.join('');
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    if (++this.elements > MAX_ELEMENTS) {
      throw new SourceError('too_large', 'The page has too many elements.');
    }
    if (++this.depth > MAX_DEPTH) {
      throw new SourceError('unreadable', 'The page is nested too deeply.');
    }
    if (this.leftOut > 0 || LEFT_OUT.has(name) || isSetting(name, attributes)) {
      this.leftOut++;
      return;
    }
    if (name === 'ac:link') this.links.push({ start: this.parts.length, target: '' });
    else if (name === 'time') this.write(`<time>${escapeText(attributes['datetime'] ?? '')}`);
    else if (name.startsWith('ri:')) this.nameTarget(attributes);
    else if (name === 'ac:parameter') {
      this.isTitle = true;
      this.write('<p><strong>');
    } else if (name === 'ac:image')
      this.write(`<img alt="${escapeText(attributes['ac:alt'] ?? '')}">`);
    else this.open(name, attributes);
  }

  ontext(text: string): void {
    if (this.leftOut === 0) this.write(escapeText(text));
  }

  onclosetag(name: string): void {
    this.depth--;
    if (this.leftOut > 0) this.leftOut--;
    else if (name === 'ac:link') this.closeLink();
    else if (name === 'ac:parameter' && this.isTitle) {
      this.isTitle = false;
      this.write('</strong></p>');
    } else this.close(name);
  }

  private open(name: string, attributes: Record<string, string>): void {
    const tag = toTag(name);
    if (tag === undefined) return;
    const kept = KEPT_ATTRIBUTES.flatMap((attribute) => {
      const value = attributes[attribute];
      return value === undefined ? [] : [` ${attribute}="${escapeText(value)}"`];
    });
    this.write(`<${tag}${kept.join('')}>`);
  }

  private close(name: string): void {
    const tag = toTag(name);
    if (tag !== undefined && !VOID.has(tag)) this.write(`</${tag}>`);
  }

  /** Uses the target of a link as its text if it has none. */
  private nameTarget(attributes: Record<string, string>): void {
    const link = this.links.at(-1);
    if (link) link.target = attributes['ri:content-title'] ?? attributes['ri:filename'] ?? '';
  }

  private closeLink(): void {
    const link = this.links.pop();
    if (link?.start === this.parts.length) this.write(escapeText(link.target));
  }

  private write(html: string): void {
    this.parts.push(html);
  }
}

/** Whether an element is a parameter of a macro that is not text, unlike the title of a panel. */
const isSetting = (name: string, attributes: Record<string, string>) =>
  name === 'ac:parameter' && attributes['ac:name'] !== 'title';

const toTag = (name: string): string | undefined =>
  RENAMED[name] ?? (/^[a-z][a-z0-9]*$/.test(name) ? name : undefined);

const escapeText = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
