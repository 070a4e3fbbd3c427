const FACTOR = 8;

/**
 * How many times as long work on an eightfold size takes: 8 if its time is proportional, 64 if it
 * is quadratic. A test expects less than 24, so that what else the machine does changes nothing.
 */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  await work(size);
  const small = Math.min(await timeOf(work, size), await timeOf(work, size));
  return (await timeOf(work, size * FACTOR)) / Math.max(small, 1);
}

/** In milliseconds of the processor, so that other processes do not count. */
async function timeOf(work: (size: number) => unknown, size: number): Promise<number> {
  const before = process.cpuUsage();
  await work(size);
  return process.cpuUsage(before).user / 1000;
}
