import { spawn } from 'node:child_process';

/** A whole API key; no log may hold one. */
export const SECRET = /\brag_(?:live|test)_[0-9A-Za-z]{48}\b/;

/** @type {NodeJS.ProcessEnv} */
export const TEST_ENVIRONMENT = {
  // Low, so that making keys does not fill the time of the tests.
  API_KEY_BCRYPT_COST: '4',
  LOG_LEVEL: 'debug',
};

/**
 * Runs the built service. Of our own environment it gets PATH alone.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {import('node:child_process').StdioOptions} stdio
 */
export const launch = (environment, stdio) =>
  spawn(process.execPath, ['dist/src/main.js'], {
    env: {
      PATH: process.env['PATH'],
      // A fifth of what a start costs; kept between runs.
      NODE_COMPILE_CACHE: 'node_modules/.cache/latchkey-tests',
      ...environment,
    },
    stdio,
  });
