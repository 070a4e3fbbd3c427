import { isDeepStrictEqual } from 'node:util';
import { IsOptional, ValidateBy } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { MAX_JSON_BYTES } from '../../platform/http/json-body.js';
import type { FieldContext } from '../../platform/http/dto-fields.js';
import { isStorableText } from '../../platform/http/text.js';

const MAX_PARTS = 1000;

/** A part of a message. An assistant's part may be a refusal. */
type TextPart =
  | { readonly type: 'text' | 'input_text' | 'output_text'; readonly text: string }
  | { readonly type: 'refusal'; readonly refusal: string };

export type TextContent = string | readonly TextPart[];

const TEXT_TYPES: readonly unknown[] = ['text', 'input_text', 'output_text'];

const TEXT = { type: 'string', maxLength: MAX_JSON_BYTES };

/** A text, or a list of at most `maxItems`. */
export const IsTextOrTexts = (maxItems: number) =>
  applyDecorators(
    ApiProperty({ oneOf: [TEXT, { type: 'array', maxItems, items: TEXT }] }),
    ValidateBy(
      {
        name: 'isTextOrTexts',
        validator: {
          validate: (value: unknown) =>
            typeof value === 'string' ||
            (Array.isArray(value) &&
              value.length <= maxItems &&
              value.every((item) => typeof item === 'string')),
          defaultMessage: () => `$property must be a text, or a list of at most ${maxItems}`,
        },
      },
      { context: { maxItems } satisfies FieldContext },
    ),
  );

/** A text, or a list of parts of type `text`; images are not supported. */
export const IsTextContent = () =>
  applyDecorators(
    ApiProperty({
      oneOf: [
        TEXT,
        {
          type: 'array',
          maxItems: MAX_PARTS,
          items: {
            type: 'object',
            required: ['type', 'text'],
            properties: { type: { type: 'string', enum: ['text'] }, text: TEXT },
          },
        },
      ],
    }),
    ValidateBy(
      {
        name: 'isTextContent',
        validator: {
          validate: isContent,
          defaultMessage: () =>
            '$property must be a text, or parts of type text: images are not read',
        },
      },
      { context: { maxItems: MAX_PARTS } satisfies FieldContext },
    ),
  );

export const isContent = (value: unknown): value is TextContent =>
  isStorableText(value) ||
  (Array.isArray(value) && value.length <= MAX_PARTS && value.every(isTextPart));

function isTextPart(part: unknown): part is TextPart {
  if (typeof part !== 'object' || part === null || !('type' in part)) return false;
  if (part.type === 'refusal') return 'refusal' in part && isStorableText(part.refusal);
  return TEXT_TYPES.includes(part.type) && 'text' in part && isStorableText(part.text);
}

/** @returns the text of a message's content; empty without content */
export const toText = (content: TextContent = ''): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'refusal' ? part.refusal : part.text)).join('\n');

/**
 * An OpenAI parameter for a feature that is not supported. It may be absent, null, empty, or a value that
 * leaves the feature off.
 *
 * @param harmless the values that leave the feature off
 * @param type the type of an object that leaves it off, such as `{"type": "text"}`
 */
export const IsAbsentFeature = (harmless: readonly unknown[], type?: string) =>
  applyDecorators(
    IsOptional(),
    ValidateBy({
      name: 'isAbsentFeature',
      validator: {
        validate: (value: unknown) =>
          harmless.includes(value) ||
          isDeepStrictEqual(value, []) ||
          isDeepStrictEqual(value, {}) ||
          isDeepStrictEqual(value, { type }),
        defaultMessage: () => '$property is not supported',
      },
    }),
  );

/** OpenAI's `text` of a response. Its format can only be plain text; other fields have no effect. */
export const IsPlainTextFormat = () =>
  applyDecorators(
    IsOptional(),
    ValidateBy({
      name: 'isPlainTextFormat',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'object' &&
          value !== null &&
          (!('format' in value) ||
            value.format === null ||
            isDeepStrictEqual(value.format, { type: 'text' })),
        defaultMessage: () => '$property can only have the format text',
      },
    }),
  );
