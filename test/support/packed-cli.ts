import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as its users have it: packed, and installed into an empty folder. */
export class PackedCli {
  private constructor(readonly folder: string) {}

  static async install(): Promise<PackedCli> {
    const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'cli-'));
    const npm = (...args: string[]) => promisify(execFile)('npm', args);
    const packed = await npm('pack', './packages/cli', '--json', '--pack-destination', folder);
    const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
    const quietly = ['--offline', '--no-audit', '--no-fund'];
    await npm('install', '--prefix', folder, ...quietly, join(folder, filename));
    return new PackedCli(folder);
  }

  get file(): string {
    return join(this.folder, 'node_modules/.bin/latchkey');
  }

  async run(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<Result> {
    const env = { PATH: process.env['PATH'], ...environment };
    return promisify(execFile)(process.execPath, [this.file, ...args], { env }).then(
      (output) => ({ code: 0, ...output }),
      (error: unknown) => error as Result,
    );
  }
}
