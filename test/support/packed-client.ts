import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** That of a shell: npm passes `ignore-scripts` of the project's .npmrc on to what it runs. */
export const shellEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  npm_config_ignore_scripts: undefined,
});

/** A copy of an example's folder outside of the repository, with its dependencies installed. */
export async function installedExample(name: string): Promise<string> {
  const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), `${name}-`));
  cpSync(join('examples', name), folder, {
    recursive: true,
    filter: (path) => !/node_modules|dist|latchkey-client/.test(path),
  });
  await packClient(folder);
  await run('npm', ['install', '--prefer-offline', '--no-audit'], { cwd: folder });
  return folder;
}

/** Builds `@latchkey/client` and packs it into a folder. @returns the packed file */
export async function packClient(folder: string): Promise<string> {
  const { stdout } = await run(
    'npm',
    ['pack', '--ignore-scripts=false', '--pack-destination', folder],
    {
      cwd: 'packages/client',
      env: shellEnvironment(),
    },
  );
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}
