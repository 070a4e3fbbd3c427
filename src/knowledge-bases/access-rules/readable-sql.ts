// What the threads of searches need of access rules: loading an entity or a decorator would make each of
// them load Nest and TypeORM.
import type { Principals } from './principals.js';

export const EVERYONE = 'everyone';

export const withEveryone = (principals: Principals): string[] => [EVERYONE, ...principals];

/** Condition of a partial index of documents; SQLite uses it only if a statement contains exactly this. */
export const HAS_NEW_RULE = 'rules_version > 0';

/** SQL: whether documents without a rule are closed to everybody, in the knowledge base `kb`. */
export const sqlIsClosed = (kb: string) =>
  `EXISTS (SELECT 1 FROM knowledge_base_settings closing
    WHERE closing.kb_id = ${kb} AND closing.settings ->> 'default_access' = 'closed')`;

/**
 * SQL for both engines: whether rules let somebody read a document. The sets of rules are found once per
 * statement and not for each document.
 *
 * @param document the alias of the table `documents`
 * @param kb the parameter that has the id of the knowledge base
 * @param isReader whether a column has one of the principals, `everyone` among them
 */
export function sqlIsReadable(
  document: string,
  kb: string,
  isReader: (column: string) => string,
): string {
  const sets = (effect: 'allow' | 'deny') =>
    `(SELECT entry.set_id FROM access_entries entry
      WHERE entry.kb_id = ${kb} AND entry.effect = '${effect}' AND ${isReader('entry.principal')})`;
  const set = `${document}.access_set_id`;
  return `CASE WHEN ${set} IS NULL THEN NOT ${sqlIsClosed(kb)}
    ELSE ${set} IN ${sets('allow')} AND ${set} NOT IN ${sets('deny')} END`;
}

/** SQL: whether the knowledge base `kb` has sets of rules. */
export const sqlHasSets = (kb: string) => `EXISTS (SELECT 1 FROM access_sets WHERE kb_id = ${kb})`;
