import { ValidateBy } from 'class-validator';
import type { FieldContext } from '../../platform/http/dto-fields.js';
import { hasLength, isStorableText } from '../../platform/http/text.js';

/** A list of at most `max` texts of 1 to `length` characters that both databases store unchanged. */
export const IsTextList = (max: number, length: number) =>
  ValidateBy(
    {
      name: 'isTextList',
      validator: {
        validate: (value: unknown) =>
          Array.isArray(value) &&
          value.length <= max &&
          value.every((text) => hasLength(text, 1, length) && isStorableText(text)),
        defaultMessage: () =>
          `$property must be a list of at most ${max} texts of 1 to ${length} characters`,
      },
    },
    { context: { maxItems: max } satisfies FieldContext },
  );
