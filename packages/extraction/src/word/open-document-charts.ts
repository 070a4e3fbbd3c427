import type { Archive } from '../archive/archive.js';
import { attribute, type Attributes, readXml, type XmlHandler } from '../archive/xml.js';
import type { Block } from '../block.js';
import { tidy } from '../tidy.js';
import { Unreadable } from '../unreadable.js';
import { OdtBody } from './odt-body.js';
import type { OdtStyles } from './odt-styles.js';

const MAX_CHARTS = 200;
/** The prefix of references to the chart's own table. */
const OWN_TABLE = 'local-table.';

/** The text of a chart. */
export interface OpenDocumentChart {
  readonly blocks: readonly Block[];
  /** Whether the values are neither in these blocks nor in tables of the document. */
  readonly isUnread: boolean;
}

/**
 * Reads the titles of charts in an OpenDocument file, and the values that no table of the document has.
 *
 * @param folders the folders of their parts
 */
export async function readCharts(
  archive: Archive,
  folders: readonly string[],
  styles: OdtStyles,
): Promise<ReadonlyMap<string, OpenDocumentChart>> {
  const charts = new Map<string, OpenDocumentChart>();
  for (const [number, folder] of folders.entries()) {
    const chart = new ChartPart(styles);
    charts.set(folder, chart);
    const part = `${folder}/content.xml`;
    if (number >= MAX_CHARTS || !archive.has(part)) continue;
    try {
      await readXml(archive.read(part), chart);
    } catch (error) {
      if (!(error instanceof Unreadable) || error.code === 'too_large') throw error;
    }
  }
  return charts;
}

class ChartPart implements XmlHandler, OpenDocumentChart {
  private readonly body: OdtBody;
  private readonly path: string[] = [];
  private title = '';
  private readonly addresses: string[] = [];

  constructor(styles: OdtStyles) {
    this.body = new OdtBody(styles);
  }

  open(name: string, attributes: Attributes): void {
    this.path.push(name);
    const address = attribute(attributes, 'values-cell-range-address');
    if (name === 'series' && address !== undefined) this.addresses.push(address);
    this.body.open(name, attributes);
  }

  text(text: string): void {
    const [parent, title] = [this.path.at(-3), this.path.at(-2)];
    // Axes have titles, too.
    if (parent === 'chart' && (title === 'title' || title === 'subtitle')) this.title += ` ${text}`;
    this.body.text(text);
  }

  close(name: string): void {
    this.path.pop();
    this.body.close(name);
  }

  get blocks(): readonly Block[] {
    const text = tidy(this.title);
    const caption: Block[] = text === '' ? [] : [{ kind: 'caption', text }];
    return this.isOfTables ? caption : [...caption, ...this.values];
  }

  get isUnread(): boolean {
    return !this.isOfTables && this.values.length === 0;
  }

  private get values(): readonly Block[] {
    return this.body.blocks.filter(({ kind }) => kind === 'table');
  }

  private get isOfTables(): boolean {
    return (
      this.addresses.length > 0 && this.addresses.every((address) => !address.startsWith(OWN_TABLE))
    );
  }
}
