import { Problem } from '../../platform/problems/problem.js';
import { invalid, isObject, type Resource, withoutSchema } from './scim-fields.js';
import { parsePath } from './scim-path.js';

/** The attributes that every answer has. */
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);
const MAX_NAMES = 500;

/** Attributes by lower-case name: a whole attribute, or the named parts of one. */
type Named = Map<string, Named> | 'all';

/**
 * Applies `attributes` and `excludedAttributes` (RFC 7644, section 3.9) to a resource, or to each resource of
 * a list. Unknown names change nothing.
 *
 * @param asked names separated by commas, or a list of names
 * @throws Problem `validation_failed`
 */
export function selectAttributes(resource: Resource, asked: Resource): Resource {
  const included = parseNames(asked, 'attributes');
  const excluded = parseNames(asked, 'excludedAttributes');
  const select = (one: Resource): Resource => {
    const some = included === undefined ? one : narrowed(one, included, true);
    const entries = Object.entries(excluded === undefined ? some : narrowed(some, excluded, false));
    const always = Object.entries(one).filter(([name]) => ALWAYS.has(name));
    return Object.fromEntries([...always, ...entries]);
  };
  const { Resources: list } = resource;
  return Array.isArray(list)
    ? { ...resource, Resources: list.filter(isObject).map(select) }
    : select(resource);
}

/** Whether an answer has an attribute, or parts of it. */
export function hasAttribute(name: string, asked: Resource): boolean {
  const included = parseNames(asked, 'attributes');
  const excluded = parseNames(asked, 'excludedAttributes');
  const isIncluded = !(included instanceof Map) || included.has(name.toLowerCase());
  const isExcluded = excluded instanceof Map ? excluded.get(name.toLowerCase()) : excluded;
  return isIncluded && isExcluded !== 'all';
}

function parseNames(asked: Resource, field: string): Named | undefined {
  const given: unknown[] = [asked[field] ?? []].flat();
  const names = given.flatMap((name) => {
    if (typeof name !== 'string') throw invalid(`${field} must be a list of attribute names.`);
    return name.split(',').map((one) => one.trim());
  });
  const paths = names.filter((name) => name !== '').map(splitName);
  if (paths.length > MAX_NAMES) throw invalid(`${field} has at most ${MAX_NAMES} names.`);
  if (paths.length === 0) return undefined;
  return paths.reduce<Named>(withPath, new Map());
}

/** @returns the names that lead to an attribute; empty for the resource's own schema */
function splitName(name: string): string[] {
  try {
    const own = withoutSchema(name);
    if (own === '') return [];
    const path = parsePath(own, '');
    const parts = [path.extension, path.name, path.part].filter((part) => part !== undefined);
    return parts.map((part) => part.toLowerCase());
  } catch (error) {
    // A malformed name is treated as an attribute that no resource has.
    if (error instanceof Problem) return [name];
    throw error;
  }
}

function withPath(named: Named, [first, ...rest]: readonly string[]): Named {
  if (first === undefined || named === 'all') return 'all';
  return named.set(first, withPath(named.get(first) ?? new Map(), rest));
}

/** @param isIncluded whether to keep the named attributes or the others */
function narrowed(object: Resource, named: Named, isIncluded: boolean): Resource {
  if (named === 'all') return isIncluded ? object : {};
  const entries = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const parts = named.get(name.toLowerCase());
    if (parts === undefined) return isIncluded ? [] : [[name, value]];
    if (parts === 'all') return isIncluded ? [[name, value]] : [];
    const some = narrowedValue(value, parts, isIncluded);
    return some === undefined ? [] : [[name, some]];
  });
  return Object.fromEntries(entries);
}

/** @returns undefined if nothing is left */
function narrowedValue(value: unknown, named: Named, isIncluded: boolean): unknown {
  if (Array.isArray(value)) {
    const left = value.map((one: unknown) => narrowedValue(one, named, isIncluded));
    return left.some((one) => one !== undefined)
      ? left.filter((one) => one !== undefined)
      : undefined;
  }
  if (!isObject(value)) return isIncluded ? undefined : value;
  const left = narrowed(value, named, isIncluded);
  return Object.keys(left).length > 0 ? left : undefined;
}
