import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { type ValidationArguments, ValidateBy } from 'class-validator';
import { MAX_JSON_BYTES } from '../http/json-body.js';
import { isStorableText } from '../http/text.js';
import type { Filter, FilterValue } from '../search/metadata-filter.js';

const MAX_CONDITIONS = 20;
const MAX_DEPTH = 3;
const MAX_VALUES = 100;

const TEXT = { type: 'string', maxLength: MAX_JSON_BYTES };

/** Equal to a value, or not; a list is equal to what one of its entries is equal to. */
export class EqualityFilterDto {
  type: 'eq' | 'ne';
  /**
   * Of the document’s metadata, as it is: dots in it mean nothing.
   * @example 'department'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_JSON_BYTES })
  key: string;
  @ApiProperty({
    oneOf: [TEXT, { type: 'number' }, { type: 'boolean' }],
    example: 'support',
  })
  value: FilterValue;
}

/** Numbers as numbers, texts (ISO dates too) by their characters; nothing across types. */
export class OrderFilterDto {
  type: 'gt' | 'gte' | 'lt' | 'lte';
  /** @example 'year' */
  @ApiProperty({ minLength: 1, maxLength: MAX_JSON_BYTES })
  key: string;
  @ApiProperty({ oneOf: [TEXT, { type: 'number' }], example: 2026 })
  value: string | number;
}

/** Equal to one of the values, or to none. */
export class MembershipFilterDto {
  type: 'in' | 'nin';
  /** @example 'language' */
  @ApiProperty({ minLength: 1, maxLength: MAX_JSON_BYTES })
  key: string;
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_VALUES,
    items: { oneOf: [TEXT, { type: 'number' }, { type: 'boolean' }] },
    example: ['de', 'fr'],
  })
  value: FilterValue[];
}

/** All of the conditions, or any. */
export class CompoundFilterDto {
  type: 'and' | 'or';
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_CONDITIONS,
    items: {
      oneOf: [
        'EqualityFilterDto',
        'OrderFilterDto',
        'MembershipFilterDto',
        'CompoundFilterDto',
      ].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    },
    example: [{ type: 'gte', key: 'year', value: 2026 }],
  })
  filters: Filter[];
}

const MODELS = [EqualityFilterDto, OrderFilterDto, MembershipFilterDto, CompoundFilterDto];

/** Of a class with a field that IsFilter. */
export const ApiFilterModels = () => ApiExtraModels(...MODELS);

/** A condition on metadata, or several of them. */
export const IsFilter = () =>
  applyDecorators(
    ApiProperty({
      // No example: what is tried out without a change must find something.
      oneOf: MODELS.map((model) => ({ $ref: getSchemaPath(model) })),
    }),
    ValidateBy({
      name: 'isFilter',
      validator: {
        validate: (value: unknown) => problemOf(value) === undefined,
        defaultMessage: (about?: ValidationArguments) => String(problemOf(about?.value)),
      },
    }),
  );

/** What is wrong with a filter, and where; undefined when nothing is. */
function problemOf(filter: unknown): string | undefined {
  const conditions: unknown[] = [];
  const problem = nodeProblem(filter, 'filter', 1, conditions);
  if (problem !== undefined || conditions.length <= MAX_CONDITIONS) return problem;
  return `filter must have at most ${MAX_CONDITIONS} conditions`;
}

function nodeProblem(
  node: unknown,
  path: string,
  depth: number,
  conditions: unknown[],
): string | undefined {
  if (depth > MAX_DEPTH) return `filter must be at most ${MAX_DEPTH} deep`;
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    return `${path} must be an object with type`;
  }
  const { type, ...rest } = node as Record<string, unknown>;
  if (type === 'and' || type === 'or') {
    const { filters, ...others } = rest;
    if (!Array.isArray(filters) || filters.length === 0 || filters.length > MAX_CONDITIONS) {
      return `${path}.filters must be a list of 1 to ${MAX_CONDITIONS} filters`;
    }
    if (Object.keys(others).length > 0) return `${path} must have only type and filters`;
    for (const [index, one] of filters.entries()) {
      const problem = nodeProblem(one, `${path}.filters.${index}`, depth + 1, conditions);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  conditions.push(node);
  return comparisonProblem(type, rest, path);
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
