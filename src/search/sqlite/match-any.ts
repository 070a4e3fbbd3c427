/** An FTS5 query for any of the terms. Quoted, a term is never read as an operator. */
export const matchAny = (terms: readonly string[]): string =>
  terms.map((term) => `"${term}"`).join(' OR ');
