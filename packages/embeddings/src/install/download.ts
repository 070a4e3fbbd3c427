import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { LocalModelError } from '../local-model-error.js';

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const PAUSE_MS = 2000;
/** How the hub names the SHA-256 of a file; behind a redirect, only the first answer has it. */
const HASH_HEADERS = ['x-linked-etag', 'etag'];
const SHA256 = /^(?:W\/)?"?([0-9a-f]{64})"?$/;

/**
 * Downloads a file. What an interrupted download has left in `<path>.part` is continued. The file
 * is at its path only when it is complete, and its hash that of the server where it names one.
 *
 * @param onBytes called with the number of bytes that each part of it has
 * @returns false when the server does not have it
 * @throws LocalModelError
 */
export async function download(
  url: string,
  path: string,
  onBytes: (count: number) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const part = `${path}.part`;
  for (let attempt = 1; ; attempt++) {
    try {
      const expected = await fetchRest(url, part, onBytes, signal);
      if (expected === false) return false;
      const actual = await sha256Of(part);
      if (expected !== undefined && expected !== actual) {
        await rm(part, { force: true });
        throw new LocalModelError(`${url} has another hash than its server says`);
      }
      await rename(part, path);
      return true;
    } catch (error) {
      if (signal?.aborted || attempt === ATTEMPTS) throw asModelError(url, error);
      await new Promise((resolve) => setTimeout(resolve, attempt * PAUSE_MS));
    }
  }
}

/** @returns the SHA-256 that the server names, if any; false when it does not have the file */
async function fetchRest(
  url: string,
  part: string,
  onBytes: (count: number) => void,
  signal: AbortSignal | undefined,
): Promise<string | undefined | false> {
  const have = await stat(part).then(
    ({ size }) => size,
    () => 0,
  );
  const named = await fetch(url, { method: 'HEAD', redirect: 'manual', ...limits(signal) });
  if (named.status === 404) return false;
  const hash = HASH_HEADERS.map((name) => SHA256.exec(named.headers.get(name) ?? '')?.[1]).find(
    (value) => value !== undefined,
  );
  const response = await fetch(url, {
    headers: have > 0 ? { range: `bytes=${have}-` } : {},
    ...limits(signal),
  });
  // The whole file is there already.
  if (response.status === 416) return hash;
  if (response.status === 404) return false;
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  const isRest = response.status === 206;
  if (isRest) onBytes(have);
  await pipeline(
    response.body,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        onBytes(chunk.length);
        yield chunk;
      }
    },
    createWriteStream(part, { flags: isRest ? 'a' : 'w' }),
  );
  return hash;
}

const limits = (signal: AbortSignal | undefined) => ({
  // Of the headers and of the whole body, which on a slow line is continued by the next attempt.
  signal: AbortSignal.any([
    AbortSignal.timeout(10 * TIMEOUT_MS),
    ...(signal === undefined ? [] : [signal]),
  ]),
});

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function asModelError(url: string, error: unknown): LocalModelError {
  if (error instanceof LocalModelError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LocalModelError(`${url} cannot be downloaded: ${reason}`);
}
