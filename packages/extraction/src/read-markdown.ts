import type { Block, ReadingContext } from './block.js';
import { withBoldHeadings } from './bold-headings.js';
import { decodeText } from './decode-text.js';
import { readBlocks } from './markdown/markdown-blocks.js';
import { readFrontMatter } from './markdown/front-matter.js';
import { withoutComponents } from './markdown/mdx.js';

/** The number of characters parsed at once. The syntax tree takes about 70 times as much memory. */
const MAX_PART = 50_000;

/** Reads Markdown and MDX, without imports, exports and the tags of components. */
export function readMarkdown(content: Uint8Array, context: ReadingContext): Block[] {
  const source = decodeText(content, context).replaceAll('\r\n', '\n');
  const { blocks, rest } = readFrontMatter(source);
  const title = blocks.find(({ kind }) => kind === 'heading');
  const bold = new Set<Block>();
  for (const part of splitParts(rest)) {
    const { text, hasComponents } = withoutComponents(part);
    // Inside components, indentation does not begin a code block.
    for (const block of readBlocks(text, { hasIndentedCode: !hasComponents }, bold)) {
      if (title && isRepeated(title, block)) continue;
      blocks.push(block);
    }
    context.progress();
  }
  return withBoldHeadings(blocks, bold);
}

/** Whether the text begins with the title of the front matter. */
const isRepeated = (title: Block, block: Block): boolean =>
  title.kind === 'heading' &&
  block.kind === 'heading' &&
  block.level === 1 &&
  block.text === title.text;

/** Splits the text between paragraphs, but not within fenced code. */
function* splitParts(markdown: string): Generator<string> {
  let offset = 0;
  let fence: string | undefined;
  for (const { 0: line, 1: mark, index } of markdown.matchAll(/^[^\S\n]*(`{3,}|~{3,})?.*\n?/gm)) {
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    const end = index + line.length;
    if (fence === undefined && line.trim() === '' && end - offset > MAX_PART) {
      yield markdown.slice(offset, end);
      offset = end;
    }
  }
  yield markdown.slice(offset);
}
