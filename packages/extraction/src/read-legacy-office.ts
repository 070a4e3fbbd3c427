import type { Block, Reader, ReadingContext } from './block.js';
import { type ReadAt, readRootEntries } from './ole/compound-file.js';
import { convert } from './ole/libreoffice.js';
import { readDocx } from './read-docx.js';
import { readPptx } from './read-pptx.js';
import { readXlsx } from './read-xlsx.js';
import { Unreadable } from './unreadable.js';

/** The record of a workbook that says the following ones are encrypted, and the length of its header. */
const FILEPASS = 0x2f;
const RECORD_HEADER = 4;

export const readDoc = withConversion('docx', readDocx);
export const readXls = withConversion('xlsx', readXlsx);
export const readPpt = withConversion('pptx', readPptx);

/** Creates a reader for a format of Office before 2007, which LibreOffice converts. */
function withConversion(extension: string, read: Reader) {
  return async (content: Uint8Array, context: ReadingContext): Promise<readonly Block[]> => {
    if (await isEncrypted(content)) {
      throw new Unreadable('encrypted', 'The document is encrypted.');
    }
    const converted = await convert(content, extension);
    context.progress();
    return read(converted, context);
  };
}

async function isEncrypted(content: Uint8Array): Promise<boolean> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const readAt: ReadAt = (position, length) =>
    Promise.resolve(bytes.subarray(position, position + length));
  return (await readRootEntries(readAt)).some(({ name, start }) => {
    switch (name) {
      case 'EncryptedSummary':
        return true;
      case 'WordDocument':
        return start.length > 11 && (start.readUInt16LE(10) & 0x100) !== 0;
      case 'Workbook':
      case 'Book':
        return hasRecord(start, FILEPASS);
      default:
        return false;
    }
  });
}

function hasRecord(records: Buffer, wanted: number): boolean {
  for (let at = 0; at + RECORD_HEADER <= records.length;) {
    if (records.readUInt16LE(at) === wanted) return true;
    at += RECORD_HEADER + records.readUInt16LE(at + 2);
  }
  return false;
}
