import type { List, ListItem, Nodes, Parent, PhrasingContent, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { Block } from '../block.js';
import { raisedMark } from '../characters/raised-text.js';
import { parseHtml } from '../html/parse-html.js';
import { textBlocks } from '../html/walk.js';
import { tidy, tidyCode, tidyLines } from '../tidy.js';
import { countWords } from '../word-count.js';
import { BULLET } from '../word/numbering.js';

interface MarkdownOptions {
  readonly hasIndentedCode: boolean;
}

/** The anchor of a heading, such as `{#install}`. */
const HEADING_ID = / ?\{#[\w:.-]+\}$/;
const TASK = /^\[([ xX])\]\s+/;
/** Static site generators mark notes this way, as in `!!! note` and `:::tip`. */
const ADMONITION = /^(?::{3,}|!{3}\s\w)/;
const ADMONITION_END = /^:{3,}$/;

/** Reads one part of a document in Markdown. Paragraphs that are bold as a whole are added to `bold`. */
export function readBlocks(
  source: string,
  { hasIndentedCode }: MarkdownOptions,
  bold: Set<Block>,
): Block[] {
  const { children } = fromMarkdown(source, {
    extensions: [
      gfmTable(),
      gfmFootnote(),
      gfmStrikethrough(),
      ...(hasIndentedCode ? [] : [{ disable: { null: ['codeIndented'] } }]),
    ],
    mdastExtensions: [
      gfmTableFromMarkdown(),
      gfmFootnoteFromMarkdown(),
      gfmStrikethroughFromMarkdown(),
    ],
  });
  const blocks: Block[] = [];
  for (const node of children) addBlocks(node, -1, blocks, bold);
  return blocks;
}

/** @param listDepth the depth of the list around the node; -1 outside of lists */
function addBlocks(node: RootContent, listDepth: number, blocks: Block[], bold: Set<Block>): void {
  switch (node.type) {
    case 'heading': {
      const text = tidy(joinInline(node)).replace(HEADING_ID, '');
      if (text !== '') blocks.push({ kind: 'heading', level: node.depth, text });
      break;
    }
    case 'paragraph': {
      const text = withoutAdmonition(tidyLines(joinInline(node)));
      if (text === '') break;
      const block: Block = { kind: 'paragraph', text };
      blocks.push(block);
      if (isBold(node.children)) bold.add(block);
      break;
    }
    case 'code': {
      const text = tidyCode(node.value);
      if (text !== '') blocks.push({ kind: 'code', text });
      break;
    }
    case 'html':
      for (const block of textBlocks(parseHtml(node.value))) blocks.push(block);
      break;
    case 'list':
      addItems(node, listDepth + 1, blocks, bold);
      break;
    case 'table':
      blocks.push(toTable(node));
      break;
    case 'footnoteDefinition': {
      const text = tidy(node.children.map((child) => joinInline(child)).join(' '));
      if (text !== '') blocks.push({ kind: 'note', text });
      break;
    }
    case 'blockquote':
      for (const child of node.children) addBlocks(child, listDepth, blocks, bold);
      break;
  }
}

function addItems(list: List, depth: number, blocks: Block[], bold: Set<Block>): void {
  let number = list.start ?? 1;
  for (const item of list.children) {
    const marker = list.ordered ? `${number++}.` : BULLET;
    addItem(item, depth, marker, blocks, bold);
  }
}

function addItem(
  { children }: ListItem,
  depth: number,
  marker: string,
  blocks: Block[],
  bold: Set<Block>,
): void {
  const [first, ...rest] = children;
  if (first?.type !== 'paragraph') {
    for (const child of children) addBlocks(child, depth, blocks, bold);
    return;
  }
  const text = tidyLines(joinInline(first)).replace(TASK, (_, state: string) =>
    state === ' ' ? '☐ ' : '☒ ',
  );
  if (text !== '') blocks.push({ kind: 'list-item', depth, marker, text });
  for (const child of rest) addBlocks(child, depth, blocks, bold);
}

function toTable({ children }: Table): Block {
  const rows = children.map((row) => row.children.map((cell) => tidy(joinInline(cell))));
  const [header = [], ...body] = rows;
  return {
    kind: 'table',
    header: header.some((name) => name !== '') ? header : null,
    rows: body.map((cells) => ({ cells })),
  };
}

/** The text of inline content, without its marks. */
function joinInline(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value;
    case 'break':
      return '\n';
    case 'html':
      return tagText(node.value);
    case 'image':
    case 'imageReference':
      // A single word is a name, such as that of a badge.
      return countWords(node.alt ?? '') > 1 ? (node.alt ?? '') : '';
    case 'footnoteReference':
      return '';
    case 'code':
      return node.value;
    default:
      return 'children' in node ? (node as Parent).children.map(joinInline).join('') : '';
  }
}

function tagText(tag: string): string {
  if (/^<br\b/i.test(tag)) return '\n';
  const [, end, position] = /^<(\/?)(sup|sub)\b/i.exec(tag) ?? [];
  if (position === undefined) return '';
  return raisedMark(position.toLowerCase() === 'sup' ? 'super' : 'sub', end === '');
}

function withoutAdmonition(text: string): string {
  if (!text.includes(':::') && !text.startsWith('!!!')) return text;
  const lines = text.split('\n');
  return lines
    .filter((line, at) => !(at === 0 && ADMONITION.test(line)) && !ADMONITION_END.test(line))
    .join('\n');
}

const isBold = (children: readonly PhrasingContent[]): boolean =>
  children.length > 0 &&
  children.every(
    (child) => child.type === 'strong' || (child.type === 'text' && /^[\s:]*$/.test(child.value)),
  );
