import type { Block, ReadingContext } from '../block.js';
import { joinLines, splitParagraphs } from '../read-text.js';
import { tidy, tidyLines } from '../tidy.js';

const MAX_ADDRESSES = 50;
/** Marks of the quotation of an earlier mail. */
const QUOTE = /^(?:> ?)+/;

/** A mail of any format. */
interface Mail {
  readonly subject: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** As ISO 8601, or as the mail has it if that is not a valid date. */
  readonly date: string;
  /** The body as HTML or RTF, the richer form. */
  readHtml(): Promise<readonly Block[]>;
  /** The body as plain text, used if there is no other. */
  readonly text: string | undefined;
  readAttachments(): Promise<readonly Block[]>;
}

/** Writes a mail: the subject as its heading, sender and recipients, the text, the attachments. */
export async function toMailBlocks(mail: Mail, context: ReadingContext): Promise<Block[]> {
  const blocks: Block[] = [];
  const subject = tidy(mail.subject);
  if (subject !== '') blocks.push({ kind: 'heading', level: 1, text: subject });
  const about = describeHeaders(mail);
  if (about !== '') blocks.push({ kind: 'paragraph', text: about });
  for (const block of await readBody(mail)) blocks.push(lowerHeading(block));
  context.progress();
  for (const block of await mail.readAttachments()) blocks.push(lowerHeading(block));
  return blocks;
}

function describeHeaders({ from, to, cc, date }: Mail): string {
  const lines: [name: string, value: string][] = [
    ['From', from],
    ['To', to.slice(0, MAX_ADDRESSES).join(', ')],
    ['Cc', cc.slice(0, MAX_ADDRESSES).join(', ')],
    ['Date', formatDate(date)],
  ];
  return tidyLines(
    lines.flatMap(([name, value]) => (value === '' ? [] : `${name}: ${tidy(value)}`)).join('\n'),
  );
}

/** Formats an ISO date without seconds; leaves other texts unchanged. */
const formatDate = (date: string): string =>
  date.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, '$1 $2 UTC');

async function readBody(mail: Mail): Promise<readonly Block[]> {
  const blocks = await mail.readHtml();
  if (blocks.length > 0 || mail.text === undefined) return blocks;
  return [...splitParagraphs(mail.text)].flatMap((lines): Block[] => {
    const text = joinLines(lines.map((line) => line.replace(QUOTE, '')));
    return text.trim() === '' ? [] : [{ kind: 'paragraph', text }];
  });
}

/** Headings within a mail are below its subject. */
const lowerHeading = (block: Block): Block =>
  block.kind === 'heading' ? { ...block, level: block.level + 1 } : block;
