import { posix } from 'node:path';
import { Archive } from './archive/archive.js';
import { attribute, readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { readChapterTitles, type PartTitles } from './book/chapter-titles.js';
import { readPackage } from './book/package.js';
import { decodeText } from './decode-text.js';
import { decodeDataUrl } from './html/data-url.js';
import { parseHtml } from './html/parse-html.js';
import { walkHtml } from './html/walk.js';
import { withPictures } from './recognition/picture-places.js';
import { Unreadable } from './unreadable.js';

const MAX_CHAPTER_NAME = 200;

/** Reads the chapters of an EPUB in their order. */
export async function readEpub(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const archive = await Archive.open(content, context);
  const book = await readPackage(archive, await findPackage(archive));
  const encrypted = await findEncryptedParts(archive);
  if (book.chapters.some((part) => encrypted.has(part))) {
    throw new Unreadable('encrypted', 'The book is encrypted.');
  }
  const titles = await readChapterTitles(archive, book).catch(() => new Map<string, PartTitles>());
  const blocks: Block[] = [];
  let chapter: string | undefined;
  for (const part of book.chapters) {
    const title = titles.get(part)?.title;
    const chapters = titles.get(part)?.chapters;
    try {
      const texts = await readChapter(archive, part, context);
      const [first] = texts;
      if (!first) continue;
      const heading = texts.find(({ kind }) => kind === 'heading');
      const own = title ?? (heading?.kind === 'heading' ? heading.text : undefined);
      // A part without a title continues the chapter before it.
      chapter = (own ?? chapter)?.slice(0, MAX_CHAPTER_NAME);
      const located = chapter === undefined ? {} : { locator: { chapter } };
      if (title !== undefined && heading === undefined) {
        blocks.push({ kind: 'heading', level: 1, text: title, ...located });
      }
      for (const block of texts) {
        if (block.kind === 'heading' && chapters?.has(block.text)) {
          chapter = block.text.slice(0, MAX_CHAPTER_NAME);
        }
        blocks.push(chapter === undefined ? block : { ...block, locator: { chapter } });
      }
    } catch (error) {
      if (error instanceof Unreadable && error.code === 'too_large') throw error;
      context.warn({
        code: 'chapter_unreadable',
        message: `The chapter “${title ?? posix.basename(part)}” could not be read.`,
      });
    }
    context.progress();
  }
  return blocks;
}

async function readChapter(
  archive: Archive,
  part: string,
  context: ReadingContext,
): Promise<Block[]> {
  const html = decodeText(await archive.readWhole(part));
  const { blocks, pictures } = walkHtml(parseHtml(html, { isXhtml: true }));
  const loadPicture = async (source: string) =>
    decodeDataUrl(source) ??
    (await archive.readFile(posix.join(posix.dirname(part), decodePath(source))));
  return withPictures(blocks, pictures, loadPicture, context);
}

/** Finds the part that lists all others. */
async function findPackage(archive: Archive): Promise<string> {
  let found: string | undefined;
  await readXml(archive.read('META-INF/container.xml'), {
    open(name, attributes) {
      if (name === 'rootfile') found ??= attribute(attributes, 'full-path');
    },
  });
  if (found === undefined) throw new Unreadable('parse_failed', 'The book has no contents.');
  return found;
}

async function findEncryptedParts(archive: Archive): Promise<Set<string>> {
  const parts = new Set<string>();
  const name = 'META-INF/encryption.xml';
  if (!archive.has(name)) return parts;
  await readXml(archive.read(name), {
    open(element, attributes) {
      if (element === 'CipherReference') {
        parts.add(decodePath(attribute(attributes, 'URI') ?? ''));
      }
    },
  });
  return parts;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
