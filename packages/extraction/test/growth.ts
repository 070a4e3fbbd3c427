const FACTOR = 8;
/** Milliseconds; below it, compiling and collecting garbage take longer than the work. */
const LEAST = 5;

const ROUNDS = 6;
const LINEAR = FACTOR * 2;

/**
 * How much longer work takes on eight times the size: 8 times if it is linear, 64 times if it is
 * quadratic. Tests expect less than 24. The least of several rounds counts, since a machine that
 * is busy, compiles or collects garbage makes a round slower and none makes it faster.
 */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  await work(size);
  let small = Infinity;
  let large = Infinity;
  let ratio = Infinity;
  for (let round = 0; round < ROUNDS && ratio > LINEAR; round++) {
    small = Math.min(small, await measureTime(work, size));
    large = Math.min(large, await measureTime(work, size * FACTOR));
    ratio = large / Math.max(small, LEAST);
  }
  return ratio;
}

/** Measures milliseconds of CPU time, so that other processes do not count. */
async function measureTime(work: (size: number) => unknown, size: number): Promise<number> {
  const before = process.cpuUsage();
  await work(size);
  return process.cpuUsage(before).user / 1000;
}
