import type { ConfigFields } from './config-fields.js';
import { type AccessRule, MAX_PRINCIPALS, readAccess } from './access-rule.js';
import type { SourceEntry } from './source-kind.js';

/** Rules by the path of a folder or file; the rule with the longest matching path applies. */
export type AccessMap = Readonly<Record<string, AccessRule>>;

/**
 * Splits a path into names, normalised so that paths of a map and keys of a source can be compared: Unicode
 * NFC, without white space around a name, and without `.` and empty names.
 */
export const splitPath = (path: string): string[] =>
  path
    .normalize('NFC')
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '.');

/**
 * Reads the field `access` of a configuration, for kinds whose keys are paths.
 *
 * @param absolute paths of the machine; paths of a map are relative, so they cannot begin with these
 */
export function readAccessMap(
  fields: ConfigFields,
  absolute: readonly string[] = [],
): { access?: AccessMap } {
  const given = fields.optionalObject('access');
  if (given === undefined) return {};
  const rules = Object.entries(given).map(
    ([path, rule]) => [splitPath(path).join('/'), toRule(rule)] as const,
  );
  const problems = new Set(Object.keys(given).map((path) => findPathProblem(path, absolute)));
  for (const problem of problems) if (problem !== undefined) fields.refuse('access', problem);
  const isUnique = new Set(rules.map(([path]) => path)).size === rules.length;
  const access: [string, AccessRule][] = [];
  for (const [path, rule] of rules) if (rule) access.push([path, rule]);
  if (access.length < rules.length || !isUnique) {
    fields.refuse(
      'access',
      `must have for each path, once, {"allow": […], "deny": […]}, each of at most ${MAX_PRINCIPALS} of everyone, user:<id> and group:<name>`,
    );
  }
  return { access: Object.fromEntries(access) };
}

/** The reason why no document can have a path of a map; undefined if one can. */
function findPathProblem(path: string, absolute: readonly string[]): string | undefined {
  if (path !== '' && path.trim() === '') {
    return 'must not have blank paths; "" stands for everything';
  }
  if (path.includes('*')) {
    return 'must not have * in its paths: a path stands for everything below it';
  }
  const names = splitPath(path);
  if (names.includes('..')) return 'must not have .. in its paths';
  const isAddress = /^[a-z][a-z\d+.-]*:\/\//i.test(path.trim());
  const isOfMachine =
    path.trim().startsWith('/') &&
    absolute.some((root) => {
      const above = splitPath(root);
      return above.length > 0 && above.every((name, index) => name === names[index]);
    });
  return isAddress || isOfMachine
    ? 'must have paths that begin at the folder, the repository or the bucket, not whole addresses'
    : undefined;
}

/** Who may read a document; empty if no path of the map applies to it. */
export function findAccess(map: AccessMap | undefined, key: string): Pick<SourceEntry, 'access'> {
  if (map === undefined) return {};
  for (
    let path = splitPath(key).join('/');
    ;
    path = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  ) {
    const rule = Object.hasOwn(map, path) ? map[path] : undefined;
    if (rule) return { access: rule };
    if (path === '') return {};
  }
}

function toRule(value: unknown): AccessRule | undefined {
  const access = readAccess(value);
  return access === 'unreadable' ? undefined : access;
}
