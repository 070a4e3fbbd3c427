import { createHash } from 'node:crypto';
import { S3Client } from '@bradenmacdonald/s3-lite-client';
import { readText } from '@latchkey/text/read-text';
import type { Config } from '../config/config.js';

/** The tolerance for clock differences, added to the time limit of a request for its signature. */
const SIGNATURE_SECONDS = 60;
/** The time limit of a request. Uploads get more: the time they take at MIN_BYTES_PER_MS. */
const TIMEOUT_MS = 10_000;
const MIN_BYTES_PER_MS = 1000;
const ATTEMPTS = 2;
const MAX_ERROR_BYTES = 64 * 1024;

/** The store failed; a later attempt may succeed. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError';
}

/** The store works, but does not have the object. */
export class ObjectMissingError extends Error {
  override name = 'ObjectMissingError';
}

/** Another object already has the key. */
export class ObjectExistsError extends Error {
  override name = 'ObjectExistsError';
}

interface Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly headers?: Record<string, string>;
  readonly body?: Blob;
  readonly timeoutMs?: number;
}

/**
 * Accesses the objects below a prefix of a bucket with the S3 API. The library only signs URLs.
 * Requests are sent by `fetch`, because they need time limits, must stream, and must not follow
 * redirects.
 */
export class S3Bucket {
  private constructor(
    private readonly client: S3Client,
    private readonly prefix: string,
  ) {}

  /** @param location `s3://bucket/prefix` */
  static open(location: string, config: Config): S3Bucket {
    const { hostname: bucket, pathname } = new URL(location);
    const prefix = pathname.replace(/^\/|\/$/g, '');
    const client = new S3Client({
      endPoint: config.CONTENT_STORE_ENDPOINT ?? `https://s3.${config.AWS_REGION}.amazonaws.com`,
      region: config.AWS_REGION,
      bucket,
      // The provider's wildcard certificate does not cover a bucket name with dots as a host name.
      pathStyle: config.CONTENT_STORE_ENDPOINT !== undefined || bucket.includes('.'),
      ...(config.AWS_ACCESS_KEY_ID !== undefined && { accessKey: config.AWS_ACCESS_KEY_ID }),
      ...(config.AWS_SECRET_ACCESS_KEY !== undefined && {
        secretKey: config.AWS_SECRET_ACCESS_KEY,
      }),
      ...(config.AWS_SESSION_TOKEN !== undefined && { sessionToken: config.AWS_SESSION_TOKEN }),
    });
    return new S3Bucket(client, prefix && `${prefix}/`);
  }

  /**
   * @param sha256 in lower-case hexadecimal, if already known
   * @throws ObjectStoreError
   */
  async put(key: string, body: Blob, sha256?: string): Promise<void> {
    await this.putIf(key, body, {}, sha256);
  }

  /**
   * Creates an object; an existing one with the same bytes is kept.
   *
   * @throws ObjectExistsError, ObjectStoreError
   */
  async create(key: string, body: Blob): Promise<void> {
    try {
      await this.putIf(key, body, { 'if-none-match': '*' });
    } catch (error) {
      if (!(error instanceof ObjectExistsError)) throw error;
      const there = await (await this.get(key)).arrayBuffer();
      if (!Buffer.from(await body.bytes()).equals(Buffer.from(there))) throw error;
    }
  }

  private async putIf(
    key: string,
    body: Blob,
    condition: Record<string, string>,
    sha256?: string,
  ): Promise<void> {
    const hash =
      sha256 === undefined
        ? createHash('sha256')
            .update(await body.bytes())
            .digest()
        : Buffer.from(sha256, 'hex');
    // The store rejects a body changed in transit; the header is part of the signature.
    const headers = { 'x-amz-checksum-sha256': hash.toString('base64'), ...condition };
    const timeoutMs = TIMEOUT_MS + body.size / MIN_BYTES_PER_MS;
    const response = await this.send(key, { method: 'PUT', headers, body, timeoutMs });
    await response.body?.cancel();
  }

  /**
   * @param range the value of a `Range` header
   * @throws ObjectMissingError, ObjectStoreError
   */
  get(key: string, range?: string): Promise<Response> {
    return this.send(key, { method: 'GET', ...(range !== undefined && { headers: { range } }) });
  }

  /** @throws ObjectMissingError, ObjectStoreError */
  async delete(key: string): Promise<void> {
    const response = await this.send(key, { method: 'DELETE' });
    await response.body?.cancel();
  }

  /** Retries a failed request once, unless the failure is about the object. */
  private async send(key: string, request: Request): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sendOnce(key, request);
      } catch (error) {
        if (isFinal(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  private async sendOnce(
    key: string,
    { method, headers = {}, body, timeoutMs = TIMEOUT_MS }: Request,
  ): Promise<Response> {
    const url = await this.client.getPresignedUrl(method, this.prefix + key, {
      expirySeconds: Math.ceil((SIGNATURE_SECONDS * 1000 + timeoutMs) / 1000),
      extraHeaders: headers,
    });
    const aborter = new AbortController();
    // Limits the wait for the response's headers. Node.js itself aborts a body that stalls.
    const timeout = setTimeout(() => {
      aborter.abort();
    }, timeoutMs);
    try {
      const { signal } = aborter;
      const init = { method, headers, signal, redirect: 'manual', ...(body && { body }) } as const;
      const response = await fetch(url, init);
      if (response.ok) return response;
      throw await readFailure(response);
    } catch (error) {
      if (isFinal(error) || error instanceof ObjectStoreError) throw error;
      throw new ObjectStoreError('The object store cannot be reached', { cause: error });
    } finally {
      clearTimeout(timeout);
    }
  }
}

const isFinal = (error: unknown) =>
  error instanceof ObjectMissingError || error instanceof ObjectExistsError;

async function readFailure(response: Response): Promise<Error> {
  const text = await readText(response, MAX_ERROR_BYTES);
  // Only the error code is logged, because the rest of the body may repeat the signed request.
  const code = /<Code>(\w{1,100})<\/Code>/.exec(text)?.[1] ?? 'no code';
  if (response.status === 404 && code === 'NoSuchKey') {
    return new ObjectMissingError('There is no such object');
  }
  if (response.status === 412) return new ObjectExistsError('There is such an object');
  return new ObjectStoreError(`The object store answered ${response.status}, ${code}`);
}
