import { open } from 'node:fs/promises';
import { Problem } from '../../platform/problems/problem.js';
import { SAMPLE_BYTES, detectFileType } from '@latchkey/extraction/detect-type';
import { FORMATS } from '@latchkey/extraction/formats';
import type { UploadedFile } from './uploaded-file.js';

const FORMAT_NAMES = new Intl.ListFormat('en').format(
  Array.from(FORMATS.values(), ({ name }) => name),
);

/**
 * Detects the media type from the content. The file name and the client's claim are used only to
 * tell one text format from another.
 *
 * @throws Problem `unsupported_media_type`
 */
export async function detectMediaType(file: UploadedFile, chosen?: string): Promise<string> {
  const type = await detectType(file, chosen);
  if (type === undefined) {
    throw new Problem('unsupported_media_type', {
      detail: `The file must be in one of the formats ${FORMAT_NAMES}, or a ZIP archive of such files.`,
    });
  }
  return type;
}

async function detectType(
  { path, name, declaredType }: UploadedFile,
  chosen?: string,
): Promise<string | undefined> {
  const file = await open(path);
  try {
    const readAt = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const sample = await readAt(0, SAMPLE_BYTES);
    return await detectFileType({ name, declaredType, sample, readAt, partNames }, chosen);
  } finally {
    await file.close();
  }

  async function* partNames() {
    const { openPromise } = await import('yauzl');
    for await (const { fileName } of (await openPromise(path)).eachEntry()) yield fileName;
  }
}
