import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Builds `@latchkey/client` and packs it into a folder. @returns the packed file */
export async function packClient(folder: string): Promise<string> {
  await run('npm', ['run', 'build:client']);
  const { stdout } = await run('npm', ['pack', './packages/client', '--pack-destination', folder]);
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}
