/** A set of passages, by number; a Set of a hundred thousand of them takes megabytes. */
export type Numbers = Pick<ReadonlySet<number>, 'has' | 'size'>;

const PAGE = 1024;

/** Numbers that lie close together, each in one of the groups 0, 1, 2 and so on. */
export class NumberGroups {
  /** The groups plus one; 0 for a number that is in none. */
  private readonly pages = new Map<number, Uint32Array>();
  /** The last one that was asked for: lists of numbers are in their order. */
  private page: Uint32Array | undefined;
  private index = -1;

  set(number: number, group: number): void {
    const index = Math.floor(number / PAGE);
    const page = this.pages.get(index) ?? new Uint32Array(PAGE);
    this.pages.set(index, page);
    this.index = -1;
    page[number % PAGE] = group + 1;
  }

  /** @returns -1 for a number that is in none */
  get(number: number): number {
    const index = Math.floor(number / PAGE);
    if (index !== this.index) {
      this.page = this.pages.get(index);
      this.index = index;
    }
    return (this.page?.[number % PAGE] ?? 0) - 1;
  }
}
