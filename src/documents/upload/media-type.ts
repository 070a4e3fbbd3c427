import { open } from 'node:fs/promises';
import { Problem } from '../../platform/problems/problem.js';
import {
  declaredArchiveType,
  detectType,
  isArchive,
  SAMPLE_BYTES,
  typeOfDamagedArchive,
  typeOfPart,
} from '@latchkey/extraction/detect-type';
import { FORMATS } from '@latchkey/extraction/formats';
import type { UploadedFile } from './uploaded-file.js';

/** An Office document with more parts cannot be read anyway. */
const MAX_PARTS = 20_000;

const FORMAT_NAMES = new Intl.ListFormat('en').format(
  Array.from(FORMATS.values(), ({ name }) => name),
);

/**
 * Detects the media type from the content. The file name and the client's claim are used only to
 * tell one text format from another.
 *
 * @throws Problem `unsupported_media_type`
 */
export async function mediaTypeOf(file: UploadedFile, chosen?: string): Promise<string> {
  const sample = await sampleOf(file);
  const type = isArchive(sample)
    ? await archiveType(file, sample)
    : detectType(sample, file, chosen);
  if (type === undefined) {
    throw new Problem('unsupported_media_type', {
      detail: `The file is none of ${FORMAT_NAMES}.`,
    });
  }
  return type;
}

async function sampleOf({ path }: UploadedFile): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function archiveType({ path }: UploadedFile, sample: Buffer): Promise<string | undefined> {
  const declared = declaredArchiveType(sample);
  if (declared !== undefined) return declared;
  try {
    const { openPromise } = await import('yauzl');
    let parts = 0;
    const archive = await openPromise(path);
    for await (const { fileName } of archive.eachEntry()) {
      const type = typeOfPart(fileName);
      if (type !== undefined) return type;
      if (++parts > MAX_PARTS) return undefined;
    }
    return undefined;
  } catch {
    // A truncated or damaged archive, which fails when the document is read.
    return typeOfDamagedArchive(sample);
  }
}
