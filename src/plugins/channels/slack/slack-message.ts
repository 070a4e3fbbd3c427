import type { ChannelReply, ReplySource } from '../channel-port.js';
import { type SlackPart, toSlackLink, toSlackParts } from './slack-mrkdwn.js';
import { escapeSlack } from './slack-text.js';

/** Slack allows 3000 characters in a section, of which fences take some, and 50 blocks in a message. */
const MAX_SECTION = 2900;
const MAX_SECTIONS = 8;
const MAX_SOURCES = 10;
const MAX_SOURCE = 400;
/** What notifications show. */
const MAX_FALLBACK = 300;
/** A link, an escape, white space or a word, none of which may be cut unless it is too long for a section. */
const TOKEN = /<[^<>]*>|&\w+;|\s+|[^\s<&]+|[<&]/g;

/** A message as chat.postMessage takes it. */
export function toSlackMessage({ text, isMarkdown, sources }: ChannelReply) {
  const parts = isMarkdown ? toSlackParts(text) : [{ text: escapeSlack(text), isCode: false }];
  const sections = parts.flatMap(splitPart);
  const shown = joinSections(sections).slice(0, MAX_SECTIONS);
  return {
    text: escapeSlack(cut(text, MAX_FALLBACK)),
    blocks: [
      ...shown.map((one) => ({ type: 'section', text: toText(one), expand: true })),
      ...sources.slice(0, MAX_SOURCES).map((source) => ({
        type: 'context',
        elements: [toText(toSourceLine(source))],
      })),
    ],
    ...{ unfurl_links: false, unfurl_media: false },
  };
}

/** Without `verbatim`, Slack would make links and mentions of what looks like one. */
const toText = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });

function toSourceLine({ index, title, url, place }: ReplySource): string {
  const name = escapeSlack(cut(title, MAX_SOURCE));
  const link = url === null || url.length > MAX_SOURCE * 4 ? name : toSlackLink(url, name);
  const behind = place === null ? '' : ` · ${escapeSlack(cut(place, MAX_SOURCE))}`;
  return `${index === null ? '→' : `[${index}]`} ${link}${behind}`;
}

function splitPart({ text, isCode }: SlackPart): string[] {
  const pieces = splitText(text);
  return isCode ? pieces.map((piece) => `\`\`\`${piece}\`\`\``) : pieces;
}

/** Splits a text into pieces that a section has room for. */
function splitText(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const token of text.match(TOKEN) ?? []) {
    const whole = token.length > MAX_SECTION ? splitWord(token) : [token];
    for (const one of whole) {
      if (piece.length + one.length > MAX_SECTION) {
        pieces.push(piece);
        piece = '';
      }
      piece += one;
    }
  }
  return [...pieces, piece].map((one) => one.trim()).filter((one) => one !== '');
}

/** Splits what has no place to be split at, but not within a character. */
function splitWord(word: string): string[] {
  const characters = Array.from(word.replace(/[<>]/g, ''));
  const count = Math.ceil(characters.length / (MAX_SECTION / 2));
  return Array.from({ length: count }, (_, index) =>
    characters.slice((index * MAX_SECTION) / 2, ((index + 1) * MAX_SECTION) / 2).join(''),
  );
}

/** Joins paragraphs to as few sections as they fit into. */
function joinSections(pieces: readonly string[]): string[] {
  const sections: string[] = [];
  for (const piece of pieces) {
    const last = sections.at(-1);
    if (last !== undefined && last.length + piece.length + 2 <= MAX_SECTION) {
      sections[sections.length - 1] = `${last}\n\n${piece}`;
    } else sections.push(piece);
  }
  return sections;
}

function cut(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
