import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';
import TurndownService from 'turndown';
import { chunkSection } from './chunk-section.js';

export interface ExtractionRequest {
  mimeType: string;
  content: Uint8Array;
}

export interface ExtractedChunk {
  text: string;
  heading: string | null;
  page: number | null;
}

/** A stretch of text under one path of headings. */
interface Section {
  headings: string[];
  text: string;
}

const HEADING_SEPARATOR = ' › ';
/** Each chunk carries its headings: they must stay small beside it. */
const MAX_HEADING = 200;
const MAX_HEADING_PATH = 500;

/** Cuts a document into passages along headings, paragraphs and sentences. Runs in a worker. */
export default function extract({ mimeType, content }: ExtractionRequest): ExtractedChunk[] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  return sectionsOf(mimeType, text).flatMap(({ headings, text: section }) =>
    chunkSection(section).map((chunk) => ({
      text: chunk,
      heading:
        headings.length > 0
          ? headings.join(HEADING_SEPARATOR).slice(0, MAX_HEADING_PATH).toWellFormed()
          : null,
      page: null,
    })),
  );
}

function sectionsOf(mimeType: string, text: string): Section[] {
  switch (mimeType) {
    case 'text/html':
      return markdownSections(htmlToMarkdown(text));
    case 'text/markdown':
      return markdownSections(text);
    default:
      return [{ headings: [], text }];
  }
}

/** The main content, without navigation and scripts. */
function htmlToMarkdown(html: string): string {
  // linkedom's types need the browser's; this is the part that is used.
  const { document } = parseHTML(
    /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`,
  ) as unknown as { document: { body: { innerHTML: string } } };
  // Readability takes the document apart, so the fallback is read first.
  const whole = document.body.innerHTML;
  const article = new Readability(document, { charThreshold: 0 }).parse();
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  turndown.remove(['script', 'style', 'noscript', 'template']);
  return turndown.turndown(article?.content ?? whole);
}

/** Sections as they stand in the source, so that tables, lists and code keep their form. */
function markdownSections(markdown: string): Section[] {
  const sections: Section[] = [];
  let headings: { depth: number; text: string }[] = [];
  let start = 0;
  const close = (end: number) => {
    sections.push({
      headings: headings.map((heading) => heading.text),
      text: markdown.slice(start, end),
    });
  };
  for (const node of fromMarkdown(markdown).children) {
    if (node.type !== 'heading' || !node.position) continue;
    close(node.position.start.offset ?? start);
    headings = [
      ...headings.filter(({ depth }) => depth < node.depth),
      { depth: node.depth, text: toString(node).trim().slice(0, MAX_HEADING).toWellFormed() },
    ];
    start = node.position.end.offset ?? start;
  }
  close(markdown.length);
  return sections;
}
