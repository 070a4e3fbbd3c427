const MAX_LENGTH = 500;

/**
 * Cuts texts to 500 characters and removes NUL and lone surrogates, which PostgreSQL cannot store in
 * JSON. Names of sheets, chapters and attachments come from the document and can contain anything.
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
