import { Archive } from './archive/archive.js';
import { attribute, readXml } from './archive/xml.js';
import type { ReadingContext } from './block.js';
import { readFormulas } from './formulas/open-document-formulas.js';
import { Unreadable } from './unreadable.js';
import { readCharts } from './word/open-document-charts.js';
import type { OdtObjects } from './word/odt-body.js';
import { OdtStyles } from './word/odt-styles.js';

const FORMULA = 'application/vnd.oasis.opendocument.formula';
const CHART = 'application/vnd.oasis.opendocument.chart';

interface OpenDocument {
  readonly archive: Archive;
  readonly styles: OdtStyles;
  readonly objects: OdtObjects;
  /** The content of a picture that the document refers to. */
  readonly loadPicture: (reference: string) => Promise<Uint8Array | undefined>;
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
  const { isEncrypted, formulaFolders, chartFolders } = await readManifest(archive);
  if (isEncrypted) throw new Unreadable('encrypted', 'The document is encrypted.');
  const styles = new OdtStyles();
  for (const part of ['styles.xml', 'content.xml']) {
    if (archive.has(part)) await readXml(archive.read(part), styles);
  }
  const loadPicture = (reference: string) => archive.readFile(toPartName(reference));
  const formulas = await readFormulas(archive, formulaFolders);
  const charts = await readCharts(archive, chartFolders, styles);
  const objects = {
    formulaAt: (reference: string) => formulas.get(toPartName(reference)),
    chartAt: (reference: string) => charts.get(toPartName(reference)),
  };
  return { archive, styles, objects, loadPicture };
}

/** The name of a part or folder that the document refers to. */
const toPartName = (reference: string): string => reference.replace(/^\.\/|\/$/g, '');

async function readManifest(archive: Archive) {
  // Since release 1.4, the whole document is one encrypted part.
  let isEncrypted = archive.has('encrypted-package');
  const formulaFolders: string[] = [];
  const chartFolders: string[] = [];
  const manifest = 'META-INF/manifest.xml';
  if (archive.has(manifest)) {
    await readXml(archive.read(manifest), {
      open(name, attributes) {
        isEncrypted ||= name === 'encryption-data';
        const type = attribute(attributes, 'media-type');
        const folder = toPartName(attribute(attributes, 'full-path') ?? '');
        if (type === FORMULA) formulaFolders.push(folder);
        else if (type === CHART) chartFolders.push(folder);
      },
    });
  }
  return { isEncrypted, formulaFolders, chartFolders };
}
