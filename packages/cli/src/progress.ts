import { SingleBar } from 'cli-progress';
import { printable } from './printable.js';

const CONCURRENCY = 4;

/**
 * Works on each item, a few at a time, with a progress bar on standard error.
 *
 * @param work returns the name of the item, to be shown beside the bar
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
    // Without a terminal, such as in a pipeline's log, a line every five seconds.
    noTTYOutput: true,
    notTTYSchedule: 5000,
  });
  bar.start(items.length, 0, { file: '' });
  const queue = items.values();
  try {
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (const item of queue) bar.increment({ file: printable(await work(item)) });
      }),
    );
  } finally {
    bar.stop();
  }
}
