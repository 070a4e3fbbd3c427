/**
 * The columns of a document that gets another rule, as SQL of its row. `noteRulesOfDocuments` must come
 * before it in the transaction. Until new content is indexed, the passages of the former content are
 * searchable. The new rule is not meant for them, so they are hidden from everybody. The row decides this,
 * because indexing can end at any moment.
 */
export const newRuleColumns = {
  version: () => 'CASE WHEN replaced_at IS NULL THEN version END',
  // Indexing that runs produces passages of the new content.
  closedVersion: () => `CASE WHEN replaced_at IS NULL THEN COALESCE(version - 1, closed_version)
    WHEN status = 'processing' THEN last_version - 1 ELSE last_version END`,
  rulesVersion: () =>
    '(SELECT kb.document_rules_version FROM knowledge_bases kb WHERE kb.id = kb_id)',
};
