import { type ForkOptions, spawnSync } from 'node:child_process';
import { Logger } from '@nestjs/common';

const UNSHARE = '/usr/bin/unshare';
/** A network of its own has no way out, and needs a user of its own, who has no rights outside. */
const FLAGS = ['--map-root-user', '--net'];

const logger = new Logger('Isolation');
let isPossible: boolean | undefined;
let isPossibleAsLogged: boolean | undefined;

/**
 * How `fork` starts Node.js so that it reaches no network, where the system lets a process have one of its
 * own: on Linux with user namespaces. Elsewhere it is started as usual.
 */
export function withoutNetwork(
  execArgv: string[],
  unshare = UNSHARE,
): Pick<ForkOptions, 'execPath' | 'execArgv'> {
  isPossible ??= spawnSync(unshare, [...FLAGS, 'true'], { stdio: 'ignore' }).status === 0;
  if (isPossible !== isPossibleAsLogged) logger.log(`Readers of documents ${reach(isPossible)}`);
  isPossibleAsLogged = isPossible;
  if (!isPossible) return { execArgv };
  return { execPath: unshare, execArgv: [...FLAGS, process.execPath, ...execArgv] };
}

/** After a start that failed: the system may let processes have a network of their own no longer. */
export function probeAgain(): void {
  isPossible = undefined;
}

const reach = (isPossible: boolean) =>
  isPossible ? 'reach no network' : 'may reach the network: this system isolates none';
