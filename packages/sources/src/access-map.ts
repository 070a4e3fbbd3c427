import type { ConfigFields } from './config-fields.js';
import type { SourceEntry } from './source-kind.js';

export interface AccessRule {
  readonly allow: string[];
  readonly deny: string[];
}

/** Rules by the path of a folder or a file; that of the longest path decides. */
export type AccessMap = Readonly<Record<string, AccessRule>>;

const PRINCIPAL = /^(?:everyone|(?:user|group):[^\0]{1,255})$/su;
const MAX_PRINCIPALS = 500;

/** The field `access` of a configuration, for kinds whose keys are paths. */
export function readAccessMap(fields: ConfigFields): { access?: AccessMap } {
  const given = fields.optionalObject('access');
  if (given === undefined) return {};
  const rules = Object.entries(given).map(
    ([path, rule]) => [path.endsWith('/') ? path.slice(0, -1) : path, toRule(rule)] as const,
  );
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

/** Who may read a document; nothing where no path is above it. */
export function accessAt(map: AccessMap | undefined, key: string): Pick<SourceEntry, 'access'> {
  if (map === undefined) return {};
  for (let path = key; ; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
    const rule = Object.hasOwn(map, path) ? map[path] : undefined;
    if (rule) return { access: rule };
    if (path === '') return {};
  }
}

function toRule(value: unknown): AccessRule | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { allow, deny = [], ...others } = value as Record<string, unknown>;
  if (!arePrincipals(allow) || !arePrincipals(deny) || Object.keys(others).length > 0) {
    return undefined;
  }
  return { allow, deny };
}

const arePrincipals = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MAX_PRINCIPALS &&
  value.every((entry) => typeof entry === 'string' && PRINCIPAL.test(entry));
