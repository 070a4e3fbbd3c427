import { createHash } from 'node:crypto';
import { fromBufferPromise } from 'yauzl';
import { Archive } from '../archive/archive.js';
import type { Block, ReadingContext } from '../block.js';
import { detectPictureType, SAMPLE_BYTES, detectFileType } from '../detect-type.js';
import { EML, MSG, NO_FILE, ZIP } from '../formats.js';
import { loadReader } from '../extract.js';
import { readCalendar, isCalendar } from './calendar.js';
import { openFileImages } from '../recognition/document-images.js';
import { NOTHING_RECOGNISED } from '../recognition/nothing-recognised.js';
import { Unreadable } from '../unreadable.js';
import { withoutLocators } from '../without-locators.js';

const MAX_DEPTH = 3;
/** Limits what is unpacked from the archives in a mail and in the mails attached to it. */
const MAX_UNPACKED = { files: 100, bytes: 128 * 1024 * 1024 };
/** The number of attachments that are read; further ones are only named. */
const MAX_READ = 20;
const MAX_NAMED = 100;
const MAX_NAME = 200;
/** Some of these are text, such as SVG, but not prose. */
const NO_DOCUMENT =
  /^(?:(?:image|audio|video|font)\/|text\/(?:x-)?vcard|application\/(?:pgp-|(?:x-)?pkcs7-))/i;

export interface AttachedFile {
  readonly name: string;
  readonly declaredType: string;
  readonly bytes: Uint8Array;
  readonly isInline: boolean;
  /** The encoding that its mail declares, if the content is really in it. */
  readonly charset?: string;
}

/** The mails and archives around a mail. */
export interface Nesting {
  /** The number of mails and archives around it. */
  readonly depth: number;
  /** The files and bytes that archives of the outermost mail may still unpack. */
  readonly left: { files: number; bytes: number };
}

export const newNesting = (): Nesting => ({ depth: 0, left: { ...MAX_UNPACKED } });

/** Reads the attachments of a mail, or the files of an archive, that are documents; the others are named. */
export async function readAttachments(
  files: readonly AttachedFile[] | AsyncIterable<AttachedFile>,
  context: ReadingContext,
  nesting: Nesting,
): Promise<Block[]> {
  const blocks: Block[] = [];
  const others: string[] = [];
  const calendars = new Set<string>();
  let read = 0;
  for await (const file of files) {
    const name = file.name.slice(0, MAX_NAME);
    if (isCalendar(name, file.declaredType)) {
      const events = readCalendar(file.bytes, withOwnCharset(file, context));
      if (events.length === 0) {
        context.warn({ code: 'not_read', what: name || 'calendar' });
        if (name !== '') others.push(name);
      }
      // An invitation is often both in the mail and attached to it.
      const text = JSON.stringify(events);
      if (!calendars.has(text)) blocks.push(...events);
      calendars.add(text);
      continue;
    }
    const type = await detectAttachedType(file);
    const isPicture = type === undefined && detectPictureType(file.bytes) !== undefined;
    const seen =
      isPicture && !context.recognition.isOff ? await readAttachedPicture(file.bytes, context) : [];
    if (seen.length > 0)
      blocks.push({ kind: 'heading', level: 1, text: name || 'Picture' }, ...seen);
    if (type === undefined || read >= MAX_READ || (hasFiles(type) && nesting.depth >= MAX_DEPTH)) {
      if (!file.isInline && name !== '') others.push(name);
      continue;
    }
    read++;
    const title: Block = { kind: 'heading', level: 1, text: name || 'Attachment' };
    try {
      const texts = await readAttachment(file, type, context, nesting);
      // Page and row numbers refer to the attachment, not to the mail.
      const placed = texts.map(withoutLocators);
      if (placed.length > 0) {
        blocks.push(title);
        for (const block of placed) {
          blocks.push(block.kind === 'heading' ? { ...block, level: block.level + 1 } : block);
        }
      } else if (!file.isInline && name !== '') others.push(name);
    } catch (error) {
      if (error instanceof Unreadable && error.code === 'too_large') throw error;
      context.warn({
        code: 'attachment_unreadable',
        message: `The attachment “${name}” could not be read.`,
      });
      if (name !== '') others.push(name);
    }
    context.progress();
  }
  if (others.length > 0) {
    const text = `Attachments: ${others.slice(0, MAX_NAMED).join(', ')}`;
    blocks.unshift({ kind: 'paragraph', text });
  }
  return blocks;
}

/** Loads the decoder only when needed: it is large, and few mails contain pictures. */
async function readAttachedPicture(bytes: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const { readPictureBlocks } = await import('../recognition/picture-blocks.js');
  return readPictureBlocks(bytes, context);
}

async function readAttachment(
  file: AttachedFile,
  type: string,
  context: ReadingContext,
  { depth, left }: Nesting,
): Promise<readonly Block[]> {
  const { bytes } = file;
  if (!hasFiles(type)) {
    const key = createHash('sha256').update(bytes).digest('base64');
    const pages = context.recognition.within({ key, images: () => openFileImages(type, bytes) });
    const read = await loadReader(type);
    return read(bytes, {
      ...withOwnCharset(file, context),
      recognition: pages ?? NOTHING_RECOGNISED,
    });
  }
  const within = { depth: depth + 1, left };
  if (type === ZIP) return readAttachments(unpackFiles(bytes, context, left), context, within);
  if (type === MSG) return (await import('../read-msg.js')).readMessage(bytes, context, within);
  const { readMail } = await import('../read-eml.js');
  return readMail(bytes, context, within);
}

/** Replaces the encoding of the mail with that of the attachment. */
function withOwnCharset({ charset }: AttachedFile, context: ReadingContext): ReadingContext {
  const { charset: _charset, ...own } = context;
  return { ...own, ...(charset !== undefined && { charset }) };
}

/** The files of an archive, one after the other; those that cannot be unpacked are empty. */
async function* unpackFiles(
  content: Uint8Array,
  context: ReadingContext,
  left: Nesting['left'],
): AsyncGenerator<AttachedFile> {
  const archive = await Archive.open(content, context);
  for (const name of archive.names) {
    if (NO_FILE.test(name)) continue;
    const mayUnpack = left.files-- > 0 && left.bytes > 0;
    const bytes = (mayUnpack && (await archive.readFile(name))) || Buffer.alloc(0);
    left.bytes -= bytes.length;
    yield { name, declaredType: '', bytes, isInline: false };
  }
}

async function detectAttachedType({
  bytes,
  name,
  declaredType,
}: AttachedFile): Promise<string | undefined> {
  if (bytes.length === 0 || NO_DOCUMENT.test(declaredType)) return undefined;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return detectFileType({
    name,
    declaredType,
    sample: content.subarray(0, SAMPLE_BYTES),
    readAt: (position, length) => Promise.resolve(content.subarray(position, position + length)),
    async *partNames() {
      for await (const { fileName } of (await fromBufferPromise(content)).eachEntry())
        yield fileName;
    },
  });
}

const hasFiles = (type: string) => type === EML || type === MSG || type === ZIP;
