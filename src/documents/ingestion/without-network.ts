import { type ForkOptions, spawnSync } from 'node:child_process';

const UNSHARE = '/usr/bin/unshare';
/** A network of its own has no way out, and needs a user of its own, who has no rights outside. */
const FLAGS = ['--map-root-user', '--net'];

let isPossible: boolean | undefined;

/**
 * How `fork` starts Node.js so that it reaches no network, where the system lets a process have one of its
 * own: on Linux with user namespaces. Elsewhere it is started as usual.
 */
export function withoutNetwork(execArgv: string[]): Pick<ForkOptions, 'execPath' | 'execArgv'> {
  isPossible ??= spawnSync(UNSHARE, [...FLAGS, 'true'], { stdio: 'ignore' }).status === 0;
  if (!isPossible) return { execArgv };
  return { execPath: UNSHARE, execArgv: [...FLAGS, process.execPath, ...execArgv] };
}
