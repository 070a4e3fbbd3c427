import { existsSync } from 'node:fs';

const given = (process.env['PLUGINS'] ?? '').split(',').filter((name) => name !== '');
const added = given.filter((name) => !name.startsWith('-'));

/**
 * Whether the services under test run a plugin: it is there, and PLUGINS says so, as for the service
 * itself.
 *
 * @param {string} name
 * @returns {boolean}
 */
export const isRunning = (name) =>
  existsSync(new URL(`../../src/plugins/${name}`, import.meta.url)) &&
  (added.length === 0 || added.includes(name)) &&
  !given.includes(`-${name}`);
