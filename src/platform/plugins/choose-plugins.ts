import { ConfigurationError } from '../config/configuration-error.js';

/** As the only name, this means that no plugin runs. */
const NONE = 'none';

/**
 * Chooses the plugins to run.
 *
 * @param known the names of all plugins
 * @param given the value of PLUGINS: names to run, names with `-` before them to leave out, or `none`;
 * empty means all
 * @returns some of `known`, in its order
 * @throws ConfigurationError for an unknown name, a name with and without `-`, or `none` beside another name
 */
export function choosePlugins(known: readonly string[], given: readonly string[]): string[] {
  if (given.includes(NONE)) {
    if (given.length === 1) return [];
    throw new ConfigurationError('PLUGINS must not name other plugins beside none');
  }
  const removed = given.filter((name) => name.startsWith('-')).map((name) => name.slice(1));
  const added = given.filter((name) => !name.startsWith('-'));
  const unknown = [...added, ...removed].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new ConfigurationError(
      `PLUGINS names ${unknown.map((name) => name || 'nothing after -').join(', ')}, but the plugins are: ${known.join(', ')}`,
    );
  }
  const twice = added.find((name) => removed.includes(name));
  if (twice !== undefined) {
    throw new ConfigurationError(`PLUGINS must not name both ${twice} and -${twice}`);
  }
  const chosen = added.length > 0 ? added : known;
  return known.filter((name) => chosen.includes(name) && !removed.includes(name));
}
