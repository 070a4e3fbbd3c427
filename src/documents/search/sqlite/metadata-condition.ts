import {
  type MetadataFilter,
  type FilterDialect,
  translateFilter,
} from '@latchkey/ranking/metadata-filter';

/**
 * Translates a filter to a condition on a metadata column; `bind` adds a parameter and returns its
 * name.
 */
export const metadataCondition = (
  filter: MetadataFilter,
  column: string,
  bind: (value: string | number) => string,
): string => translateFilter(filter, createDialect(bind, column));

function createDialect(bind: (value: string | number) => string, column: string): FilterDialect {
  /**
   * Builds a condition that is true if the value of a key, or an entry of its list, matches. The key is
   * compared as a value, since not every key can be quoted in a path of `json_extract`.
   */
  const matchAny = (key: string, matches: (entry: string) => string) =>
    `EXISTS (
      SELECT 1 FROM json_each(${column}) v WHERE v.key = ${bind(key)} AND CASE v.type
        WHEN 'array' THEN EXISTS (SELECT 1 FROM json_each(v.value) e WHERE ${matches('e')})
        ELSE ${matches('v')} END)`;
  return {
    and: 'AND',
    or: 'OR',
    not: (condition) => `NOT ${condition}`,
    isOneOf: (key, values) => {
      const lists = (['string', 'number'] as const)
        .map((type) => values.filter((value) => typeof value === type))
        .filter((list) => list.length > 0)
        .map((list) => ({ types: listTypes(list[0]), bound: bind(JSON.stringify(list)) }));
      const booleans = values.filter((value) => typeof value === 'boolean');
      return matchAny(key, (entry) =>
        [
          ...lists.map(
            ({ types, bound }) =>
              `${entry}.type IN ${types} AND ${entry}.atom IN (SELECT value FROM json_each(${bound}))`,
          ),
          ...booleans.map((value) => `${entry}.type = '${value}'`),
        ].join(' OR '),
      );
    },
    isOrdered: (key, operator, value) => {
      const bound = bind(value);
      return matchAny(
        key,
        (entry) => `${entry}.type IN ${listTypes(value)} AND ${entry}.atom ${operator} ${bound}`,
      );
    },
  };
}

/** Lists the json_each types of values comparable with this one. */
const listTypes = (value: unknown): string =>
  typeof value === 'string' ? `('text')` : `('integer', 'real')`;
