import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { getErrorCode } from '../../platform/database/driver-error.js';
import type { Config } from '../../platform/config/config.js';
import type { AuditBatch } from './audit-stream.entity.js';

const STDOUT = 1;
const NEWLINE = 0x0a;
/** The pause before the next attempt if standard output is full. */
const READER_MS = 20;
/** How long an object in S3 waits for more lines. */
const OBJECT_MS = 10_000;

/** The destination of lines. */
export interface AuditSink {
  /** How long events are waiting to be written together with others. */
  readonly patienceMs: number;
  /** Writes all lines, or throws. Then some may have been written, and all are written again. */
  write(batch: AuditBatch): Promise<void>;
}

/** @param location AUDIT_LOG */
export async function openAuditSink(location: string, config: Config): Promise<AuditSink> {
  if (location === 'stdout') return { patienceMs: 0, write: writeToStdout };
  const [, path] = /^file:(.+)$/.exec(location) ?? [];
  if (path !== undefined) {
    return { patienceMs: 0, write: ({ lines }) => appendToFile(path, lines) };
  }
  // The import is here so that a service without an object store does not load it.
  const { ObjectExistsError, S3Bucket } = await import('../../platform/object-store/s3-bucket.js');
  const bucket = S3Bucket.open(location, config);
  return {
    patienceMs: OBJECT_MS,
    write: async ({ chainId, sequence, lastSequence, lines }) => {
      // A batch that is written again is the same object.
      const numbers = [sequence, lastSequence].map((one) => String(one).padStart(15, '0'));
      const key = `${chainId}/${numbers.join('-')}.jsonl`;
      await bucket.create(key, new Blob([lines])).catch((error: unknown) => {
        if (!(error instanceof ObjectExistsError)) throw error;
        throw new Error(
          `the bucket has other lines as ${key}; if the database is of an earlier time, run npm run audit -- new-chain`,
        );
      });
    },
  };
}

/**
 * Writes without `process.stdout`, whose queue would let log lines, which are written synchronously, into
 * the middle of these lines.
 */
async function writeToStdout({ lines }: AuditBatch): Promise<void> {
  const notWritten = Buffer.from(lines);
  for (let start = 0; start < notWritten.length;) {
    const end = notWritten.indexOf(NEWLINE, start) + 1;
    // Before a line has begun, others may be served. A line that has begun is completed at once.
    let written = writeSome(notWritten.subarray(start, end));
    if (written === 0) await pause(READER_MS, undefined, { ref: false });
    while (written > 0 && written < end - start) {
      const more = writeSome(notWritten.subarray(start + written, end));
      if (more === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READER_MS);
      written += more;
    }
    start += written;
  }
}

/** @returns how many bytes were taken; none by a pipe that is full */
function writeSome(bytes: Buffer): number {
  try {
    return writeSync(STDOUT, bytes);
  } catch (error) {
    if (getErrorCode(error) === 'EAGAIN') return 0;
    throw error;
  }
}

/** Opens the file for each batch, so that a file moved away by log rotation gets no more lines. */
async function appendToFile(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    // A killed process may have left part of a line.
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    await file.appendFile(size > 0 && last.toString() !== '\n' ? `\n${lines}` : lines);
    await file.datasync();
  } finally {
    await file.close();
  }
}
