import type { Archive } from '../archive/archive.js';
import type { Block, Reader, ReadingContext } from '../block.js';
import { type PartText, readDrawingPart } from '../slides/drawing-part.js';
import { Unreadable } from '../unreadable.js';
import type { PartHere } from './body.js';
import { type ChunkBudget, readChunk } from './embedded-chunks.js';

interface PartSources {
  readonly archive: Archive;
  /** The names of parts, by the relationships of the main part. */
  readonly targets: ReadonlyMap<string, string>;
  readonly chunks: ChunkBudget;
  readonly readDocx: Reader;
}

/** Replaces the placeholders of charts, diagrams and embedded documents by their text. */
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
    const { blocks: texts, isUnread } = await readPart(part, sources, context);
    if (isUnread) context.warn({ code: 'not_read', what: part.what });
    for (const text of texts) all.push(text);
  }
  return all;
}

async function readPart(
  { what, relationship }: PartHere,
  sources: PartSources,
  context: ReadingContext,
): Promise<PartText> {
  const part = sources.targets.get(relationship) ?? '';
  if (what !== 'embedded chunk') return readDrawingPart(sources.archive, part, what);
  const blocks = await readEmbedded(part, sources, context);
  return { blocks, isUnread: blocks.length === 0 };
}

async function readEmbedded(
  part: string,
  { archive, chunks, readDocx }: PartSources,
  context: ReadingContext,
): Promise<readonly Block[]> {
  if (!archive.has(part) || --chunks.left < 0) return [];
  try {
    const bytes = await archive.readFile(part);
    return bytes ? await readChunk(part, bytes, context, readDocx) : [];
  } catch (error) {
    if (error instanceof Unreadable && error.code !== 'too_large') return [];
    throw error;
  }
}
