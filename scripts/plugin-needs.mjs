import { existsSync, readdirSync, readFileSync } from 'node:fs';

const PLUGINS = 'src/plugins';

/**
 * @param {string} plugin
 * @returns {string[]} it and what it needs, directly or not
 */
export const listWithNeeds = (plugin) => {
  const named = needsOf(plugin).flatMap(listWithNeeds);
  return [...new Set([plugin, ...named])];
};

/**
 * @param {string} plugin
 * @returns {string[]} it and what needs it, directly or not
 */
export const listWithDependents = (plugin) => {
  const dependents = readdirSync(PLUGINS).filter((name) => needsOf(name).includes(plugin));
  return [...new Set([plugin, ...dependents.flatMap(listWithDependents)])];
};

/**
 * As its file says, which is not compiled yet.
 *
 * @param {string} plugin
 */
function needsOf(plugin) {
  const file = `${PLUGINS}/${plugin}/${plugin}.plugin.ts`;
  if (!existsSync(file)) throw new Error(`Name a plugin: a folder of ${PLUGINS}`);
  const source = readFileSync(file, 'utf8');
  const [, needs = ''] = /needs: \[([^\]]*)\]/.exec(source) ?? [];
  return [...needs.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
}
