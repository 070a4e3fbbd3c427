import { buffer } from 'node:stream/consumers';
import mammoth from 'mammoth';
import { type Entry, fromBufferPromise } from 'yauzl';
import { readMarkup } from './read-html.js';
import type { Section } from './section.js';
import { Unreadable } from './unreadable.js';

const MAX_ENTRIES = 5000;
/** Of the XML parts. Pictures are not read. */
const MAX_INFLATED_BYTES = 32 * 1024 * 1024;

/** The interface by which mammoth reads the parts of a DOCX. */
interface Parts {
  exists(name: string): boolean;
  read(name: string, encoding?: string): Promise<string | Uint8Array>;
}

export async function readDocx(content: Uint8Array): Promise<Section[]> {
  const parts = await openParts(content);
  // mammoth also takes an open archive, which its types do not say.
  const { value } = await mammoth.convertToHtml({ file: parts } as unknown as { buffer: Buffer }, {
    convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
  });
  return readMarkup(value);
}

/**
 * Opens the archive without inflating it. The declared sizes are checked first, and yauzl fails on a
 * part that grows beyond its declared size, so an archive bomb cannot exceed MAX_INFLATED_BYTES.
 */
async function openParts(content: Uint8Array): Promise<Parts> {
  const archive = await fromBufferPromise(Buffer.from(content));
  const entries = new Map<string, Entry>();
  let inflated = 0;
  for await (const entry of archive.eachEntry()) {
    if (entries.size >= MAX_ENTRIES) throw tooLarge();
    if (/\.(xml|rels)$/i.test(entry.fileName)) inflated += entry.uncompressedSize;
    if (inflated > MAX_INFLATED_BYTES) throw tooLarge();
    if (entry.isEncrypted()) throw new Unreadable('parse_failed', 'The document is encrypted.');
    entries.set(entry.fileName, entry);
  }
  return {
    exists: (name) => entries.has(name),
    read: async (name, encoding) => {
      const entry = entries.get(name);
      if (!entry || entry.uncompressedSize > MAX_INFLATED_BYTES) throw tooLarge();
      const bytes = await buffer(await archive.openReadStreamPromise(entry));
      if (encoding === undefined) return bytes;
      if (encoding === 'base64') return bytes.toString('base64');
      const text = new TextDecoder(encoding).decode(bytes);
      if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
        throw new Unreadable('parse_failed', 'The document defines XML entities.');
      }
      return text;
    },
  };
}

const tooLarge = () => new Unreadable('too_large', 'The document unpacks to too much.');
