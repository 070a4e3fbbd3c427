import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './maven.mjs';

/** The largest of them is compiled for minutes. */
const TIMEOUT_MS = 1_200_000;

/**
 * Builds a program of other people, unmodified, and keeps it for the next run. It is built in the folder of
 * its module, because `go install` refuses modules that replace others.
 *
 * @param {string} module its path and version
 * @param {string} folder of the program, in the module
 * @returns {string | undefined} its file, if Go is installed and its proxy has the module
 */
export function buildGoProgram(module, folder = '.') {
  const file = join(CACHE, module.replaceAll('/', '+'));
  if (existsSync(file)) return file;
  /** @type {import('node:child_process').SpawnSyncOptionsWithStringEncoding} */
  const options = { cwd: '/', encoding: 'utf8', timeout: TIMEOUT_MS };
  const { status, stdout } = spawnSync('go', ['mod', 'download', '-json', module], options);
  if (status !== 0) return undefined;
  mkdirSync(CACHE, { recursive: true });
  // Another run may build it at the same time.
  const unfinished = `${file}.${process.pid}`;
  const built = spawnSync(
    'go',
    ['build', '-C', JSON.parse(stdout).Dir, '-o', unfinished, folder],
    options,
  );
  if (built.status !== 0) return undefined;
  renameSync(unfinished, file);
  return file;
}
