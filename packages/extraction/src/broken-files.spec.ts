import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Block } from './block.js';
import { detectFileType } from './detect-type.js';
import { broken, madeFiles, random } from '../../../test/support/broken-files.js';
import { Recognition } from './recognition/recognition.js';
import { loadReader } from './extract.js';
import { DOC, PPT, XLS, ZIP } from './formats.js';
import { Unreadable } from './unreadable.js';

const FILES = new URL('../test/files/', import.meta.url);
const CASES = Number(process.env['BROKEN_FILES'] ?? 300);
/** The processor time for one file; the limits of the process are far below the time of a hang. */
const MAX_MS = 10_000;

async function outcome(name: string, content: Buffer): Promise<readonly Block[] | Error> {
  const type = await detectFileType({
    name,
    declaredType: '',
    sample: content.subarray(0, 65_536),
    readAt: (position, length) => Promise.resolve(content.subarray(position, position + length)),
    // eslint-disable-next-line @typescript-eslint/require-await, require-yield
    async *partNames() {
      throw new Error('The directory is damaged.');
    },
  });
  return readOutcome(type, content);
}

async function readOutcome(
  type: string | undefined,
  content: Buffer,
): Promise<readonly Block[] | Error> {
  // LibreOffice is a process of its own, with its own limits.
  if (type === undefined || [DOC, XLS, PPT, ZIP].includes(type)) return [];
  try {
    return await (
      await loadReader(type)
    )(content, {
      progress: () => undefined,
      warn: () => undefined,
      recognition: new Recognition({ ocr: 'auto', maxPages: 10, recognised: [] }),
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

describe('a broken file of any format', () => {
  const names = readdirSync(FILES);
  const files = names.map((name) => readFileSync(new URL(name, FILES)));

  it(`ends in blocks or an error, ${CASES} times`, async () => {
    const next = random(33);
    const pick = () => Math.floor(next() * files.length);
    const unexpected = new Map<string, number>();
    for (let n = 0; n < CASES; n++) {
      const index = pick();
      const name = names[index] ?? '';
      const before = process.cpuUsage();
      const file = files[index] ?? Buffer.alloc(0);
      const result = await outcome(name, broken(file, files[pick()] ?? file, next));
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(MAX_MS);
      if (result instanceof Error && !(result instanceof Unreadable)) {
        const key = `${name}: ${result.message}`;
        unexpected.set(key, (unexpected.get(key) ?? 0) + 1);
      }
    }
    expect([...unexpected.keys()]).toEqual([]);
  }, 600_000);

  it(`also of those with pages and pictures, ${CASES} times`, async () => {
    const next = random(21);
    const made = await madeFiles();
    const pick = () => Math.floor(next() * made.length);
    const unexpected = new Set<string>();
    for (let n = 0; n < CASES; n++) {
      const [type, file] = made[pick()] ?? ['', Buffer.alloc(0)];
      const before = process.cpuUsage();
      const result = await readOutcome(type, broken(file, made[pick()]?.[1] ?? file, next));
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(MAX_MS);
      if (result instanceof Error && !(result instanceof Unreadable)) {
        unexpected.add(`${type}: ${result.message}`);
      }
    }
    // The process makes `parse_failed` of what a library throws, and ends: it costs a start.
    expect([...unexpected]).toEqual([]);
  }, 600_000);
});
