import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A copy of an example's folder outside of the repository, with its dependencies installed. */
export async function installedExample(name: string): Promise<string> {
  const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), `${name}-`));
  cpSync(join('examples', name), folder, {
    recursive: true,
    filter: (path) => !/node_modules|dist|latchkey-client/.test(path),
  });
  const packed = await packClient(folder);
  await run('npm', ['install', '--prefer-offline', '--no-audit', packed], { cwd: folder });
  return folder;
}

/** Builds `@latchkey/client` and packs it into a folder. @returns the packed file */
export async function packClient(folder: string): Promise<string> {
  await run('npm', ['run', 'build:client']);
  const { stdout } = await run('npm', ['pack', './packages/client', '--pack-destination', folder]);
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}
