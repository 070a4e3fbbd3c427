import type { Comparison, Filter, FilterValue } from '../metadata-filter.js';

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

export interface Condition {
  readonly sql: string;
  readonly parameters: Record<string, string | number>;
}

/**
 * A filter as a condition on the column `metadata` of the table `d`. Keys are compared with what
 * json_each says, since a path could not quote all of them.
 */
export function metadataCondition(filter: Filter): Condition {
  const parameters: Condition['parameters'] = {};
  const bind = (value: string | number): string => {
    const name = `filter${Object.keys(parameters).length}`;
    parameters[name] = value;
    return `@${name}`;
  };
  return { sql: condition(filter, bind), parameters };
}

type Bind = (value: string | number) => string;

function condition(filter: Filter, bind: Bind): string {
  switch (filter.type) {
    case 'and':
    case 'or': {
      const operator = filter.type === 'and' ? ' AND ' : ' OR ';
      return `(${filter.filters.map((one) => condition(one, bind)).join(operator)})`;
    }
    default:
      return comparison(filter, bind);
  }
}

function comparison(filter: Comparison, bind: Bind): string {
  switch (filter.type) {
    case 'eq':
      return isOneOf(filter.key, [filter.value], bind);
    case 'ne':
      return `NOT ${isOneOf(filter.key, [filter.value], bind)}`;
    case 'in':
      return isOneOf(filter.key, filter.value, bind);
    case 'nin':
      return `NOT ${isOneOf(filter.key, filter.value, bind)}`;
    default: {
      const { key, type, value } = filter;
      const bound = bind(value);
      return anyOf(
        key,
        (entry) =>
          `${entry}.type IN ${typesOf(value)} AND ${entry}.atom ${OPERATORS[type]} ${bound}`,
        bind,
      );
    }
  }
}

function isOneOf(key: string, values: readonly FilterValue[], bind: Bind): string {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const booleans = values.filter((value) => typeof value === 'boolean');
  const lists = [texts, numbers]
    .filter((list) => list.length > 0)
    .map((list) => ({ types: typesOf(list[0]), bound: bind(JSON.stringify(list)) }));
  return anyOf(
    key,
    (entry) =>
      [
        ...lists.map(
          ({ types, bound }) =>
            `${entry}.type IN ${types} AND ${entry}.atom IN (SELECT value FROM json_each(${bound}))`,
        ),
        ...booleans.map((value) => `${entry}.type = '${value}'`),
      ].join(' OR '),
    bind,
  );
}

/** How json_each calls the types of values that can be equal to one. */
const typesOf = (value: unknown): string =>
  typeof value === 'string' ? `('text')` : `('integer', 'real')`;

/** Whether what stands under a key, or an entry of the list there, meets a condition. */
const anyOf = (key: string, holds: (entry: string) => string, bind: Bind): string =>
  `EXISTS (
    SELECT 1 FROM json_each(d.metadata) v WHERE v.key = ${bind(key)} AND CASE v.type
      WHEN 'array' THEN EXISTS (SELECT 1 FROM json_each(v.value) e WHERE ${holds('e')})
      ELSE ${holds('v')} END)`;
