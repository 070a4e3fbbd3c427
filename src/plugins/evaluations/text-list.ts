import { ValidateBy } from 'class-validator';
import type { FieldContext } from '../../platform/http/dto-fields.js';
import { hasLength, isStorableText } from '../../platform/http/text.js';

/** A list of at most `max` texts of 1 to `length` characters that both databases store unchanged. */
export const IsTextList = (max: number, length: number) =>
  isList('isTextList', max, describe(max, length), isTextUpTo(length));

/** A list of at most `maxLists` such lists, none of them empty. */
export const IsListOfTextLists = (maxLists: number, max: number, length: number) =>
  isList(
    'isListOfTextLists',
    maxLists,
    `a list of at most ${maxLists} lists, each of which is ${describe(max, length)} and not empty`,
    (list) =>
      Array.isArray(list) &&
      list.length >= 1 &&
      list.length <= max &&
      list.every((text) => isTextUpTo(length)(text)),
  );

const describe = (max: number, length: number) =>
  `a list of at most ${max} texts of 1 to ${length} characters`;

const isTextUpTo = (length: number) => (text: unknown) =>
  hasLength(text, 1, length) && isStorableText(text);

const isList = (
  name: string,
  max: number,
  description: string,
  isItem: (item: unknown) => boolean,
) =>
  ValidateBy(
    {
      name,
      validator: {
        validate: (value: unknown) =>
          Array.isArray(value) && value.length <= max && value.every((item) => isItem(item)),
        defaultMessage: () => `$property must be ${description}`,
      },
    },
    { context: { maxItems: max } satisfies FieldContext },
  );
