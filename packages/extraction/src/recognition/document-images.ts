import type { FileWithin } from '../block.js';
import { loadReader } from '../extract.js';
import { PDF } from '../formats.js';
import type { PageImages } from './page-image.js';
import { FILE_PAGES, Recognition } from './recognition.js';

/**
 * Opens the images of a document's pages and of its embedded pictures and files, as the reader numbers them.
 *
 * @param pages the pages that are wanted
 * @param progress called by the reader
 * @throws Unreadable
 */
export async function openDocumentImages(
  mimeType: string,
  content: Uint8Array,
  pages: readonly number[],
  progress: () => void,
): Promise<PageImages> {
  if (pages.every((page) => page < FILE_PAGES)) return openFileImages(mimeType, content);
  const files = new Map<number, FileWithin>();
  const wanted = new Set(pages.map(toFirstPage));
  const options = { ocr: 'auto', maxPages: Infinity, recognised: [] } as const;
  const recognition = new Recognition(options, (first, file) => {
    if (wanted.has(first)) files.set(first, file);
  });
  const read = await loadReader(mimeType);
  await read(content, { progress, warn: () => undefined, recognition });
  let open: { first: number; images: PageImages } | undefined;
  const openImages = async (first: number) => {
    if (open?.first === first) return open.images;
    open?.images.close();
    open = undefined;
    const images = first === 0 ? openFileImages(mimeType, content) : files.get(first)?.images();
    if (!images) return undefined;
    open = { first, images: await images };
    return open.images;
  };
  return {
    count: pages.length,
    draw: async (page, turns) => {
      const images = await openImages(toFirstPage(page)).catch(() => undefined);
      return images ? images.draw(page % FILE_PAGES, turns) : null;
    },
    close: () => open?.images.close(),
  };
}

const toFirstPage = (page: number): number => page - (page % FILE_PAGES);

/** @throws Unreadable */
export async function openFileImages(mimeType: string, content: Uint8Array): Promise<PageImages> {
  if (mimeType === PDF) return (await import('./pdf-images.js')).openPdfImages(content);
  return (await import('./picture-images.js')).openPictureImages(content);
}
