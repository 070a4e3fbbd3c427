import { type ChildNode, Document, DomHandler, Element, Text } from 'domhandler';
import { Parser } from 'htmlparser2';
import { Unreadable } from '../unreadable.js';

export type { ChildNode, Document, Element };

/** Limits recursion, and the parser's search for the start tag that an end tag closes. */
const MAX_DEPTH = 300;
/** Tags that do not affect the structure; old pages often leave them unclosed. */
const INLINE_TAGS =
  /<\/?(?:a|abbr|acronym|b|big|em|font|i|ins|nobr|small|span|strike|strong|tt|u)(?:\s[^<>]*)?>/gi;

interface HtmlOptions {
  /** Whether `<a/>` ends itself, as in XML. */
  readonly isXhtml?: boolean;
}

class TooDeep extends Error {}

class BoundedHandler extends DomHandler {
  private depth = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    if (++this.depth > MAX_DEPTH) throw new TooDeep();
    super.onopentag(name, attributes);
  }

  override onclosetag(): void {
    this.depth--;
    super.onclosetag();
  }

  /** Text in CDATA is text like any other. */
  override oncdatastart(): void {
    return;
  }

  override oncdataend(): void {
    return;
  }
}

/**
 * Parses HTML, in time that is proportional to its length.
 *
 * @throws Unreadable if it is nested too deeply
 */
export function parseHtml(html: string, options: HtmlOptions = {}): Document {
  try {
    return parse(html, options);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  try {
    return parse(html.replace(INLINE_TAGS, ''), options);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    throw new Unreadable('parse_failed', 'The page is nested too deeply.');
  }
}

/**
 * Parses XML, also if it is not well-formed; its entities are not expanded.
 *
 * @throws Unreadable if it is nested too deeply
 */
export function parseXml(xml: string): Document {
  const handler = new BoundedHandler();
  try {
    new Parser(handler, { xmlMode: true }).end(xml);
    return handler.root;
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    throw new Unreadable('parse_failed', 'The document is nested too deeply.');
  }
}

function parse(html: string, { isXhtml = false }: HtmlOptions): Document {
  const handler = new BoundedHandler();
  new Parser(handler, { recognizeSelfClosing: isXhtml, recognizeCDATA: isXhtml }).end(html);
  return handler.root;
}

export const isElement = (node: ChildNode): node is Element => node instanceof Element;

export const isText = (node: ChildNode): node is Text => node instanceof Text;

/** Wraps an element in a document. */
export const wrapInDocument = (element: Element): Document => new Document([element]);

/** The elements below a node, in the order of the document. */
export function listElements(node: Document | Element): Element[] {
  const found: Element[] = [];
  const waiting = node.children.filter(isElement).reverse();
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    found.push(element);
    for (let at = element.children.length - 1; at >= 0; at--) {
      const child = element.children[at];
      if (child && isElement(child)) waiting.push(child);
    }
  }
  return found;
}
