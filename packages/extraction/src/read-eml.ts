import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import type { Block, ReadingContext } from './block.js';
import { attachmentBlocks } from './mail/attachments.js';
import { readMarkup } from './read-html.js';
import { joinLines, paragraphsOf } from './read-text.js';
import { tidy, tidyLines } from './tidy.js';
import { Unreadable } from './unreadable.js';

const MAX_PARTS_DEPTH = 64;
const MAX_HEADER_BYTES = 1024 * 1024;
const MAX_ADDRESSES = 50;
/** Marks of the quotation of an earlier mail. */
const QUOTE = /^(?:> ?)+/;

/** Reads a mail: its subject as the heading, who wrote it to whom, its text, its attachments. */
export function readEml(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  return readMail(content, context, 0);
}

/** @param depth how many mails this one is attached to */
export async function readMail(
  content: Uint8Array,
  context: ReadingContext,
  depth: number,
): Promise<Block[]> {
  const email = await parse(content);
  const blocks: Block[] = [];
  const subject = tidy(email.subject ?? '');
  if (subject !== '') blocks.push({ kind: 'heading', level: 1, text: subject });
  const about = aboutOf(email);
  if (about !== '') blocks.push({ kind: 'paragraph', text: about });
  for (const block of bodyOf(email)) blocks.push(deeper(block, 1));
  context.progress();
  const attached = await attachmentBlocks(email.attachments.map(fileOf), context, depth);
  for (const block of attached) blocks.push(deeper(block, 1));
  return blocks;
}

async function parse(content: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(content, {
      forceRfc822Attachments: true,
      attachmentEncoding: 'arraybuffer',
      maxNestingDepth: MAX_PARTS_DEPTH,
      maxHeadersSize: MAX_HEADER_BYTES,
    });
  } catch {
    throw new Unreadable('parse_failed', 'The mail has no form that can be read.');
  }
}

function aboutOf({ from, to = [], cc = [], date }: Email): string {
  const lines: [name: string, value: string][] = [
    ['From', from ? nameOf(from) : ''],
    ['To', namesOf(to)],
    ['Cc', namesOf(cc)],
    ['Date', dateOf(date)],
  ];
  return tidyLines(
    lines.flatMap(([name, value]) => (value === '' ? [] : `${name}: ${tidy(value)}`)).join('\n'),
  );
}

const namesOf = (addresses: readonly Address[]): string =>
  addresses.slice(0, MAX_ADDRESSES).map(nameOf).join(', ');

function nameOf({ name, address, group }: Address): string {
  if (group) return `${name}: ${namesOf(group)}`;
  return name && name !== address ? `${name} <${address}>` : address;
}

/** In UTC, without seconds; as it stands in the mail if it is none. */
const dateOf = (date = ''): string =>
  date.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, '$1 $2 UTC');

/** The body in the form that says more: as HTML, unless there is only text. */
function bodyOf({ html, text }: Email): Block[] {
  const blocks = html === undefined ? [] : readMarkup(html);
  if (blocks.length > 0 || text === undefined) return blocks;
  return [...paragraphsOf(text)].flatMap((lines) => {
    const joined = joinLines(lines.map((line) => line.replace(QUOTE, '')));
    return joined.trim() === '' ? [] : { kind: 'paragraph', text: joined };
  });
}

/** Headings within a mail are below its subject. */
const deeper = (block: Block, levels: number): Block =>
  block.kind === 'heading' ? { ...block, level: block.level + levels } : block;

function fileOf({
  filename,
  mimeType,
  content,
  disposition,
  contentId,
  subject,
}: Attachment & {
  subject?: string;
}) {
  const bytes =
    typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer);
  return {
    name: tidy(filename ?? subject ?? ''),
    declaredType: mimeType,
    bytes,
    /** A picture within the text. */
    isInline: disposition === 'inline' && contentId !== undefined,
  };
}
