import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Servers run on the first core and those who ask on the second, where that can be arranged. */
export const pinned = availableParallelism() > 1 && hasTaskset();
export const SERVER_CORE = 0;
export const CLIENT_CORE = 1;

/** A process that answers each message with one. */
export class Child {
  /** @type {Set<Child>} */
  static running = new Set();

  /**
   * @param {string} path below this folder
   * @param {{ core: number, parameters?: string[], environment?: NodeJS.ProcessEnv, yielding?: boolean }} options
   *   `yielding` lets others on the same core go first
   */
  constructor(path, { core, parameters = [], environment = {}, yielding = false }) {
    const command = [
      ...(yielding ? ['nice', '-n', '19'] : []),
      ...(pinned ? ['taskset', '-c', String(core)] : []),
      process.execPath,
    ];
    this.process = fork(new URL(path, import.meta.url), parameters, {
      execPath: command[0],
      execArgv: command.slice(1),
      env: { ...process.env, NODE_ENV: 'production', ...environment },
    });
    Child.running.add(this);
  }

  /**
   * The next message.
   *
   * @returns {Promise<any>}
   */
  answer() {
    return new Promise((resolve, reject) => {
      const { process: child } = this;
      const ended = () => reject(new Error(`${child.spawnargs.join(' ')} ended`));
      child.once('exit', ended).once('message', (message) => {
        child.off('exit', ended);
        resolve(message);
      });
    });
  }

  /**
   * @param {object} message
   * @returns {Promise<any>}
   */
  ask(message) {
    const answer = this.answer();
    this.process.send(message);
    return answer;
  }

  /** Children end when their parent lets them go. */
  static async stopAll() {
    await Promise.all(
      [...Child.running].map(async ({ process: child }) => {
        if (child.exitCode !== null) return;
        const exit = once(child, 'exit');
        if (child.connected) child.disconnect();
        await exit;
      }),
    );
  }
}

function hasTaskset() {
  try {
    execFileSync('taskset', ['-p', String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
