import { open } from 'node:fs/promises';
import type { Config } from '../../../platform/config/config.js';
import type { AuditBatch } from './audit-stream.entity.js';

/** How long an object of S3 waits for more lines. */
const OBJECT_MS = 10_000;

/** Where lines are written to. */
export interface AuditSink {
  /** How long events wait for others to be written with. */
  readonly patienceMs: number;
  /** Writes all lines, or throws: then some may have been written, and all are written again. */
  write(batch: AuditBatch): Promise<void>;
}

/** @param location AUDIT_LOG */
export async function openAuditSink(location: string, config: Config): Promise<AuditSink> {
  if (location === 'stdout') return { patienceMs: 0, write: writeToStdout };
  const [, path] = /^file:(.+)$/.exec(location) ?? [];
  if (path !== undefined) {
    return { patienceMs: 0, write: ({ lines }) => appendToFile(path, lines) };
  }
  // Imported here, so that a service without an object store does not load it.
  const { S3Bucket } = await import('../../../platform/object-store/s3-bucket.js');
  const bucket = S3Bucket.open(location, config);
  return {
    patienceMs: OBJECT_MS,
    write: ({ chainId, sequence, lastSequence, lines }) => {
      // A batch is the same object when it is written again.
      const numbers = [sequence, lastSequence].map((one) => String(one).padStart(15, '0'));
      return bucket.put(`${chainId}/${numbers.join('-')}.jsonl`, new Blob([lines]));
    },
  };
}

const writeToStdout = ({ lines }: AuditBatch): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(lines, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });

/** Opened for each batch, so that a file that was moved away by a rotation gets no more lines. */
async function appendToFile(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    // A process that was killed may have left a part of a line.
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    await file.appendFile(size > 0 && last.toString() !== '\n' ? `\n${lines}` : lines);
    await file.datasync();
  } finally {
    await file.close();
  }
}
