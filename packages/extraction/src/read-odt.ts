import { Archive } from './archive/archive.js';
import { readXml } from './archive/xml.js';
import type { Block, ReadingContext } from './block.js';
import { withBoldHeadings } from './bold-headings.js';
import { Unreadable } from './unreadable.js';
import { OdtBody } from './word/odt-body.js';
import { OdtStyles } from './word/odt-styles.js';

/** Reads the body of an ODT: headings, lists, tables and notes. */
export async function readOdt(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const archive = await Archive.open(content, context);
  if (await isEncrypted(archive)) {
    throw new Unreadable('encrypted', 'The document is encrypted.');
  }
  const styles = new OdtStyles();
  for (const part of ['styles.xml', 'content.xml']) {
    if (archive.has(part)) await readXml(archive.read(part), styles);
  }
  const body = new OdtBody(styles);
  await readXml(archive.read('content.xml'), body);
  return withBoldHeadings(body.blocks, body.bold);
}

async function isEncrypted(archive: Archive): Promise<boolean> {
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
