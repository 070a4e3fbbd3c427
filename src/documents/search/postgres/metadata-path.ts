import {
  type MetadataFilter,
  type FilterDialect,
  translateFilter,
} from '@latchkey/ranking/metadata-filter';

/**
 * Translates a filter to an SQL/JSON path predicate. Such a path compares like Filter: it never
 * compares values of different types, and compares lists by their entries. Keys and values are quoted
 * as JSON, as paths require. The path is strict, because a lax one would also search lists within
 * lists.
 */
export const metadataPath = (filter: MetadataFilter): string =>
  `strict ${translateFilter(filter, PATH)}`;

const PATH: FilterDialect = {
  and: '&&',
  or: '||',
  not: (condition) => `(!${condition})`,
  isOneOf: (key, values) =>
    matchAny(key, values.map((value) => `@ == ${JSON.stringify(value)}`).join(' || ')),
  isOrdered: (key, operator, value) => matchAny(key, `@ ${operator} ${JSON.stringify(value)}`),
};

/**
 * Builds a condition that is always true or false. Without `exists`, comparing different types and
 * reading a missing key by a strict path would give unknown.
 */
function matchAny(key: string, condition: string): string {
  const member = JSON.stringify(key);
  const value = `$ ? (exists(@.${member})).${member}`;
  const entries = `${value} ? (@.type() == "array")[*] ? (${condition})`;
  return `(exists(${entries}) || exists(${value} ? (${condition})))`;
}
