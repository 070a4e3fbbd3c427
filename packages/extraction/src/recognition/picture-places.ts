import type { Block, ReadingContext } from '../block.js';

/** Where a picture stands, until it is known what was recognised in it. */
export const pictureHere = (): Block => ({ kind: 'paragraph', text: '' });

/**
 * Puts what was recognised in pictures where they stand.
 *
 * @param places the sources of pictures by the blocks in their places
 */
export async function withPictures(
  blocks: readonly Block[],
  places: ReadonlyMap<Block, string>,
  loadPicture: (source: string) => Promise<Uint8Array | undefined> | Uint8Array | undefined,
  context: ReadingContext,
): Promise<Block[]> {
  if (places.size === 0) return [...blocks];
  const { recognition } = context;
  // It says that recognition is off where a document has nothing but pictures.
  if (recognition.isOff) recognition.offer(1, true);
  if (recognition.isOff) return blocks.filter((block) => !places.has(block));
  // Loaded only for documents with pictures, since what decodes them is large.
  const { pictureBlocks } = await import('./picture-blocks.js');
  const all: Block[] = [];
  for (const block of blocks) {
    const source = places.get(block);
    if (source === undefined) all.push(block);
    else all.push(...(await pictureBlocks(await loadPicture(source), context)));
  }
  return all;
}
