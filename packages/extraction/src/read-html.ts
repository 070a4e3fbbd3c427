import type { Block, ReadingContext } from './block.js';
import { withBoldHeadings } from './bold-headings.js';
import { decodeText } from './decode-text.js';
import { getText } from './html/element-text.js';
import { decodeDataUrl } from './html/data-url.js';
import { findDeclaredContent } from './html/main-content.js';
import {
  wrapInDocument,
  type Document,
  type Element,
  listElements,
  parseHtml,
} from './html/parse-html.js';
import { type WalkedHtml, walkHtml } from './html/walk.js';
import { withPictures } from './recognition/picture-places.js';

/** A guessed content with a smaller share of the page's text is incomplete. */
const MIN_SHARE = 0.25;
/** With a smaller share of text in links, a page has no navigation. */
const MIN_LINK_SHARE = 0.02;

/**
 * Larger pages that declare no content are read whole: guessing it takes 50 times as much memory as the
 * page, and the time grows faster than the page.
 */
const MAX_LENGTH = 1_000_000;
const MAX_ELEMENTS = 15_000;

/** The number of characters that are searched for a declaration of XHTML. */
const DECLARATION = 2048;
const XHTML = /^\ufeff?\s*<\?xml\b|<html\b[^>]*\bxmlns=/i;

/** Reads the main content of a page, without navigation and scripts. */
export async function readHtml(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const html = decodeText(content, context);
  const page = parseHtml(html, { isXhtml: XHTML.test(html.slice(0, DECLARATION)) });
  context.progress();
  const { blocks, bold, pictures } = await selectContent(html, page);
  const all = await withPictures(blocks, pictures, decodeDataUrl, context);
  return withBoldHeadings(withTitle(all, page), bold);
}

/** Reads a whole HTML text, without its pictures. */
export function readMarkup(html: string): Block[] {
  const { blocks, bold, pictures } = walkHtml(parseHtml(html));
  return withBoldHeadings(
    blocks.filter((block) => !pictures.has(block)),
    bold,
  );
}

/** Reads a whole HTML text; pictures are loaded by their URLs. */
export async function readWithPictures(
  html: string,
  loadPicture: (source: string) => Uint8Array | undefined,
  context: ReadingContext,
): Promise<Block[]> {
  const { blocks, bold, pictures } = walkHtml(parseHtml(html));
  return withBoldHeadings(await withPictures(blocks, pictures, loadPicture, context), bold);
}

async function selectContent(html: string, page: Document): Promise<WalkedHtml> {
  const declared = findDeclaredContent(page);
  if (declared) return walkHtml(declared);
  const whole = walkHtml(page);
  const elements = listElements(page);
  if (html.length > MAX_LENGTH || elements.length > MAX_ELEMENTS) return whole;
  if (measureLinkedText(elements) < MIN_LINK_SHARE * measureLength(whole.blocks)) return whole;
  // The library is large, so it is loaded only for pages that need it.
  const { guessContent } = await import('./html/readability.js');
  const likely = guessContent(html);
  if (likely === undefined) return whole;
  const walked = walkHtml(parseHtml(likely));
  return measureLength(walked.blocks) < MIN_SHARE * measureLength(whole.blocks) ? whole : walked;
}

/** Puts the page's only main heading in front of a content that lacks it. */
function withTitle(blocks: readonly Block[], page: Document): readonly Block[] {
  const elements = listElements(page);
  const main = ['h1', 'h2'].map((level) => elements.filter(({ name }) => name === level));
  const [title, ...others] = main.find((found) => found.length > 0) ?? [];
  const [heading] = title ? walkHtml(wrapInDocument(title)).blocks : [];
  const text = heading?.kind === 'heading' ? heading.text : '';
  if (blocks.length === 0 || text === '' || others.length > 0) return blocks;
  const isThere = blocks.some((block) => block.kind === 'heading' && block.text === text);
  return isThere ? blocks : [{ kind: 'heading', level: 1, text }, ...blocks];
}

const measureLinkedText = (elements: readonly Element[]): number =>
  elements.reduce((sum, each) => sum + (each.name === 'a' ? getText(each).length : 0), 0);

const measureLength = (blocks: readonly Block[]): number =>
  blocks.reduce(
    (sum, block) => sum + ('text' in block ? block.text.length : tableLength(block)),
    0,
  );

const tableLength = (block: Extract<Block, { kind: 'table' }>): number =>
  block.rows.reduce((sum, { cells }) => sum + cells.join('').length, 0);
