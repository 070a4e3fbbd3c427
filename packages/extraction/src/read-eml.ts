import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import type { Block, ReadingContext } from './block.js';
import { readAttachments, type Nesting, newNesting } from './mail/attachments.js';
import { chooseCharset, readAttachmentCharsets } from './mail/attached-charsets.js';
import { toMailBlocks } from './mail/mail-blocks.js';
import { decodeDataUrl } from './html/data-url.js';
import { readWithPictures } from './read-html.js';
import { readText } from './read-text.js';
import { tidy } from './tidy.js';
import { Unreadable } from './unreadable.js';

const MAX_PARTS_DEPTH = 64;
const MAX_HEADER_BYTES = 1024 * 1024;
const MAX_ADDRESSES = 50;

/** Reads a mail: the subject as its heading, sender and recipients, the text, the attachments. */
export function readEml(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  return readMail(content, context, newNesting());
}

export async function readMail(
  content: Uint8Array,
  context: ReadingContext,
  nesting: Nesting,
): Promise<Block[]> {
  const {
    subject = '',
    from,
    to = [],
    cc = [],
    date = '',
    html,
    text,
    attachments,
  } = await parse(content);
  return toMailBlocks(
    {
      subject,
      from: from ? formatAddress(from) : '',
      to: to.map(formatAddress),
      cc: cc.map(formatAddress),
      date,
      readHtml: () => {
        if (html === undefined) return Promise.resolve([]);
        return readWithPictures(html, (source) => findPicture(source, attachments), context);
      },
      text,
      readAttachments: async () => {
        const charsets = await readAttachmentCharsets(content);
        const files = attachments.map((each) => {
          const file = toAttachedFile(each);
          return { ...file, ...chooseCharset(file.bytes, charsets.get(each.filename ?? '')) };
        });
        return readAttachments(files, context, nesting);
      },
    },
    context,
  );
}

/** Reads a page that a browser or Word has saved in the form of a mail, with its pictures. */
export async function readArchivedPage(
  content: Uint8Array,
  context: ReadingContext,
): Promise<readonly Block[]> {
  const { html, text = '', attachments } = await parse(content);
  if (html === undefined) return readText(Buffer.from(text), context);
  return readWithPictures(html, (source) => findPicture(source, attachments), context);
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

/** The picture that a URL in the text refers to. */
function findPicture(source: string, attachments: readonly Attachment[]): Uint8Array | undefined {
  if (!source.startsWith('cid:')) return decodeDataUrl(source);
  const id = `<${source.slice(4)}>`;
  const attachment = attachments.find(({ contentId }) => contentId === id);
  return attachment && toAttachedFile(attachment).bytes;
}

function formatAddress({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.slice(0, MAX_ADDRESSES).map(formatAddress).join(', ')}`;
  return name && name !== address ? `${name} <${address}>` : address;
}

function toAttachedFile({
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
    /** Whether it is a picture within the text. */
    isInline: disposition === 'inline' && contentId !== undefined,
  };
}
