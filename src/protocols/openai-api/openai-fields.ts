import { isDeepStrictEqual } from 'node:util';
import { IsOptional, ValidateBy } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { MAX_JSON_BYTES } from '../../platform/http/json-body.js';
import type { FieldContext } from '../../platform/http/dto-fields.js';
import { isStorableText } from '../../platform/http/text.js';

const MAX_PARTS = 1000;

/** A part of a message. */
interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

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
          validate: (value: unknown) =>
            isStorableText(value) ||
            (Array.isArray(value) && value.length <= MAX_PARTS && value.every(isTextPart)),
          defaultMessage: () =>
            '$property must be a text, or parts of type text: images are not read',
        },
      },
      { context: { maxItems: MAX_PARTS } satisfies FieldContext },
    ),
  );

const isTextPart = (part: unknown): part is TextPart =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  part.type === 'text' &&
  'text' in part &&
  isStorableText(part.text);

/** @returns the text of a message's content */
export const textOf = (content: string | readonly TextPart[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

/**
 * A parameter of OpenAI's for a feature that is not supported. It may be absent, null, empty, or a value
 * that leaves the feature off.
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
