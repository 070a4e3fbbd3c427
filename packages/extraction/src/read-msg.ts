import { decompressRTF } from '@kenjiuno/decompressrtf';
import msgReader, { type FieldsData } from '@kenjiuno/msgreader';
import type { Block, ReadingContext } from './block.js';
import { decodeText } from './decode-text.js';
import { MSG } from './formats.js';
import {
  type AttachedFile,
  readAttachments,
  type Nesting,
  newNesting,
} from './mail/attachments.js';
import { toMailBlocks } from './mail/mail-blocks.js';
import { readMarkup } from './read-html.js';
import { readRtf } from './read-rtf.js';
import { Unreadable } from './unreadable.js';

/** Reads a mail of Outlook: the subject as its heading, sender and recipients, the text, the attachments. */
export function readMsg(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  return readMessage(content, context, newNesting());
}

export async function readMessage(
  content: Uint8Array,
  context: ReadingContext,
  nesting: Nesting,
): Promise<Block[]> {
  const { fields, attachments } = parse(content);
  return toMailBlocks(
    {
      subject: fields.subject ?? '',
      from: formatPerson(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
      to: listRecipients(fields, 'to'),
      cc: listRecipients(fields, 'cc'),
      date: formatDate(fields.messageDeliveryTime ?? fields.clientSubmitTime ?? ''),
      readHtml: () => Promise.resolve(readBody(fields, context)),
      text: fields.body,
      readAttachments: () => readAttachments(attachments, context, nesting),
    },
    context,
  );
}

function parse(content: Uint8Array) {
  try {
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    const message = new msgReader.default(view);
    const data = message.getFileData();
    if (data.error !== undefined) throw new Error(data.error);
    const recipients = (data.recipients ?? []).map(withoutBytes);
    const fields: FieldsData = { ...withoutBytes(data), recipients };
    const attachments = (fields.attachments ?? []).map((attachment): AttachedFile => {
      const { fileName, content: bytes } = message.getAttachment(attachment);
      if (typeof fileName !== 'string') throw new Error('The name of an attachment is no text');
      const isMessage = attachment.innerMsgContent === true;
      return {
        name: fileName.trim(),
        declaredType: isMessage ? MSG : (attachment.attachMimeTag ?? ''),
        bytes,
        isInline: attachment.attachmentHidden === true || attachment.pidContentId !== undefined,
      };
    });
    return { fields, attachments };
  } catch {
    throw new Unreadable('parse_failed', 'The mail has no form that can be read.');
  }
}

/** The fields that may be bytes; a damaged file may have bytes in others too. */
const BYTES = new Set(['html', 'compressedRtf']);

function withoutBytes(fields: FieldsData): FieldsData {
  const kept = Object.entries(fields).filter(
    ([name, value]) => BYTES.has(name) === (value as unknown) instanceof Uint8Array,
  );
  return { dataType: fields.dataType, ...Object.fromEntries(kept) };
}

/** Reads the body, which is HTML or RTF. */
function readBody({ bodyHtml, html, compressedRtf }: FieldsData, context: ReadingContext) {
  if (html !== undefined) return readMarkup(decodeText(html));
  if (bodyHtml !== undefined) return readMarkup(bodyHtml);
  if (compressedRtf === undefined) return [];
  try {
    return readRtf(Uint8Array.from(decompressRTF([...compressedRtf])), context);
  } catch {
    // The plain text of the body is used instead.
    return [];
  }
}

const listRecipients = ({ recipients = [] }: FieldsData, type: FieldsData['recipType']) =>
  recipients
    .filter(({ recipType }) => recipType === type)
    .map(({ name, smtpAddress, email }) => formatPerson(name, smtpAddress ?? email));

/** Formats a name and address. Internal addresses of Exchange are left out. */
function formatPerson(name = '', address = ''): string {
  const known = address.includes('@') ? address : '';
  if (known === '' || known === name) return name;
  return name === '' ? known : `${name} <${known}>`;
}

/** Formats a date as ISO 8601; empty if the text is not a date. */
function formatDate(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
