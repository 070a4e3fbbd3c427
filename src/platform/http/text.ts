import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/** Text that both databases store unchanged: no NUL, no lone surrogate. */
export const isStorableText = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed();

/** Counts Unicode code points; class-validator's Length ignores some of them. */
export function hasLength(value: unknown, min: number, max: number): boolean {
  if (typeof value !== 'string') return false;
  // A code point is one or two UTF-16 units, so most lengths need no counting.
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length >= 2 * min && value.length <= max) return true;
  const length = Array.from(value).length;
  return length >= min && length <= max;
}

/** A string of `min` to `max` characters. */
export const HasLength = (min: number, max: number) =>
  applyDecorators(
    ApiProperty({ ...(min > 0 && { minLength: min }), maxLength: max }),
    ValidateBy({
      name: 'hasLength',
      validator: {
        validate: (value: unknown) => hasLength(value, min, max),
        defaultMessage: () => `$property must have ${min} to ${max} characters`,
      },
    }),
  );

/** A string of `min` to `max` characters that both databases store unchanged. */
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

/** Replaces NUL and halves of surrogate pairs, which cannot be stored, where nothing depends on them. */
export const ReplaceUnstorable = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
  );

/** Cuts white space off both ends before validation. */
export const Trim = () =>
  applyDecorators(
    ApiProperty({ pattern: '\\S' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.trim() : value,
    ),
  );
