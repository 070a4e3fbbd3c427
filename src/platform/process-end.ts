import { type INestApplicationContext, Logger } from '@nestjs/common';

const logger = new Logger('Stop');

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;
/** The time that open resources may keep a process alive. */
const LEFT_OPEN_MS = 5000;

/** Closes an application at the first termination signal, then ends the process. */
export function closeAtSignals(app: INestApplicationContext): void {
  let isClosing = false;
  const close = async () => {
    if (isClosing) return;
    isClosing = true;
    try {
      await app.close();
      endProcess(0);
    } catch (error) {
      logger.error(error);
      endProcess(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, () => void close());
}

/**
 * Ends the process once nothing is left to do; the first exit code stays. `process.exit` would wait for
 * V8's compilation threads, which may wait forever for the main thread to collect garbage:
 * https://github.com/nodejs/node/issues/54918
 */
export function endProcess(code: number): void {
  process.exitCode ??= code;
  setTimeout(() => {
    // A failed start closes nothing, and has already logged the reason.
    if (code === 0) logger.warn(`Left open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit();
  }, LEFT_OPEN_MS).unref();
}
