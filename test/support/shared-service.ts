import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SharedProcess } from './engine-setup.mjs';
import { eventually } from './service.js';
import { engine } from './test-database.js';

const READY_TIMEOUT_MS = 60_000;

/**
 * A running service that other test files use at the same time: what a test finds in it is only
 * what belongs to users and knowledge bases of its own, and nobody stops it. Those who need more
 * start one: Service.start().
 */
export class SharedService {
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
  private readonly logFile: string;

  constructor({ url, environment, logFile }: SharedProcess) {
    this.url = url;
    this.environment = environment;
    this.logFile = logFile;
  }

  /** Everything it has written since the run began, at debug level. */
  get logs(): string {
    return readFileSync(this.logFile, 'utf8');
  }
}

/**
 * Two processes on one database, which all files of the run share. SQLite is one process's, so there
 * both are the same: what a test asks of two is then asked of one.
 */
export async function sharedServices(): Promise<[SharedService, SharedService]> {
  const [first, second = first] = JSON.parse(String(process.env[`LATCHKEY_SHARED_${engine}`])) as [
    SharedProcess,
    SharedProcess?,
  ];
  const services: [SharedService, SharedService] = [
    new SharedService(first),
    new SharedService(second),
  ];
  for (const service of services) {
    await eventually(async () => {
      const response = await fetch(`${service.url}/health/ready`).catch(() => undefined);
      return response?.ok === true;
    }, READY_TIMEOUT_MS).catch((error: unknown) => {
      throw new Error(`A shared service is not ready:\n${service.logs}`, { cause: error });
    });
  }
  return services;
}

export async function sharedService(): Promise<SharedService> {
  return (await sharedServices())[0];
}

/** A user id that no other test has, such as `alice-3f9c21d0`. */
export const newUserId = (name: string): string => `${name}-${randomBytes(4).toString('hex')}`;
