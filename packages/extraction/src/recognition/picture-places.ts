import type { Block, ReadingContext } from '../block.js';

/** Creates the placeholder of a picture, which is replaced by its recognised text. */
export const newPicturePlace = (): Block => ({ kind: 'paragraph', text: '' });

/**
 * Replaces the placeholders of pictures by their recognised text.
 *
 * @param places the sources of pictures, by their placeholder blocks
 */
export async function withPictures(
  blocks: readonly Block[],
  places: ReadonlyMap<Block, string>,
  loadPicture: (source: string) => Promise<Uint8Array | undefined> | Uint8Array | undefined,
  context: ReadingContext,
): Promise<Block[]> {
  if (places.size === 0) return [...blocks];
  const { recognition } = context;
  // Lets the warning about missing recognition appear if the document contains only pictures.
  if (recognition.isOff) recognition.offer(1, true);
  if (recognition.isOff) return blocks.filter((block) => !places.has(block));
  // The decoder is large, so it is loaded only for documents with pictures.
  const { readPictureBlocks } = await import('./picture-blocks.js');
  const all: Block[] = [];
  for (const block of blocks) {
    const source = places.get(block);
    if (source === undefined) all.push(block);
    else all.push(...(await readPictureBlocks(await loadPicture(source), context)));
  }
  return all;
}
