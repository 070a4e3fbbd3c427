// What the threads of searches need: see readable-sql.ts.

/** Columns of documents with a moment at which it can change whether a document is valid. */
const MOMENTS = ['valid_from', 'valid_until', 'superseded_at'] as const;

/** The condition of the partial index on such a column; SQLite uses it only if a statement contains exactly this. */
export const isGiven = (column: (typeof MOMENTS)[number]) => `${column} IS NOT NULL`;

/** SQL: whether the knowledge base `kb` has documents whose validity is limited. */
export const sqlHasLimited = (kb: string) =>
  `(${MOMENTS.map(
    (column) =>
      `EXISTS (SELECT 1 FROM documents limited WHERE limited.kb_id = ${kb} AND limited.${isGiven(column)})`,
  ).join(' OR ')})`;

/**
 * SQL: whether a document counts at a moment, and no newer one has taken its place.
 *
 * @param document the alias of the table `documents`
 */
export const sqlIsValid = (document: string, moment: string) =>
  `((${document}.valid_from IS NULL OR ${document}.valid_from <= ${moment})
    AND (${document}.valid_until IS NULL OR ${document}.valid_until > ${moment})
    AND (${document}.superseded_at IS NULL OR ${document}.superseded_at > ${moment}))`;

/**
 * SQL: selects the ids of documents that became valid, or ceased to be, within a period.
 *
 * @param isWithin SQL for whether a column is in the period
 */
export const selectChangedByTime = (kb: string, isWithin: (column: string) => string) =>
  MOMENTS.map(
    (column) => `SELECT d.id FROM documents d WHERE d.kb_id = ${kb} AND ${isWithin(`d.${column}`)}`,
  ).join(' UNION ');
