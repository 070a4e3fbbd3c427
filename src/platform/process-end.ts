import { type INestApplicationContext, Logger } from '@nestjs/common';

const logger = new Logger('Stop');

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;
/** How long something that was left open keeps a process. */
const LEFT_OPEN_MS = 5000;

/** Has an application closed at the first signal of an operator, or of what runs it; the process then ends. */
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
 * Ends the process once nothing is left to do; the first code that it is given stays. `process.exit` would
 * wait for the threads in which V8 compiles, and these may wait for the main thread to collect garbage,
 * for ever: https://github.com/nodejs/node/issues/54918
 */
export function endProcess(code: number): void {
  process.exitCode ??= code;
  setTimeout(() => {
    // A start that failed closes nothing, and has said why.
    if (code === 0) logger.warn(`Left open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit();
  }, LEFT_OPEN_MS).unref();
}
