import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { readMarkdown } from './read-markdown.js';
import type { Section } from './section.js';

/** Reads the main content of a page, without navigation and scripts. */
export function readHtml(html: string): Section[] {
  // linkedom's types need the DOM's; this is the part that is used.
  const { document } = parseHTML(
    /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`,
  ) as unknown as { document: { body: { innerHTML: string } } };
  // Readability changes the document, so the fallback is read first.
  const whole = document.body.innerHTML;
  const article = new Readability(document, { charThreshold: 0 }).parse();
  return readMarkup(article?.content ?? whole);
}

/** Reads all of some HTML. */
export function readMarkup(html: string): Section[] {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  turndown.remove(['script', 'style', 'noscript', 'template']);
  // A row becomes one line. By default Turndown makes each cell a paragraph.
  turndown.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content) => ` ${joinLines(content)} |`,
  });
  turndown.addRule('row', { filter: 'tr', replacement: (content) => `\n|${content}` });
  turndown.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content}\n\n` });
  return readMarkdown(turndown.turndown(html));
}

const joinLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
