/** Dify's comparison operators, without those that search within texts, such as `contains`. */
const OPERATORS: Readonly<Record<string, string>> = {
  is: 'eq',
  '=': 'eq',
  'is not': 'ne',
  '≠': 'ne',
  '>': 'gt',
  '≥': 'gte',
  '<': 'lt',
  '≤': 'lte',
  after: 'gt',
  before: 'lt',
  in: 'in',
  'not in': 'nin',
};

export const DIFY_OPERATORS = Object.keys(OPERATORS);

/** @returns the type of a filter of `/query`; undefined for an operator that is not supported */
export const toFilterType = (operator: string): string | undefined =>
  Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
