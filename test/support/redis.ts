import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Redis as Connection } from 'ioredis';
import { freePort } from './postgres.mjs';
import { eventually } from './service.js';

const COMMAND = 'redis-server';
export const hasRedis = !spawnSync(COMMAND, ['--version']).error;

/** A real Redis on loopback that keeps nothing. */
export class Redis {
  private process?: ChildProcess;

  private constructor(private readonly port: number) {}

  static async start(): Promise<Redis> {
    const redis = new Redis(await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** On the same port as before. */
  async start(): Promise<void> {
    this.process = spawn(
      COMMAND,
      ['--bind', '127.0.0.1', '--port', String(this.port), '--save', '', '--appendonly', 'no'],
      { stdio: 'ignore' },
    );
    await eventually(async () => {
      const socket = connect(this.port, '127.0.0.1');
      const connected = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      return connected;
    });
  }

  /** How many keys it holds, which it then holds no longer. */
  async takeCounters(): Promise<number> {
    const connection = new Connection(this.url);
    try {
      const count = await connection.dbsize();
      await connection.flushdb();
      return count;
    } finally {
      connection.disconnect();
    }
  }

  /** It takes connections and commands, and says nothing. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  unfreeze(): void {
    this.process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    if (!this.process || this.process.exitCode !== null) return;
    this.process.kill('SIGTERM');
    await once(this.process, 'close');
  }
}
