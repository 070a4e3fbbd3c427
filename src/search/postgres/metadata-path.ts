import type { Comparison, Filter, FilterValue } from '../metadata-filter.js';

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/**
 * A filter as an SQL/JSON path predicate, which compares as Filter says: values of different types never,
 * and a list by its entries. Keys and values are quoted as JSON, which is how paths quote.
 * Strict, since a lax path would look into lists within a list too.
 */
export const metadataPath = (filter: Filter): string => `strict ${predicate(filter)}`;

function predicate(filter: Filter): string {
  switch (filter.type) {
    case 'and':
    case 'or': {
      const operator = filter.type === 'and' ? ' && ' : ' || ';
      return `(${filter.filters.map(predicate).join(operator)})`;
    }
    default:
      return comparison(filter);
  }
}

function comparison(filter: Comparison): string {
  switch (filter.type) {
    case 'eq':
      return isOneOf(filter.key, [filter.value]);
    case 'ne':
      return `(!${isOneOf(filter.key, [filter.value])})`;
    case 'in':
      return isOneOf(filter.key, filter.value);
    case 'nin':
      return `(!${isOneOf(filter.key, filter.value)})`;
    default:
      return anyOf(filter.key, `@ ${OPERATORS[filter.type]} ${JSON.stringify(filter.value)}`);
  }
}

const isOneOf = (key: string, values: readonly FilterValue[]): string =>
  anyOf(key, values.map((value) => `@ == ${JSON.stringify(value)}`).join(' || '));

/**
 * True or false and never unknown, which a comparison of different types would be, or a strict path
 * to a key that is missing.
 */
function anyOf(key: string, condition: string): string {
  const at = JSON.stringify(key);
  const value = `$ ? (exists(@.${at})).${at}`;
  const entries = `${value} ? (@.type() == "array")[*] ? (${condition})`;
  return `(exists(${entries}) || exists(${value} ? (${condition})))`;
}
