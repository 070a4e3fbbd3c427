import { Archive } from './archive/archive.js';
import { attribute, readXml } from './archive/xml.js';
import type { ReadingContext } from './block.js';
import { formulasOf } from './formulas/open-document-formulas.js';
import { Unreadable } from './unreadable.js';
import { OdtStyles } from './word/odt-styles.js';

const FORMULA = 'application/vnd.oasis.opendocument.formula';

interface OpenDocument {
  readonly archive: Archive;
  readonly styles: OdtStyles;
  /** The LaTeX of what the document refers to, if it is a formula. */
  readonly formulaAt: (reference: string) => string | undefined;
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
  const { isEncrypted, formulaFolders } = await readManifest(archive);
  if (isEncrypted) throw new Unreadable('encrypted', 'The document is encrypted.');
  const styles = new OdtStyles();
  for (const part of ['styles.xml', 'content.xml']) {
    if (archive.has(part)) await readXml(archive.read(part), styles);
  }
  const pictureOf = (reference: string) => archive.readFile(partOf(reference));
  const formulas = await formulasOf(archive, formulaFolders);
  const formulaAt = (reference: string) => formulas.get(partOf(reference));
  return { archive, styles, formulaAt, pictureOf };
}

/** The name of a part or folder that the document refers to. */
const partOf = (reference: string): string => reference.replace(/^\.\/|\/$/g, '');

async function readManifest(archive: Archive) {
  // Since release 1.4, the whole document is one encrypted part.
  let isEncrypted = archive.has('encrypted-package');
  const formulaFolders: string[] = [];
  const manifest = 'META-INF/manifest.xml';
  if (archive.has(manifest)) {
    await readXml(archive.read(manifest), {
      open(name, attributes) {
        isEncrypted ||= name === 'encryption-data';
        if (attribute(attributes, 'media-type') === FORMULA) {
          formulaFolders.push(partOf(attribute(attributes, 'full-path') ?? ''));
        }
      },
    });
  }
  return { isEncrypted, formulaFolders };
}
