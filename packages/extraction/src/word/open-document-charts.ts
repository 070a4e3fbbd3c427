import type { Archive } from '../archive/archive.js';
import { readXml } from '../archive/xml.js';
import type { Block } from '../block.js';
import { Unreadable } from '../unreadable.js';
import { OdtBody } from './odt-body.js';
import type { OdtStyles } from './odt-styles.js';

const MAX_CHARTS = 200;

/**
 * The values of the charts of an OpenDocument file, which each keep them in a table of their own.
 *
 * @param folders of their parts
 * @returns no blocks for a chart whose values cannot be read
 */
export async function chartsOf(
  archive: Archive,
  folders: readonly string[],
  styles: OdtStyles,
): Promise<ReadonlyMap<string, readonly Block[]>> {
  const charts = new Map<string, readonly Block[]>();
  for (const [number, folder] of folders.entries()) {
    const body = new OdtBody(styles);
    charts.set(folder, body.blocks);
    const part = `${folder}/content.xml`;
    if (number >= MAX_CHARTS || !archive.has(part)) continue;
    try {
      await readXml(archive.read(part), body);
    } catch (error) {
      if (!(error instanceof Unreadable) || error.code === 'too_large') throw error;
    }
    // Beside the values stand the names of axes.
    charts.set(
      folder,
      body.blocks.filter(({ kind }) => kind === 'table'),
    );
  }
  return charts;
}
