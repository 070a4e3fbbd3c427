import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { Config } from '../../platform/config/config.js';
import { ObjectMissingError, S3Bucket } from '../../platform/object-store/s3-bucket.js';
import {
  type ByteRange,
  ContentMissingError,
  type ContentSource,
  type ContentStore,
  ContentStoreError,
} from './content-store.js';

/** Stores contents in a bucket with the S3 API. */
export class S3ContentStore implements ContentStore {
  readonly inlineBytes = 0;

  private constructor(
    readonly location: string,
    private readonly bucket: S3Bucket,
  ) {}

  /** @param location `s3://bucket/prefix` */
  static open(location: string, config: Config): S3ContentStore {
    return new S3ContentStore(location, S3Bucket.open(location, config));
  }

  async write(key: string, { path, read, sha256 }: ContentSource): Promise<void> {
    // `openAsBlob` streams the file; it is not read into memory.
    const body =
      path === undefined ? new Blob([new Uint8Array(await read())]) : await openAsBlob(path);
    await this.bucket.put(key, body, sha256).catch(rethrow);
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const header = range && `bytes=${range.first}-${range.last}`;
    const { body, status } = await this.bucket.get(key, header).catch(rethrow);
    if (range && status !== 206) {
      await body?.cancel();
      throw new ContentStoreError('The object store does not send parts of an object');
    }
    return body ? Readable.fromWeb(body) : Readable.from([]);
  }

  async remove(key: string): Promise<void> {
    await this.bucket.delete(key).catch(rethrow);
  }
}

function rethrow(error: unknown): never {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const Failure = error instanceof ObjectMissingError ? ContentMissingError : ContentStoreError;
  throw new Failure(message, { cause: error });
}
