import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { Block } from '../block.js';
import { tidy } from '../tidy.js';

const MAX_SERIES = 50;
const MAX_POINTS = 1000;
/** Further digits of a number are rounding errors. */
const MAX_DIGITS = 12;

interface Series {
  name: string;
  /** The names of categories, by the number of the point. */
  readonly categories: Map<string, string>;
  readonly values: Map<string, string>;
  /** The cells with its values, such as `'Sales 2026'!$B$2:$B$5`. */
  reference: string;
}

/** Matches the name of the sheet in a reference, in which quotes are doubled. */
const SHEET = /^\(?(?:'((?:[^']|'')*)'|([^'!]*))!/;

/** Reads the stored values of a chart, as one row for each category. */
export class Chart implements XmlHandler {
  private readonly series: Series[] = [];
  private title = '';
  private hasMorePoints = false;
  private readonly path: string[] = [];
  private point = '';
  private value = '';

  open(name: string, attributes: Attributes): void {
    this.path.push(name);
    if (name === 'ser')
      this.series.push({ name: '', categories: new Map(), values: new Map(), reference: '' });
    else if (name === 'pt') this.point = attribute(attributes, 'idx') ?? '';
    else if (name === 'v') this.value = '';
  }

  text(text: string): void {
    const name = this.path.at(-1);
    if (name === 'v') this.value += text;
    else if (name === 'f' && this.path.some(isValues)) this.addReference(text);
    else if (name === 't' && this.path[2] === 'title') this.title += text;
  }

  close(name: string): void {
    this.path.pop();
    const series = this.series.at(-1);
    if (name !== 'v' || !series) return;
    const value = tidy(this.value);
    if (this.path.includes('tx')) series.name = value;
    else if (this.path.includes('cat') || this.path.includes('xVal'))
      this.add(series.categories, value);
    else if (this.path.some(isValues)) this.add(series.values, asNumber(value));
  }

  get caption(): Block[] {
    const text = tidy(this.title);
    return text === '' ? [] : [{ kind: 'caption', text }];
  }

  /** The title and values; only the title if the program stored no values. */
  get blocks(): Block[] {
    const series = this.series.slice(0, MAX_SERIES).filter(({ values }) => values.size > 0);
    const [first] = series;
    if (!first) return this.caption;
    const points = [...new Set(series.flatMap(({ values }) => [...values.keys()]))];
    const rows = points.slice(0, MAX_POINTS).map((point) => ({
      cells: [
        first.categories.get(point) ?? '',
        ...series.map(({ values }) => values.get(point) ?? ''),
      ],
    }));
    const header = ['', ...series.map(({ name }) => name)];
    return [...this.caption, { kind: 'table', header, rows }];
  }

  /** Whether the chart has more series or points than are read. */
  get isCut(): boolean {
    return this.hasMorePoints || this.series.length > MAX_SERIES;
  }

  /** Whether all values of the chart are cells of these sheets. */
  showsOnly(sheets: ReadonlySet<string>): boolean {
    return (
      this.series.length > 0 &&
      this.series.every(({ reference }) => {
        const [, quoted, plain = ''] = SHEET.exec(reference) ?? [];
        return sheets.has(quoted?.replaceAll("''", "'") ?? plain);
      })
    );
  }

  private add(points: Map<string, string>, value: string): void {
    if (points.size < MAX_POINTS) points.set(this.point, value);
    else this.hasMorePoints = true;
  }

  private addReference(text: string): void {
    const series = this.series.at(-1);
    if (series) series.reference += text;
  }
}

const isValues = (name: string): boolean => name === 'val' || name === 'yVal';

function asNumber(value: string): string {
  const number = Number(value);
  return value === '' || !Number.isFinite(number)
    ? value
    : String(Number(number.toPrecision(MAX_DIGITS)));
}
