import { fromMarkdown } from 'mdast-util-from-markdown';
import type { List, Nodes, Parent } from 'mdast';
import { escapeSlack } from './slack-text.js';

/** A part of a text that must not be split in its middle; code keeps its fences. */
export interface SlackPart {
  readonly text: string;
  readonly isCode: boolean;
}

/** Turns Markdown into Slack’s own form of it (mrkdwn). What Slack has no form for stays as text. */
export const toSlackParts = (markdown: string): SlackPart[] =>
  fromMarkdown(markdown).children.map((node) =>
    node.type === 'code'
      ? { text: escapeSlack(node.value), isCode: true }
      : { text: toMrkdwn(node), isCode: false },
  );

function toMrkdwn(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'html':
      return escapeSlack(node.value);
    case 'inlineCode':
      return `\`${escapeSlack(node.value)}\``;
    case 'code':
      return `\`\`\`${escapeSlack(node.value)}\`\`\``;
    case 'strong':
      return mark('*', inline(node));
    case 'emphasis':
      return mark('_', inline(node));
    case 'heading':
      return mark('*', inline(node).replaceAll('*', ''));
    case 'link':
      return toSlackLink(node.url, inline(node));
    case 'image':
      return toSlackLink(node.url, escapeSlack(node.alt ?? ''));
    case 'break':
      return '\n';
    case 'list':
      return listItems(node).join('\n');
    case 'blockquote':
      return prefix(blocks(node), '> ', '> ');
    case 'thematicBreak':
      return '———';
    case 'root':
    case 'listItem':
      return blocks(node);
    default:
      return 'children' in node ? inline(node) : '';
  }
}

const inline = ({ children }: Parent): string => children.map(toMrkdwn).join('');
const blocks = ({ children }: Parent): string => children.map(toMrkdwn).join('\n');

const listItems = ({ children, ordered, start }: List): string[] =>
  children.map((item, index) => {
    const bullet = ordered === true ? `${(start ?? 1) + index}. ` : '• ';
    return prefix(blocks(item), bullet, '    ');
  });

const prefix = (text: string, first: string, others: string): string =>
  text.replace(/^/gm, others).replace(others, first);

/** Slack’s marks work around words only, and not over several lines. */
const mark = (sign: string, text: string): string =>
  text.trim() === '' || text.includes('\n') ? text : `${sign}${text.trim()}${sign}`;

/** @param label escaped; the address by default */
export function toSlackLink(address: string, label: string): string {
  const url = URL.parse(address);
  const isLink = url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol);
  if (!isLink) return label;
  const target = escapeSlack(url.href.replaceAll('|', '%7C').replaceAll('>', '%3E'));
  return label.trim() === '' ? `<${target}>` : `<${target}|${label.replaceAll(/[\n|]/g, ' ')}>`;
}
