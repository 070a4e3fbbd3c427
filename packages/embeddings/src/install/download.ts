import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { LocalModelError } from '../local-model-error.js';

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const PAUSE_MS = 2000;
/** Headers in which the hub sends the SHA-256 of a file; after a redirect, only the first answer has it. */
const HASH_HEADERS = ['x-linked-etag', 'etag'];
const SHA256 = /^(?:W\/)?"?([0-9a-f]{64})"?$/;

/**
 * Downloads a file, continuing an interrupted download in `<path>.part`. The file appears at its path only when
 * it is complete and has the hash that the server names, if it names one.
 *
 * @param onBytes called with the number of bytes of each part
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
      const actual = await hashFile(part);
      if (expected !== undefined && expected !== actual) {
        await rm(part, { force: true });
        throw new LocalModelError(`${url} has another hash than its server says`);
      }
      await rename(part, path);
      return true;
    } catch (error) {
      if (signal?.aborted || attempt === ATTEMPTS) throw toModelError(url, error);
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
  const named = await fetch(url, { method: 'HEAD', redirect: 'manual', ...createLimits(signal) });
  if (named.status === 404) return false;
  const hash = HASH_HEADERS.map((name) => SHA256.exec(named.headers.get(name) ?? '')?.[1]).find(
    (value) => value !== undefined,
  );
  const response = await fetch(url, {
    headers: have > 0 ? { range: `bytes=${have}-` } : {},
    ...createLimits(signal),
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

const createLimits = (signal: AbortSignal | undefined) => ({
  // The time includes the whole body; on a slow line the next attempt continues it.
  signal: AbortSignal.any([
    AbortSignal.timeout(10 * TIMEOUT_MS),
    ...(signal === undefined ? [] : [signal]),
  ]),
});

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function toModelError(url: string, error: unknown): LocalModelError {
  if (error instanceof LocalModelError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LocalModelError(`${url} cannot be downloaded: ${reason}`);
}
