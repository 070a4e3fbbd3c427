const FACTOR = 8;
/** Milliseconds; below it, compiling and collecting garbage take longer than the work. */
const LEAST = 5;

/**
 * How many times as long work on an eightfold size takes: 8 if its time is proportional, 64 if it
 * is quadratic. A test expects less than 24, so that what else the machine does changes nothing.
 */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  await work(size);
  const small = await leastTimeOf(work, size);
  return (await leastTimeOf(work, size * FACTOR)) / Math.max(small, LEAST);
}

const leastTimeOf = async (work: (size: number) => unknown, size: number): Promise<number> =>
  Math.min(await timeOf(work, size), await timeOf(work, size));

/** In milliseconds of the processor, so that other processes do not count. */
async function timeOf(work: (size: number) => unknown, size: number): Promise<number> {
  const before = process.cpuUsage();
  await work(size);
  return process.cpuUsage(before).user / 1000;
}
