import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Length, ValidateBy } from 'class-validator';

/** Text that every database keeps as it is: no NUL, no half of a surrogate pair. */
export const isStorableText = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed();

/** A string of `min` to `max` characters that every database keeps as it is. */
export const IsText = (min: number, max: number) =>
  applyDecorators(
    Length(min, max, { message: `$property must have ${min} to ${max} characters` }),
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
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
