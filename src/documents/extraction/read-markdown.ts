import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';
import type { Section } from './section.js';

const FRONT_MATTER = /^\ufeff?---[^\S\n]*\n(?:[^\n]*\n){0,200}?---[^\S\n]*(?:\n|$)/;
/** Characters that are parsed at once. The syntax tree takes about 70 times as much memory. */
const PIECE = 100_000;

/** A heading, with the offsets of its line. */
interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Cuts the source at its headings. The text stays Markdown, so that tables and code keep their form. */
export function readMarkdown(source: string): Section[] {
  const markdown = source.replaceAll('\r\n', '\n').replace(FRONT_MATTER, '');
  const sections: Section[] = [];
  let path: Heading[] = [];
  let start = 0;
  const close = (end: number) => {
    sections.push({ headings: path.map(({ text }) => text), text: markdown.slice(start, end) });
  };
  for (const heading of headingsOf(markdown)) {
    close(heading.start);
    path = [...path.filter(({ depth }) => depth < heading.depth), heading];
    start = heading.end;
  }
  close(markdown.length);
  return sections;
}

function headingsOf(markdown: string): Heading[] {
  return piecesOf(markdown).flatMap(({ offset, text }) =>
    fromMarkdown(text).children.flatMap((node) => {
      if (node.type !== 'heading' || !node.position) return [];
      const { start, end } = node.position;
      return {
        depth: node.depth,
        // Site generators put a link with a zero-width space behind each heading.
        text: toString(node).replaceAll('\u200b', '').trim(),
        start: offset + (start.offset ?? 0),
        end: offset + (end.offset ?? 0),
      };
    }),
  );
}

/** Cuts between paragraphs but not within fenced code, where `#` begins no heading. */
function piecesOf(markdown: string): { offset: number; text: string }[] {
  const pieces: { offset: number; text: string }[] = [];
  let offset = 0;
  let fence: string | undefined;
  for (const { 0: line, 1: mark, index } of markdown.matchAll(/^[^\S\n]*(`{3,}|~{3,})?.*\n?/gm)) {
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    const end = index + line.length;
    if (fence === undefined && line.trim() === '' && end - offset > PIECE) {
      pieces.push({ offset, text: markdown.slice(offset, end) });
      offset = end;
    }
  }
  return [...pieces, { offset, text: markdown.slice(offset) }];
}
