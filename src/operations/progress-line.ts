/** How far a part has come: on a terminal one line that changes, elsewhere one for each part. */
export class ProgressLine {
  private done: number;

  constructor(
    private readonly part: string,
    private readonly total: number,
    begun = 0,
  ) {
    this.done = begun;
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
    return `${this.part.padEnd(28)} ${bar} ${percent} % of ${this.total}`;
  }
}
