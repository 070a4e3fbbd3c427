import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { type ValidationArguments, ValidateBy } from 'class-validator';
import { MAX_JSON_BYTES } from '../../platform/http/json-body.js';
import type { MetadataFilter, FilterValue } from '@latchkey/ranking/metadata-filter';
import { filterProblem, MAX_CONDITIONS, MAX_VALUES } from './filter-problem.js';

const TEXT = { type: 'string', maxLength: MAX_JSON_BYTES };

const FILTER = {
  'x-name': 'Filter',
  oneOf: ['EqualityFilterDto', 'OrderFilterDto', 'MembershipFilterDto', 'CompoundFilterDto'].map(
    (name) => ({ $ref: `#/components/schemas/${name}` }),
  ),
};

/** Compares for equality. A list equals a value if one of its entries does. */
export class EqualityFilterDto {
  type: 'eq' | 'ne';
  /**
   * A key of the document’s metadata, taken literally: dots have no meaning.
   * @example 'department'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_JSON_BYTES }) key: string;
  @ApiProperty({
    oneOf: [TEXT, { type: 'number' }, { type: 'boolean' }],
    example: 'support',
  })
  value: FilterValue;
}

/**
 * Compares numbers as numbers and texts (including ISO dates) by their characters; values of different
 * types are not comparable.
 */
export class OrderFilterDto {
  type: 'gt' | 'gte' | 'lt' | 'lte';
  /** @example 'year' */
  @ApiProperty({ minLength: 1, maxLength: MAX_JSON_BYTES }) key: string;
  @ApiProperty({ oneOf: [TEXT, { type: 'number' }], example: 2026 }) value: string | number;
}

/** Compares with several values: equal to one of them, or to none. */
export class MembershipFilterDto {
  type: 'in' | 'nin';
  /** @example 'language' */
  @ApiProperty({ minLength: 1, maxLength: MAX_JSON_BYTES }) key: string;
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_VALUES,
    items: { oneOf: [TEXT, { type: 'number' }, { type: 'boolean' }] },
    example: ['de', 'fr'],
  })
  value: FilterValue[];
}

/** Combines conditions: all of them must hold, or any. */
export class CompoundFilterDto {
  type: 'and' | 'or';
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_CONDITIONS,
    items: FILTER,
    example: [{ type: 'gte', key: 'year', value: 2026 }],
  })
  filters: MetadataFilter[];
}

/** Adds the schemas of filters to the OpenAPI document; for a class with a property that IsFilter. */
export const ApiFilterModels = () =>
  ApiExtraModels(EqualityFilterDto, OrderFilterDto, MembershipFilterDto, CompoundFilterDto);

/** Documents a property that is a filter, or null. */
export const ApiFilter = () =>
  ApiProperty({
    // There is no example: Swagger UI would send it, and a question would find nothing.
    allOf: [FILTER],
  });

/** Validates and documents a property that is a filter. */
export const IsFilter = () =>
  applyDecorators(
    ApiFilter(),
    ValidateBy({
      name: 'isFilter',
      validator: {
        validate: (value: unknown) => filterProblem(value) === undefined,
        defaultMessage: (about?: ValidationArguments) => String(filterProblem(about?.value)),
      },
    }),
  );
