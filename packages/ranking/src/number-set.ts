/** A set of passages, by number; a Set of a hundred thousand of them takes megabytes. */
export type Numbers = Pick<ReadonlySet<number>, 'has' | 'size'>;

const PAGE = 1024;
const WORD = 32;

/** Numbers that lie close together, a bit for each. */
export class NumberSet implements Numbers {
  size = 0;
  private readonly pages = new Map<number, Uint32Array>();

  add(number: number): void {
    const index = Math.floor(number / PAGE);
    const page = this.pages.get(index) ?? new Uint32Array(PAGE / WORD);
    this.pages.set(index, page);
    const offset = number % PAGE;
    const word = Math.floor(offset / WORD);
    const bits = page[word] ?? 0;
    const bit = 1 << (offset % WORD);
    if ((bits & bit) === 0) this.size++;
    page[word] = bits | bit;
  }

  has(number: number): boolean {
    const page = this.pages.get(Math.floor(number / PAGE));
    if (!page) return false;
    const offset = number % PAGE;
    return ((page[Math.floor(offset / WORD)] ?? 0) & (1 << (offset % WORD))) !== 0;
  }
}
