import { createHash } from 'node:crypto';
import { fromBufferPromise } from 'yauzl';
import type { Block, ReadingContext } from '../block.js';
import { pictureType, SAMPLE_BYTES, typeOfFile } from '../detect-type.js';
import { EML, MSG, ZIP } from '../formats.js';
import { readerOf } from '../extract.js';
import { imagesOfFile } from '../recognition/document-images.js';
import { NOTHING_RECOGNISED } from '../recognition/nothing-recognised.js';
import { Unreadable } from '../unreadable.js';
import { withoutLocators } from '../without-locators.js';

const MAX_DEPTH = 3;
/** Attachments that are read; further ones are named. */
const MAX_READ = 20;
const MAX_NAMED = 100;
const MAX_NAME = 200;
/** Some of these are text, such as SVG, but none that is written to be read. */
const NO_DOCUMENT =
  /^(?:(?:image|audio|video|font)\/|text\/(?:calendar|(?:x-)?vcard)|application\/(?:pgp-|(?:x-)?pkcs7-|ics))/i;

export interface AttachedFile {
  readonly name: string;
  readonly declaredType: string;
  readonly bytes: Uint8Array;
  readonly isInline: boolean;
}

/**
 * Reads the attachments of a mail that are documents; the others are named.
 *
 * @param depth how many mails this one is attached to
 */
export async function attachmentBlocks(
  files: readonly AttachedFile[],
  context: ReadingContext,
  depth: number,
): Promise<Block[]> {
  const blocks: Block[] = [];
  const others: string[] = [];
  let read = 0;
  for (const file of files) {
    const name = file.name.slice(0, MAX_NAME);
    const type = await typeOf(file);
    const isPicture = type === undefined && pictureType(file.bytes) !== undefined;
    const seen =
      isPicture && !context.recognition.isOff ? await blocksOfPicture(file.bytes, context) : [];
    if (seen.length > 0)
      blocks.push({ kind: 'heading', level: 1, text: name || 'Picture' }, ...seen);
    if (type === undefined || read >= MAX_READ || (isMessage(type) && depth >= MAX_DEPTH)) {
      if (!file.isInline && name !== '') others.push(name);
      continue;
    }
    read++;
    const title: Block = { kind: 'heading', level: 1, text: name || 'Attachment' };
    try {
      const texts = await readAttachment(file.bytes, type, context, depth);
      // Pages and rows are the attachment's, not the mail's.
      const placed = texts.map(withoutLocators);
      if (placed.length > 0) {
        blocks.push(title);
        for (const block of placed) {
          blocks.push(block.kind === 'heading' ? { ...block, level: block.level + 1 } : block);
        }
      }
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

/** What decodes pictures is large, and few mails have any. */
async function blocksOfPicture(bytes: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const { pictureBlocks } = await import('../recognition/picture-blocks.js');
  return pictureBlocks(bytes, context);
}

async function readAttachment(
  bytes: Uint8Array,
  type: string,
  context: ReadingContext,
  depth: number,
): Promise<readonly Block[]> {
  if (!isMessage(type)) {
    const key = createHash('sha256').update(bytes).digest('base64');
    const pages = context.recognition.within({ key, images: () => imagesOfFile(type, bytes) });
    const read = await readerOf(type);
    return read(bytes, { ...context, recognition: pages ?? NOTHING_RECOGNISED });
  }
  if (type === MSG) return (await import('../read-msg.js')).readMessage(bytes, context, depth + 1);
  const { readMail } = await import('../read-eml.js');
  return readMail(bytes, context, depth + 1);
}

async function typeOf({ bytes, name, declaredType }: AttachedFile): Promise<string | undefined> {
  if (bytes.length === 0 || NO_DOCUMENT.test(declaredType)) return undefined;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = await typeOfFile({
    name,
    declaredType,
    sample: content.subarray(0, SAMPLE_BYTES),
    readAt: (position, length) => Promise.resolve(content.subarray(position, position + length)),
    async *partNames() {
      for await (const { fileName } of (await fromBufferPromise(content)).eachEntry())
        yield fileName;
    },
  });
  return type === ZIP ? undefined : type;
}

const isMessage = (type: string) => type === EML || type === MSG;
