const MAX_LENGTH = 500;

/**
 * The same object with texts of at most 500 characters that PostgreSQL stores in JSON: without NUL and
 * lone surrogates. Sheets, chapters and attachments are named by whoever made the document.
 */
export const storableJson = <T extends object>(value: T): T =>
  Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      typeof member === 'string'
        ? member.replaceAll('\0', '').slice(0, MAX_LENGTH).toWellFormed()
        : member,
    ]),
  ) as T;
