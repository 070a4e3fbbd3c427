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

/** Equal to a value, or not; a list is equal to what one of its entries is equal to. */
export class EqualityFilterDto {
  type: 'eq' | 'ne';
  /**
   * Of the document’s metadata, as it is: dots in it mean nothing.
   * @example 'department'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_JSON_BYTES }) key: string;
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
  @ApiProperty({ minLength: 1, maxLength: MAX_JSON_BYTES }) key: string;
  @ApiProperty({ oneOf: [TEXT, { type: 'number' }], example: 2026 }) value: string | number;
}

/** Equal to one of the values, or to none. */
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

/** All of the conditions, or any. */
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

/** For a class with a property that IsFilter: adds the schemas to the OpenAPI document. */
export const ApiFilterModels = () =>
  ApiExtraModels(EqualityFilterDto, OrderFilterDto, MembershipFilterDto, CompoundFilterDto);

/** Documents a property that is a filter, or null. */
export const ApiFilter = () =>
  ApiProperty({
    // No example: Swagger UI would send it, and a question would find nothing.
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
