const FACTOR = 8;
/** Milliseconds; below it, compiling and collecting garbage take longer than the work. */
const LEAST = 5;

/**
 * How much longer work takes on eight times the size: 8 times if it is linear, 64 times if it is
 * quadratic. Tests expect less than 24, so that a busy machine does not matter.
 */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  await work(size);
  const small = await measureLeastTime(work, size);
  return (await measureLeastTime(work, size * FACTOR)) / Math.max(small, LEAST);
}

const measureLeastTime = async (work: (size: number) => unknown, size: number): Promise<number> =>
  Math.min(await measureTime(work, size), await measureTime(work, size));

/** Measures milliseconds of CPU time, so that other processes do not count. */
async function measureTime(work: (size: number) => unknown, size: number): Promise<number> {
  const before = process.cpuUsage();
  await work(size);
  return process.cpuUsage(before).user / 1000;
}
