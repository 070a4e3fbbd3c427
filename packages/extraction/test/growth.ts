const FACTOR = 8;
/** Milliseconds; below it, compiling and collecting garbage take longer than the work. */
const LEAST = 5;

/**
 * How many times as long work on an eightfold size takes: 8 if its time is proportional, 64 if it
 * is quadratic. A test expects less than 24, so that what else the machine does changes nothing.
 */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  await work(size);
  const small = await measureLeastTime(work, size);
  return (await measureLeastTime(work, size * FACTOR)) / Math.max(small, LEAST);
}

const measureLeastTime = async (work: (size: number) => unknown, size: number): Promise<number> =>
  Math.min(await measureTime(work, size), await measureTime(work, size));

/** In milliseconds of the processor, so that other processes do not count. */
async function measureTime(work: (size: number) => unknown, size: number): Promise<number> {
  const before = process.cpuUsage();
  await work(size);
  return process.cpuUsage(before).user / 1000;
}
