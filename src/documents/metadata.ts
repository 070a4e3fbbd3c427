import { ValidateBy } from 'class-validator';
import { type FieldContext, MAX_FREE_FORM_FIELDS } from '../platform/http/dto-fields.js';
import { isStorableText } from '../platform/http/text.js';

const MAX_METADATA_BYTES = 16 * 1024;

/** Accepts a JSON object of at most 16 KiB whose keys and strings can all be stored. */
export const IsMetadata = () =>
  ValidateBy(
    {
      name: 'isMetadata',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES &&
          collectStrings(value).every(isStorableText),
        defaultMessage: () =>
          '$property must be a JSON object of at most 16 KiB, of well-formed Unicode without NUL',
      },
    },
    { context: { maxFields: MAX_FREE_FORM_FIELDS } satisfies FieldContext },
  );

function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [key, ...collectStrings(child)]);
}
