import { execFile, type ForkOptions } from 'node:child_process';
import { Logger } from '@nestjs/common';

const UNSHARE = '/usr/bin/unshare';
/**
 * A new network namespace has no connection, and requires a new user namespace, whose user has no
 * rights outside.
 */
const FLAGS = ['--map-root-user', '--net'];

/** On a busy machine the probe may take seconds. */
const PROBE_TIMEOUT_MS = 10_000;

const logger = new Logger('Isolation');
let probe: Promise<boolean> | undefined;
let isPossibleAsLogged: boolean | undefined;

/**
 * Returns options that make `fork` start Node.js without network access, on systems that support it:
 * Linux with user namespaces. Elsewhere the process starts normally.
 */
export async function withoutNetwork(
  execArgv: string[],
  unshare = UNSHARE,
  timeoutMs = PROBE_TIMEOUT_MS,
): Promise<Pick<ForkOptions, 'execPath' | 'execArgv'>> {
  probe ??= isolates(unshare, timeoutMs);
  const isPossible = await probe;
  if (isPossible !== isPossibleAsLogged)
    logger.log(`Document extraction ${describeReach(isPossible)}`);
  isPossibleAsLogged = isPossible;
  if (!isPossible) return { execArgv };
  return { execPath: unshare, execArgv: [...FLAGS, process.execPath, ...execArgv] };
}

/** Repeats the probe after a failed start, since the system may no longer allow network namespaces. */
export function probeAgain(): void {
  probe = undefined;
}

/** If the probe times out, isolation is assumed to work; a start that fails then is repeated. */
const isolates = (unshare: string, timeout: number) =>
  new Promise<boolean>((resolve) => {
    const options = { timeout, killSignal: 'SIGKILL' } as const;
    execFile(unshare, [...FLAGS, 'true'], options, (error) => {
      const isUnanswered = error?.killed === true;
      if (isUnanswered) probeAgain();
      resolve(error === null || isUnanswered);
    });
  });

const describeReach = (isPossible: boolean) =>
  isPossible
    ? 'has no network access'
    : 'may access the network: this system does not isolate processes';
