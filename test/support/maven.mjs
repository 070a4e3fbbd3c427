import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const DOWNLOAD_TIMEOUT_MS = 300_000;

/** Where downloads are kept for the next run. */
export const CACHE =
  process.env['LATCHKEY_TEST_CACHE'] ?? join(homedir(), '.cache', 'latchkey-tests');

/** @param {string} command */
export const isThere = (command) => !spawnSync(command, ['-version'], { stdio: 'ignore' }).error;

/**
 * Lets Maven fill a folder once.
 *
 * @param {string} target a folder
 * @param {string} pom the project that Maven reads
 * @param {string[]} goal of Maven, which fills the folder
 * @returns {boolean} whether it is there
 */
export function bring(target, pom, ...goal) {
  if (existsSync(target)) return true;
  if (!isThere('mvn')) return false;
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(join(CACHE, 'download-'));
  writeFileSync(join(directory, 'pom.xml'), pom);
  const { status } = spawnSync('mvn', ['-q', '-B', ...goal, '-DoutputDirectory=lib'], {
    ...{ cwd: directory, stdio: 'ignore', timeout: DOWNLOAD_TIMEOUT_MS },
  });
  try {
    if (status === 0) renameSync(join(directory, 'lib'), target);
  } catch (error) {
    // Another run may have brought them at the same time.
    if (!existsSync(target)) throw error;
  }
  rmSync(directory, { recursive: true, force: true });
  return existsSync(target);
}
