import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Block } from './block.js';
import { typeOfFile } from './detect-type.js';
import { docx, documentXml, paragraph } from '../../../test/support/files.js';
import { epub, pptx, relationships, shape } from '../../../test/support/office-files.js';
import { pageOf, pdf } from '../../../test/support/pdf.mjs';
import { noise } from '../../../test/support/scans.js';
import { Recognition } from './recognition/recognition.js';
import { readerOf } from './extract.js';
import { DOC, DOCX, EPUB, PPT, PPTX, XLS, ZIP } from './formats.js';
import { Unreadable } from './unreadable.js';

const FILES = new URL('../test/files/', import.meta.url);
const CASES = Number(process.env['BROKEN_FILES'] ?? 300);
/** Of one file, on a busy machine; the limits of the process are far below what a hang would take. */
const MAX_MS = 10_000;

/** Numbers from 0 to below 1 that are the same at each run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A file that is cut off, has wrong bytes, or goes on as another one. */
function broken(file: Buffer, other: Buffer, next: () => number): Buffer {
  const at = (length: number) => Math.floor(next() * length);
  switch (at(3)) {
    case 0:
      return file.subarray(0, at(file.length));
    case 1: {
      const copy = Buffer.from(file);
      for (let n = at(20); n >= 0; n--) copy[at(copy.length)] = at(256);
      return copy;
    }
    default:
      return Buffer.concat([file.subarray(0, at(file.length)), other.subarray(at(other.length))]);
  }
}

async function outcome(name: string, content: Buffer): Promise<readonly Block[] | Error> {
  const type = await typeOfFile({
    name,
    declaredType: '',
    sample: content.subarray(0, 65_536),
    readAt: (position, length) => Promise.resolve(content.subarray(position, position + length)),
    // eslint-disable-next-line @typescript-eslint/require-await, require-yield
    async *partNames() {
      throw new Error('The directory is damaged.');
    },
  });
  return outcomeOf(type, content);
}

async function outcomeOf(
  type: string | undefined,
  content: Buffer,
): Promise<readonly Block[] | Error> {
  // LibreOffice is a process of its own, with its own limits.
  if (type === undefined || [DOC, XLS, PPT, ZIP].includes(type)) return [];
  try {
    return await (
      await readerOf(type)
    )(content, {
      progress: () => undefined,
      warn: () => undefined,
      recognition: new Recognition({ ocr: 'auto', maxPages: 10, recognised: [] }),
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Of each format with pages, parts or pixels. */
async function madeFiles(): Promise<(readonly [type: string, file: Buffer])[]> {
  const grains = noise(120);
  const picture = await grains.clone().png().toBuffer();
  const media = (part: string) => [
    relationships(part, [['image', 'media/a.png']]),
    { name: `${part.slice(0, part.lastIndexOf('/'))}/media/a.png`, content: picture },
  ];
  const blip = '<a:blip r:embed="r1"/>';
  const word = `${paragraph('Text')}<w:p><w:r><w:drawing>${blip}</w:drawing></w:r></w:p>`;
  return [
    ['application/pdf', pdf([pageOf(['One', 'Two']), pageOf(['Three'])])],
    [DOCX, docx(documentXml(word), media('word/document.xml'))],
    [PPTX, pptx([{ shapes: `${shape('title', ['T'])}${blip}` }], media('ppt/slides/slide1.xml'))],
    [EPUB, epub([{ title: 'One', body: '<p>Text</p><img src="a.png"/>' }])],
    ['image/png', picture],
    ['image/jpeg', await grains.clone().jpeg().toBuffer()],
    ['image/tiff', await grains.clone().tiff().toBuffer()],
    ['image/webp', await grains.clone().webp().toBuffer()],
  ];
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
      const startedAt = performance.now();
      const file = files[index] ?? Buffer.alloc(0);
      const result = await outcome(name, broken(file, files[pick()] ?? file, next));
      expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
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
      const startedAt = performance.now();
      const result = await outcomeOf(type, broken(file, made[pick()]?.[1] ?? file, next));
      expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
      if (result instanceof Error && !(result instanceof Unreadable)) {
        unexpected.add(`${type}: ${result.message}`);
      }
    }
    // The process makes `parse_failed` of what a library throws, and ends: it costs a start.
    expect([...unexpected]).toEqual([]);
  }, 600_000);
});
