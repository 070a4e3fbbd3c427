/** Dify's comparison operators; those that search within texts are not among them. */
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

/** @returns the type of the filter of `/query`; undefined for an operator that it does not have */
export const filterTypeOf = (operator: string): string | undefined =>
  Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
