import { ValidateBy } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FieldContext } from '../../platform/http/dto-fields.js';
import { MAX_JSON_BYTES } from '../../platform/http/json-body.js';
import { isStorableText } from '../../platform/http/text.js';
import { type GivenMessage, MAX_MESSAGES } from './given-messages.js';
import { newestMessages } from './lenient-body.js';
import { isContent, toText } from './openai-fields.js';

/** A body of one MiB cannot contain more. */
const MAX_ITEMS = 20_000;
const ROLES: readonly unknown[] = ['system', 'developer', 'user', 'assistant'];

/** The `input` of a request for a response. */
interface ResponseInput {
  readonly messages: readonly GivenMessage[];
  /** The id of the last answer that the client refers to instead of repeating it. */
  readonly reference?: string;
}

/**
 * Reads the messages of an input. Other items, such as tool calls and reasoning, are left out.
 *
 * @returns undefined if it is no valid input, or has images or files
 */
export function readInput(input: unknown): ResponseInput | undefined {
  if (isStorableText(input)) return { messages: [{ role: 'user', text: input }] };
  if (!Array.isArray(input)) return undefined;
  const messages: GivenMessage[] = [];
  let reference: string | undefined;
  for (const item of newestMessages(input)) {
    if (typeof item !== 'object' || item === null) return undefined;
    const { type = 'message', role, content, id } = item as Record<string, unknown>;
    if (type === 'item_reference' && typeof id === 'string') reference = id;
    if (type !== 'message') continue;
    if (!ROLES.includes(role) || !isContent(content)) return undefined;
    messages.push({ role: String(role), text: toText(content) });
  }
  return { messages, ...(reference !== undefined && { reference }) };
}

const TEXT = { type: 'string', maxLength: MAX_JSON_BYTES };

/** A text, or messages with texts. */
export const IsResponseInput = () =>
  applyDecorators(
    ApiProperty({
      example: 'How long may customers return an order?',
      oneOf: [
        TEXT,
        {
          type: 'array',
          maxItems: MAX_MESSAGES,
          items: {
            type: 'object',
            required: ['role', 'content'],
            properties: {
              role: { type: 'string', enum: ['system', 'developer', 'user', 'assistant'] },
              content: TEXT,
            },
          },
        },
      ],
    }),
    ValidateBy(
      {
        name: 'isResponseInput',
        validator: {
          validate: (value: unknown) => readInput(value) !== undefined,
          defaultMessage: () =>
            '$property must be a text, or a list of messages with texts: images and files are not read',
        },
      },
      { context: { maxItems: MAX_ITEMS } satisfies FieldContext },
    ),
  );
