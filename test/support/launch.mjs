import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** A whole API key, or the secret of a webhook; no log may hold one. */
export const SECRET = /\brag_(?:live|test)_[0-9A-Za-z]{48}\b|\bwhsec_[0-9A-Za-z+/]{43}=/;

/** @type {NodeJS.ProcessEnv} */
export const TEST_ENVIRONMENT = {
  // Low, so that making keys does not fill the time of the tests.
  API_KEY_BCRYPT_COST: '4',
  LOG_LEVEL: 'debug',
};

/**
 * What makes a start cheaper without changing what is started, a third in all: compiled code kept
 * between runs, and modules found without asking the file system for symbolic links.
 *
 * @type {NodeJS.ProcessEnv}
 */
export const START_ENVIRONMENT = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/latchkey-tests'),
};
export const START_OPTIONS = ['--preserve-symlinks', '--preserve-symlinks-main'];

/**
 * Runs the built service. Of our own environment it gets PATH alone.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {import('node:child_process').StdioOptions} stdio
 * @param {string} [directory] another one that it is built and installed in
 */
export const launch = (environment, stdio, directory) =>
  spawn(process.execPath, [...START_OPTIONS, 'dist/src/main.js'], {
    env: { ...START_ENVIRONMENT, ...environment },
    stdio,
    ...(directory !== undefined && { cwd: directory }),
  });
