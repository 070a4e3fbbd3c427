import { execFile, type ForkOptions } from 'node:child_process';
import { Logger } from '@nestjs/common';

const UNSHARE = '/usr/bin/unshare';
/** A network of its own has no way out, and needs a user of its own, who has no rights outside. */
const FLAGS = ['--map-root-user', '--net'];

/** On a busy machine the answer may take seconds. */
const PROBE_TIMEOUT_MS = 10_000;

const logger = new Logger('Isolation');
let probe: Promise<boolean> | undefined;
let isPossibleAsLogged: boolean | undefined;

/**
 * How `fork` starts Node.js so that it reaches no network, where the system lets a process have one of its
 * own: on Linux with user namespaces. Elsewhere it is started as usual.
 */
export async function withoutNetwork(
  execArgv: string[],
  unshare = UNSHARE,
  timeoutMs = PROBE_TIMEOUT_MS,
): Promise<Pick<ForkOptions, 'execPath' | 'execArgv'>> {
  probe ??= isolates(unshare, timeoutMs);
  const isPossible = await probe;
  if (isPossible !== isPossibleAsLogged) logger.log(`Readers of documents ${reach(isPossible)}`);
  isPossibleAsLogged = isPossible;
  if (!isPossible) return { execArgv };
  return { execPath: unshare, execArgv: [...FLAGS, process.execPath, ...execArgv] };
}

/** After a start that failed: the system may let processes have a network of their own no longer. */
export function probeAgain(): void {
  probe = undefined;
}

/** Where the system does not answer, it is taken to isolate: a start that fails then is repeated. */
const isolates = (unshare: string, timeout: number) =>
  new Promise<boolean>((resolve) => {
    const options = { timeout, killSignal: 'SIGKILL' } as const;
    execFile(unshare, [...FLAGS, 'true'], options, (error) => {
      const isUnanswered = error?.killed === true;
      if (isUnanswered) probeAgain();
      resolve(error === null || isUnanswered);
    });
  });

const reach = (isPossible: boolean) =>
  isPossible ? 'reach no network' : 'may reach the network: this system isolates none';
