import type { DocumentWarning } from '../src/block.js';
import { loadReader } from '../src/extract.js';
import { openDocumentImages } from '../src/recognition/document-images.js';
import { openLanguageData } from '../src/recognition/language-data.js';
import { Recogniser } from '../src/recognition/recogniser.js';
import { Recognition } from '../src/recognition/recognition.js';
import { outline } from './reading.js';

/** Loading its data takes longer than to recognise a small picture. */
const recogniser = new Recogniser(openLanguageData(null), () => undefined);

/** Reads a document, recognises the pages that it asks for, and reads it again. */
export async function readTwice(mimeType: string, content: Buffer, ocr: 'auto' | 'off' = 'auto') {
  const reader = await loadReader(mimeType);
  const readOnce = async (recognised: string[]) => {
    const warnings: DocumentWarning[] = [];
    const recognition = new Recognition({ ocr, maxPages: 10, recognised });
    const context = { progress: () => undefined, warn: () => undefined, recognition };
    const blocks = outline(await reader(content, context));
    recognition.warn((warning) => warnings.push(warning));
    return { blocks, warnings, wanted: recognition.pagesToRecognise };
  };
  const before = await readOnce([]);
  if (before.wanted.length === 0) return { before, after: before };
  const images = await openDocumentImages(mimeType, content, before.wanted, () => undefined);
  const recognised: string[] = [];
  for (const number of before.wanted) {
    const recognition = await recogniser.recognise(images, number, ['en']);
    recognised.push(JSON.stringify(recognition?.page));
  }
  images.close();
  return { before, after: await readOnce(recognised) };
}
