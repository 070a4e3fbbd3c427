// The rated passages of what collect.mjs has written for a question.
import { ratePassages } from '@latchkey/quoting/read-passages';

/**
 * @param {any} row
 * @param {string} kind `words` or `meaning`
 */
export function toRated(row, kind) {
  // Of a message of several questions the last one.
  const { found, ...message } = row.readings?.at(-1) ?? { question: row.message };
  const passages = (found?.passages ?? []).map((/** @type {any} */ passage) => ({
    text: passage.text,
    title: passage.documentTitle,
    document: passage.documentId,
    externalId: passage.externalId,
    heading: passage.heading,
    language: passage.language,
    matched: passage.matched.map((/** @type {any} */ { word }) => word),
    ...(kind === 'meaning' && passage.windows && { windows: passage.windows }),
    ...(kind === 'meaning' && passage.sentences && { sentences: passage.sentences }),
    cells: passage.cells,
  }));
  return ratePassages({ ...message, terms: found?.terms ?? [], passages });
}
