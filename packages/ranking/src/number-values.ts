/** A set of passages, by number; a Set of a hundred thousand of them takes megabytes. */
export type Numbers = Pick<ReadonlySet<number>, 'has' | 'size'> & Iterable<number>;

const PAGE = 1024;
/** About how much memory a number in a map takes, and a page beside its numbers. */
const SPARSE_BYTES = 40;
const PAGE_BYTES = 240;
/** With fewer numbers a page takes less memory as a map. It becomes a map again at half this number. */
const FULL_FROM = 64;

type Values = Map<number, number> | Uint32Array;

interface Page {
  values: Values;
  /** How many numbers it has. */
  size: number;
}

/**
 * Positive values of numbers: four bytes a number where they lie close together, and less than three
 * hundred where they do not.
 */
export class NumberValues {
  private readonly pages = new Map<number, Page>();
  /** The page that was read last is cached, because lists of numbers are sorted. */
  private values: Values | undefined;
  private index = -1;
  /** About how much memory it takes. */
  bytes = 0;

  /** @param value 0 to forget the number */
  set(number: number, value: number): void {
    const index = Math.floor(number / PAGE);
    const at = number - index * PAGE;
    const page = this.pages.get(index) ?? { values: new Map<number, number>(), size: 0 };
    this.bytes -= estimateBytes(page);
    page.size += Number(value > 0) - Number(getValue(page.values, at) > 0);
    if (!(page.values instanceof Map)) page.values[at] = value;
    else if (value > 0) page.values.set(at, value);
    else page.values.delete(at);
    if (page.size === FULL_FROM && page.values instanceof Map)
      page.values = toFullPage(page.values);
    if (page.size === FULL_FROM / 2 && !(page.values instanceof Map))
      page.values = toSparsePage(page.values);
    this.bytes += estimateBytes(page);
    if (page.size > 0) this.pages.set(index, page);
    else this.pages.delete(index);
    this.index = -1;
  }

  /** The numbers that have a value, with it. */
  *entries(): Generator<readonly [number: number, value: number]> {
    for (const [index, { values }] of this.pages) {
      for (const [at, value] of values.entries()) {
        if (value > 0) yield [index * PAGE + at, value];
      }
    }
  }

  /** @returns 0 for a number that has none */
  get(number: number): number {
    const index = Math.floor(number / PAGE);
    if (index !== this.index) {
      this.values = this.pages.get(index)?.values;
      this.index = index;
    }
    return getValue(this.values, number - index * PAGE);
  }
}

const estimateBytes = ({ values, size }: Page): number =>
  size === 0 ? 0 : PAGE_BYTES + (values instanceof Map ? size * SPARSE_BYTES : values.byteLength);

const getValue = (values: Values | undefined, at: number): number =>
  (values instanceof Map ? values.get(at) : values?.[at]) ?? 0;

function toFullPage(sparse: ReadonlyMap<number, number>): Uint32Array {
  const values = new Uint32Array(PAGE);
  for (const [at, value] of sparse) values[at] = value;
  return values;
}

function toSparsePage(full: Uint32Array): Map<number, number> {
  const values = new Map<number, number>();
  for (const [at, value] of full.entries()) if (value > 0) values.set(at, value);
  return values;
}
