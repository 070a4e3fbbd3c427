import type { Archive } from '../archive/archive.js';
import { readXml } from '../archive/xml.js';
import type { Block, Reader, ReadingContext } from '../block.js';
import { Chart } from '../slides/chart.js';
import { Slide } from '../slides/slide.js';
import { Unreadable } from '../unreadable.js';
import type { PartHere } from './body.js';
import { type ChunkBudget, readChunk } from './embedded-chunks.js';

interface PartSources {
  readonly archive: Archive;
  /** The names of parts by the relationships of the main one. */
  readonly targets: ReadonlyMap<string, string>;
  readonly chunks: ChunkBudget;
  readonly readDocx: Reader;
}

/** Puts the text of charts, diagrams and embedded documents where they stand. */
export async function withParts(
  blocks: readonly Block[],
  parts: ReadonlyMap<Block, PartHere>,
  sources: PartSources,
  context: ReadingContext,
): Promise<Block[]> {
  if (parts.size === 0) return [...blocks];
  const all: Block[] = [];
  for (const block of blocks) {
    const part = parts.get(block);
    if (!part) {
      all.push(block);
      continue;
    }
    const texts = await readPart(part, sources, context);
    if (texts.length === 0) context.warn({ code: 'not_read', what: part.what });
    for (const text of texts) all.push(text);
  }
  return all;
}

async function readPart(
  { what, relationship }: PartHere,
  { archive, targets, chunks, readDocx }: PartSources,
  context: ReadingContext,
): Promise<readonly Block[]> {
  const name = targets.get(relationship) ?? '';
  if (!archive.has(name)) return [];
  try {
    if (what === 'embedded chunk') {
      if (--chunks.left < 0) return [];
      const bytes = await archive.readFile(name);
      return bytes ? await readChunk(name, bytes, context, readDocx) : [];
    }
    const handler = what === 'chart' ? new Chart() : new Slide();
    await readXml(archive.read(name), handler);
    return handler.blocks;
  } catch (error) {
    if (error instanceof Unreadable && error.code !== 'too_large') return [];
    throw error;
  }
}
