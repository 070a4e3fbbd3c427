/** PostgreSQL stores no NUL in text, and a soft hyphen is no part of a word. */
export const readable = (text: string): string =>
  text.replace(/[\0\u00ad\ufeff]/g, '').toWellFormed();
