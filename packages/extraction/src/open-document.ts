import { Archive } from './archive/archive.js';
import { readXml } from './archive/xml.js';
import type { ReadingContext } from './block.js';
import { Unreadable } from './unreadable.js';
import { OdtStyles } from './word/odt-styles.js';

interface OpenDocument {
  readonly archive: Archive;
  readonly styles: OdtStyles;
  /** The content of a picture that the document refers to. */
  readonly pictureOf: (reference: string) => Promise<Uint8Array | undefined>;
}

/**
 * Opens an OpenDocument file and reads its styles.
 *
 * @throws Unreadable if it is damaged or encrypted
 */
export async function openDocument(
  content: Uint8Array,
  context: ReadingContext,
): Promise<OpenDocument> {
  const archive = await Archive.open(content, context);
  if (await isEncrypted(archive)) {
    throw new Unreadable('encrypted', 'The document is encrypted.');
  }
  const styles = new OdtStyles();
  for (const part of ['styles.xml', 'content.xml']) {
    if (archive.has(part)) await readXml(archive.read(part), styles);
  }
  const pictureOf = (reference: string) => archive.readPicture(reference.replace(/^\.\//, ''));
  return { archive, styles, pictureOf };
}

async function isEncrypted(archive: Archive): Promise<boolean> {
  // Since release 1.4, the whole document is one encrypted part.
  if (archive.has('encrypted-package')) return true;
  let found = false;
  const manifest = 'META-INF/manifest.xml';
  if (!archive.has(manifest)) return false;
  await readXml(archive.read(manifest), {
    open(name) {
      found ||= name === 'encryption-data';
    },
  });
  return found;
}
