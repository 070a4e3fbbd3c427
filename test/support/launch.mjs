import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** A whole API key, an agent's access token, or the secret of a webhook; no log may hold one. */
export const SECRET =
  /rag_(?:live|test|admin)_[0-9A-Za-z]{48}(?![0-9A-Za-z])|rag_agent_[\w-]{43}(?![\w-])|whsec_[0-9A-Za-z+/]{43}=/;

/** @type {NodeJS.ProcessEnv} */
export const TEST_ENVIRONMENT = {
  // Low, so that making keys does not fill the time of the tests.
  API_KEY_BCRYPT_COST: '4',
  LOG_LEVEL: 'debug',
  SOURCE_FOLDERS: '/srv',
  // A busy machine keeps statements and searches waiting; tests of what is too long use DEFAULT_TIMEOUTS.
  DATABASE_ACQUIRE_TIMEOUT_MS: '20000',
  DATABASE_STATEMENT_TIMEOUT_MS: '20000',
  REDIS_TIMEOUT_MS: '20000',
  SEARCH_TIMEOUT_MS: '20000',
  EMBEDDINGS_TIMEOUT_MS: '20000',
  ...(process.env['PLUGINS'] && { PLUGINS: process.env['PLUGINS'] }),
  // Of `npm test -- search-engine`.
  ...(process.env['TEST_SEARCH_URL'] && { SEARCH_URL: process.env['TEST_SEARCH_URL'] }),
};

/** @type {NodeJS.ProcessEnv} How long the service waits for its database where nobody says. */
export const DEFAULT_TIMEOUTS = {
  DATABASE_ACQUIRE_TIMEOUT_MS: '1500',
  DATABASE_STATEMENT_TIMEOUT_MS: '1500',
  REDIS_TIMEOUT_MS: '250',
  SEARCH_TIMEOUT_MS: '2000',
  EMBEDDINGS_TIMEOUT_MS: '800',
};

/**
 * Compiled code is kept between runs, which makes a start a tenth cheaper.
 *
 * @type {NodeJS.ProcessEnv}
 */
export const START_ENVIRONMENT = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/latchkey-tests'),
};

/**
 * Runs the built service with the flags of `npm start`, without which it uses a third more memory. Of
 * our own environment it gets PATH alone.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {import('node:child_process').StdioOptions} stdio
 * @param {string} [directory] another one that it is built and installed in
 */
export const launch = (environment, stdio, directory) =>
  spawn(process.execPath, ['--max-semi-space-size=4', 'dist/service/main.js'], {
    env: { ...START_ENVIRONMENT, ...withoutDownload(environment) },
    stdio,
    ...(directory !== undefined && { cwd: directory }),
  });

/**
 * No test installs a model by accident.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
function withoutDownload(environment) {
  const { EMBEDDINGS_BASE_URL, EMBEDDINGS_MODEL_PATH } = environment;
  return {
    ...((EMBEDDINGS_BASE_URL ?? EMBEDDINGS_MODEL_PATH) ? {} : { EMBEDDINGS: 'off' }),
    ...environment,
  };
}
