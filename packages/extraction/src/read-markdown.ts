import type { Block, ReadingContext } from './block.js';
import { withBoldHeadings } from './bold-headings.js';
import { decodeText } from './decode-text.js';
import { markdownBlocks } from './markdown/markdown-blocks.js';
import { readFrontMatter } from './markdown/front-matter.js';
import { withoutComponents } from './markdown/mdx.js';

/** Characters that are parsed at once. The syntax tree takes about 70 times as much memory. */
const MAX_PART = 50_000;

/** Reads Markdown and MDX, without imports, exports and the tags of components. */
export function readMarkdown(content: Uint8Array, context: ReadingContext): Block[] {
  const source = decodeText(content, context).replaceAll('\r\n', '\n');
  const { blocks, rest } = readFrontMatter(source);
  const title = blocks.find(({ kind }) => kind === 'heading');
  const bold = new Set<Block>();
  for (const part of splitParts(rest)) {
    const { text, hasComponents } = withoutComponents(part);
    // Where there are components, indentation is theirs and begins no code.
    for (const block of markdownBlocks(text, { hasIndentedCode: !hasComponents }, bold)) {
      if (title && isRepeated(title, block)) continue;
      blocks.push(block);
    }
    context.progress();
  }
  return withBoldHeadings(blocks, bold);
}

/** Whether the text begins with the title that the front matter has. */
const isRepeated = (title: Block, block: Block): boolean =>
  title.kind === 'heading' &&
  block.kind === 'heading' &&
  block.level === 1 &&
  block.text === title.text;

/** Cuts between paragraphs but not within fenced code, where `#` begins no heading. */
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
