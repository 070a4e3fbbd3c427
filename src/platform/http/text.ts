import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationOptions } from 'class-validator';
import type { FieldContext } from './dto-fields.js';

/** Whether both databases store a text unchanged: it has no NUL and no lone surrogate. */
export const isStorableText = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed();

/** Checks the length in Unicode code points; class-validator's Length ignores some of them. */
export function hasLength(value: unknown, min: number, max: number): boolean {
  if (typeof value !== 'string') return false;
  // A code point is one or two UTF-16 units, so most lengths need no counting.
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length >= 2 * min && value.length <= max) return true;
  const length = Array.from(value).length;
  return length >= min && length <= max;
}

/** A string of `min` to `max` characters. */
export const HasLength = (min: number, max: number, options: ValidationOptions = {}) =>
  applyDecorators(
    ...(options.each ? [] : [ApiProperty({ ...(min > 0 && { minLength: min }), maxLength: max })]),
    ValidateBy(
      {
        name: 'hasLength',
        validator: {
          validate: (value: unknown) => hasLength(value, min, max),
          defaultMessage: () => `$property must have ${min} to ${max} characters`,
        },
      },
      options,
    ),
  );

/** A string of `min` to `max` characters that both databases store unchanged. */
export const IsText = (min: number, max: number, options: ValidationOptions = {}) =>
  applyDecorators(
    HasLength(min, max, options),
    ValidateBy(
      {
        name: 'isStorableText',
        validator: {
          validate: isStorableText,
          defaultMessage: () => '$property must be a string of well-formed Unicode without NUL',
        },
      },
      options,
    ),
  );

/** Whether a text is empty or only white space. */
export const isBlank = (text: string): boolean => !/\S/.test(text);

/** A string that is not blank. */
export const IsNotBlank = () =>
  applyDecorators(
    ApiProperty({ pattern: '\\S' }),
    ValidateBy({
      name: 'isNotBlank',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && !isBlank(value),
        defaultMessage: () => '$property must not be blank',
      },
    }),
  );

/** Replaces NUL and lone surrogates, which cannot be stored, where the exact text does not matter. */
export const ReplaceUnstorable = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
  );

/** Trims white space before validation. */
export const Trim = () =>
  applyDecorators(
    ApiProperty({ pattern: '\\S' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.trim() : value,
    ),
  );

/** A text for all languages, or one per BCP 47 tag. */
export type TextByLanguage = string | Readonly<Record<string, string>>;

const TAG = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/;
const MAX_LANGUAGES = 100;
const NAMED_BY_TAGS = { propertyNames: { pattern: TAG.source } };

/** A text of 1 to `max` characters, or an object of such texts by language. */
export const IsTextByLanguage = (max: number) => {
  const text = { type: 'string', minLength: 1, maxLength: max } as const;
  return applyDecorators(
    ApiProperty({
      allOf: [
        {
          ...{ 'x-name': 'TextByLanguage' },
          oneOf: [
            text,
            {
              type: 'object',
              minProperties: 1,
              maxProperties: MAX_LANGUAGES,
              ...NAMED_BY_TAGS,
              additionalProperties: text,
            },
          ],
        },
      ],
    }),
    ValidateBy(
      {
        name: 'isTextByLanguage',
        validator: {
          validate: (value: unknown) => isText(value, max) || isObjectOfTexts(value, max),
          defaultMessage: () =>
            `$property must be a text of 1 to ${max} characters, or an object of such texts by BCP 47 language tags, such as \`de\` or \`pt-BR\``,
        },
      },
      { context: { maxFields: MAX_LANGUAGES } satisfies FieldContext },
    ),
  );
};

const isText = (value: unknown, max: number) => hasLength(value, 1, max) && isStorableText(value);

function isObjectOfTexts(value: unknown, max: number): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([tag, text]) => TAG.test(tag) && isText(text, max));
}
