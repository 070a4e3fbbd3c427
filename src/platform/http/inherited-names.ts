/** The names that every object inherits, and `prototype`, which every class has. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/**
 * Finds the paths of fields named like something that every object inherits, such as `constructor`. No
 * DTO has such a field, but a lookup in a plain object would find it.
 *
 * @param value a value from JSON or a query string; instances of classes are skipped
 */
export function findInheritedNames(value: unknown, parent = ''): string[] {
  if (!isPlain(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => [
    ...(INHERITED.has(name) ? [parent + name] : []),
    // A name can be of any length, and the path is shown to the client.
    ...findInheritedNames(child, `${parent}${name.slice(0, 100)}.`),
  ]);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
