import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsNumber, Max, Min, ValidateIf } from 'class-validator';
import { ApiInteger } from '../openapi/api-fields.js';

/** The field may be left out, but not be null; with IsOptional it may be either. */
export const IsOptionalNotNull = () => ValidateIf((_, value) => value !== undefined);

/** A whole number from `minimum` to `maximum`. */
export const IsInteger = (minimum: number, maximum: number) =>
  applyDecorators(IsInt(), Min(minimum), Max(maximum), ApiInteger({ minimum, maximum }));

/** The same in a query, which has text only. */
export const IsQueryInteger = (minimum: number, maximum: number) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ),
    IsInteger(minimum, maximum),
  );

/** A number from `minimum` to `maximum`. */
export const IsNumberWithin = (minimum: number, maximum: number) =>
  applyDecorators(IsNumber(), Min(minimum), Max(maximum), ApiProperty({ minimum, maximum }));

/** `true` or `false` in a query, which has text only. */
export const IsQueryBoolean = () =>
  applyDecorators(
    IsBoolean({ message: '$property must be true or false' }),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' || value === 'false' ? value === 'true' : value,
    ),
  );
