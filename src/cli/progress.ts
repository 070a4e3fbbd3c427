import { SingleBar } from 'cli-progress';
import { printable } from './printable.js';

const AT_ONCE = 4;

/**
 * Does something with each, a few at a time, and shows on standard error how far it is.
 *
 * @param work gives what to show as just done
 */
export async function withProgress<T>(
  doing: string,
  items: readonly T[],
  work: (item: T) => Promise<string>,
): Promise<void> {
  const bar = new SingleBar({
    format: `{bar} {value}/{total} ${doing} {file}`,
    stream: process.stderr,
    hideCursor: true,
    // In the log of a pipeline: a line now and then.
    noTTYOutput: true,
    notTTYSchedule: 5000,
  });
  bar.start(items.length, 0, { file: '' });
  const queue = items.values();
  try {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const item of queue) bar.increment({ file: printable(await work(item)) });
      }),
    );
  } finally {
    bar.stop();
  }
}
