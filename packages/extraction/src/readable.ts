/** Removes NUL, which PostgreSQL cannot store in text, and soft hyphens, which are not part of a word. */
export const toReadable = (text: string): string =>
  text.replace(/[\0\u00ad\ufeff]/g, '').toWellFormed();
