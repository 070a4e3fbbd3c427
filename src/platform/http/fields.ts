import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { ApiInteger } from '../openapi/api-fields.js';
import type { FieldContext } from './dto-fields.js';

/** The field may be omitted but not null; with IsOptional it may be either. */
export const IsOptionalNotNull = () => ValidateIf((_, value) => value !== undefined);

/** A whole number from `minimum` to `maximum`. */
export const IsInteger = (minimum: number, maximum: number) =>
  applyDecorators(IsInt(), Min(minimum), Max(maximum), ApiInteger({ minimum, maximum }));

/** A whole number from `minimum` to `maximum` in a query string. */
export const IsQueryInteger = (minimum: number, maximum: number) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value,
    ),
    IsInteger(minimum, maximum),
  );

/** A number from `minimum` to `maximum`. */
export const IsNumberWithin = (minimum: number, maximum: number) =>
  applyDecorators(IsNumber(), Min(minimum), Max(maximum), ApiProperty({ minimum, maximum }));

/** `true` or `false` in a query string. */
export const IsQueryBoolean = () =>
  applyDecorators(
    IsBoolean({ message: '$property must be true or false' }),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' || value === 'false' ? value === 'true' : value,
    ),
  );

/** The length of the longest host name with scheme and port. */
export const MAX_ORIGIN_LENGTH = 'https://'.length + 253 + ':65535'.length;

/** Each entry of a list is an origin as browsers send it: scheme, host and port, no path. */
export const IsOrigin = () =>
  ValidateBy(
    {
      name: 'isOrigin',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value,
        defaultMessage: () =>
          '$property must list origins (scheme, host and port, without a path) such as https://dashboard.example.com',
      },
    },
    { each: true },
  );

const nested = (dto: () => Class): FieldContext => ({ dto });

/** An object that is a DTO. */
export const IsNested = (dto: () => Class) =>
  applyDecorators(IsObject(), ValidateNested({ context: nested(dto) }), Type(dto));

/** A list of at most `maxItems` objects, each of which is a DTO. */
export const IsNestedList = (dto: () => Class, maxItems: number) =>
  applyDecorators(
    ApiProperty({ maxItems }),
    IsArray(),
    ArrayMaxSize(maxItems),
    // A nested list would be mistaken for a list of DTOs.
    IsObject({ each: true }),
    ValidateNested({ each: true, context: nested(dto) }),
    Type(dto),
  );
