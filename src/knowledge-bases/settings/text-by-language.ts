import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import type { FieldContext } from '../../platform/http/dto-fields.js';
import { hasLength, isStorableText } from '../../platform/http/text.js';

/** A text for all languages, or one for each by its BCP 47 tag. */
export type TextByLanguage = string | Readonly<Record<string, string>>;

const TAG = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/;
const MAX_LANGUAGES = 100;
const NAMED_BY_TAGS = { propertyNames: { pattern: TAG.source } };

/** A text of 1 to `max` characters, or an object of such texts by language. */
export const IsTextByLanguage = (max: number) => {
  const text = { type: 'string', minLength: 1, maxLength: max } as const;
  return applyDecorators(
    ApiProperty({
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
