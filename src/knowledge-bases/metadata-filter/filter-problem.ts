import { isStorableText } from '../../platform/http/text.js';
import type { FilterValue } from '@latchkey/ranking/metadata-filter';

export const MAX_CONDITIONS = 20;
const MAX_DEPTH = 3;
export const MAX_VALUES = 100;

/** Describes what is wrong with a filter, and where; undefined if nothing is. */
export function filterProblem(filter: unknown): string | undefined {
  let conditions = 0;

  function findProblem(node: unknown, path: string, depth: number): string | undefined {
    if (depth > MAX_DEPTH) return `filter must be at most ${MAX_DEPTH} deep`;
    if (typeof node !== 'object' || node === null || Array.isArray(node)) {
      return `${path} must be an object with type`;
    }
    const { type, ...rest } = node as Record<string, unknown>;
    if (type !== 'and' && type !== 'or') {
      conditions++;
      return comparisonProblem(type, rest, path);
    }
    const { filters, ...others } = rest;
    if (!Array.isArray(filters) || filters.length === 0 || filters.length > MAX_CONDITIONS) {
      return `${path}.filters must be a list of 1 to ${MAX_CONDITIONS} filters`;
    }
    if (Object.keys(others).length > 0) return `${path} must have only type and filters`;
    for (const [index, part] of filters.entries()) {
      const problem = findProblem(part, `${path}.filters.${index}`, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  const problem = findProblem(filter, 'filter', 1);
  if (problem !== undefined || conditions <= MAX_CONDITIONS) return problem;
  return `filter must have at most ${MAX_CONDITIONS} conditions`;
}

function comparisonProblem(
  type: unknown,
  { key, value, ...others }: Record<string, unknown>,
  path: string,
): string | undefined {
  if (!isStorableText(key) || key === '') {
    return `${path}.key must be a text of well-formed Unicode without NUL, and not empty`;
  }
  if (Object.keys(others).length > 0) return `${path} must have only type, key and value`;
  switch (type) {
    case 'eq':
    case 'ne':
      return isValue(value) ? undefined : `${path}.value must be a text, a number or a boolean`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return isValue(value) && typeof value !== 'boolean'
        ? undefined
        : `${path}.value must be a text or a number`;
    case 'in':
    case 'nin':
      return Array.isArray(value) &&
        value.length > 0 &&
        value.length <= MAX_VALUES &&
        value.every(isValue)
        ? undefined
        : `${path}.value must be a list of 1 to ${MAX_VALUES} texts, numbers or booleans`;
    default:
      return `${path}.type must be one of eq, ne, gt, gte, lt, lte, in, nin, and, or`;
  }
}

const isValue = (value: unknown): value is FilterValue =>
  isStorableText(value) || typeof value === 'boolean' || Number.isFinite(value);
