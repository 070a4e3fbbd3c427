/**
 * What a document gets with another rule, as SQL of its row; `noteRulesOfDocuments` comes before it in the
 * transaction. Until a new content is indexed, the passages of the former one are searchable. A new rule is
 * not for them: they are hidden, and nobody reads them. Decided by the row, since indexing may end at any
 * moment.
 */
export const newRuleColumns = {
  version: () => 'CASE WHEN replaced_at IS NULL THEN version END',
  // What a lease that is held makes is of the new content.
  closedVersion: () => `CASE WHEN replaced_at IS NULL THEN COALESCE(version - 1, closed_version)
    WHEN status = 'processing' THEN lease - 1 ELSE lease END`,
  rulesVersion: () =>
    '(SELECT kb.document_rules_version FROM knowledge_bases kb WHERE kb.id = kb_id)',
};
