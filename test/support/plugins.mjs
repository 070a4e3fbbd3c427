const given = (process.env['PLUGINS'] ?? '').split(',').filter((name) => name !== '');
const added = given.filter((name) => !name.startsWith('-'));

/**
 * Whether the services under test run a plugin: PLUGINS says so, as for the service itself.
 *
 * @param {string} name
 * @returns {boolean}
 */
export const isRunning = (name) =>
  (added.length === 0 || added.includes(name)) && !given.includes(`-${name}`);
