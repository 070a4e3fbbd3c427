/** What every object has, and `prototype`, by which a class's objects are reached. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/**
 * The paths of fields that are called as what every object inherits, such as `constructor`. No body
 * has such a field, but looked up in a plain object it seems to be there.
 *
 * @param value as JSON or a query string can say it; instances of classes are not looked into
 */
export function inheritedNames(value: unknown, parent = ''): string[] {
  if (!isPlain(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => [
    ...(INHERITED.has(name) ? [parent + name] : []),
    // The other names are the client's own text, of any length.
    ...inheritedNames(child, `${parent}${name.slice(0, 100)}.`),
  ]);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
