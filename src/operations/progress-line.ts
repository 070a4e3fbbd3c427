/** Shows progress: on a terminal in one line that is updated, elsewhere in one line at the end. */
export class ProgressLine {
  private done: number;

  constructor(
    private readonly name: string,
    private readonly total: number,
    initial = 0,
  ) {
    this.done = initial;
  }

  advance(count: number): void {
    this.done += count;
    if (process.stderr.isTTY) process.stderr.write(`\r${this.toString()}`);
  }

  end(): void {
    process.stderr.write(`${process.stderr.isTTY ? '\r' : ''}${this.toString()}\n`);
  }

  private toString(): string {
    const percent = this.total === 0 ? 100 : Math.floor((100 * this.done) / this.total);
    const bar = '#'.repeat(percent / 5).padEnd(20, '.');
    return `${this.name.padEnd(28)} ${bar} ${percent} % of ${this.total}`;
  }
}
