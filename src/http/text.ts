import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/** Text that every database keeps as it is: no NUL, no half of a surrogate pair. */
export const isStorableText = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed();

/** How many Unicode code points; class-validator's Length counts some of them as none. */
export function hasLength(value: unknown, min: number, max: number): boolean {
  if (typeof value !== 'string') return false;
  // A code point is one or two units: most lengths are told without counting.
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length >= 2 * min && value.length <= max) return true;
  const length = Array.from(value).length;
  return length >= min && length <= max;
}

/** A string of `min` to `max` characters. */
export const HasLength = (min: number, max: number) =>
  applyDecorators(
    ApiProperty({
      ...(min > 0 && { minLength: min }),
      maxLength: max,
    }),
    ValidateBy({
      name: 'hasLength',
      validator: {
        validate: (value: unknown) => hasLength(value, min, max),
        defaultMessage: () => `$property must have ${min} to ${max} characters`,
      },
    }),
  );

/** A string of `min` to `max` characters that every database keeps as it is. */
export const IsText = (min: number, max: number) =>
  applyDecorators(
    HasLength(min, max),
    ValidateBy({
      name: 'isStorableText',
      validator: {
        validate: isStorableText,
        defaultMessage: () => '$property must be a string of well-formed Unicode without NUL',
      },
    }),
  );

/** Cuts white space off both ends before validation. */
export const Trim = () =>
  applyDecorators(
    ApiProperty({ pattern: '\\S' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.trim() : value,
    ),
  );
