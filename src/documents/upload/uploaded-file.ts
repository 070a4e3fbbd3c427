import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** An uploaded file, which is removed when its request has been answered. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** The file name sent by the client. */
    readonly name: string,
    /** The media type that the client claims. */
    readonly declaredType: string,
    /** SHA-256. */
    readonly hash: string,
    readonly sizeBytes: number,
    /** The media type of its part as the client sent it, with parameters. */
    readonly partType = '',
  ) {}

  /** The fields covered by the fingerprint of an idempotent request. */
  toJSON(): object {
    const { name, hash, partType } = this;
    return { name, hash, ...(/charset/i.test(partType) && { partType }) };
  }
}

/** Writes a new file that only the service's user may read. */
export async function writeUpload(
  source: Readable,
  path: string,
): Promise<Pick<UploadedFile, 'hash' | 'sizeBytes'>> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await pipeline(
    source,
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const bytes of parts) {
        hash.update(bytes);
        sizeBytes += bytes.length;
        yield bytes;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
  return { hash: hash.digest('hex'), sizeBytes };
}
