const PRINCIPALS = [
  'owner',
  'member',
  'viewer',
  'stranger',
  'nobody',
  'own key',
  'other key',
] as const;

/**
 * Who calls. The first four send X-Idp-User-Id and no API key; a key is sent without that header:
 * in the body where the operation takes it there, and wherever a key might be looked for where it
 * takes none. Keys have every scope. `own key` is of the knowledge base in question, `other key` of the
 * stranger's.
 */
export type Principal = (typeof PRINCIPALS)[number];

/**
 * What each principal gets from each operation of the OpenAPI document. A new operation needs a row;
 * its path parameters, if they are new, an id in `createTenant`, in tenants.ts.
 */
const MATRIX = `
                                                       | owner member viewer stranger nobody own-key other-key
  POST   /api/v1/kbs                                   |  201      201      201      201      401      401      401
  GET    /api/v1/kbs                                   |  200      200      200      200      401      401      401
  GET    /api/v1/kbs/{kb_id}                           |  200      200      200      404      401      401      401
  PATCH  /api/v1/kbs/{kb_id}                           |  200      200      403      404      401      401      401
  DELETE /api/v1/kbs/{kb_id}                           |  200      403      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/members                   |  200      200      200      404      401      401      401
  PUT    /api/v1/kbs/{kb_id}/members/{user_id}         |  200      403      403      404      401      401      401
  DELETE /api/v1/kbs/{kb_id}/members/{user_id}         |  200      403      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/invitations               |  201      403      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/invitations               |  200      403      403      404      401      401      401
  DELETE /api/v1/invitations/{invitation_id}           |  200      403      403      404      401      401      401
  POST   /api/v1/invitations/preview                   |  410      410      410      410      401      401      401
  POST   /api/v1/invitations/accept                    |  410      410      410      410      401      401      401
  GET    /api/v1/kbs/{kb_id}/settings                  |  200      200      200      404      401      401      401
  PATCH  /api/v1/kbs/{kb_id}/settings                  |  200      200      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/audit-events              |  200      200      200      404      401      401      401
  GET    /api/v1/audit-events                          |  200      200      200      200      401      401      401
  POST   /api/v1/kbs/{kb_id}/api-keys                  |  201      201      403      404      401      401      401
  POST   /api/v1/api-keys                              |  201      201      403      404      401      401      401
  DELETE /api/v1/kbs/{kb_id}/api-keys/{key_id}         |  200      403      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/api-keys                  |  200      200      200      404      401      401      401
  GET    /api/v1/api-keys/{key_id}                     |  200      200      200      404      401      401      401
  PATCH  /api/v1/api-keys/{key_id}                     |  200      200      403      404      401      401      401
  DELETE /api/v1/api-keys/{key_id}                     |  200      200      403      404      401      401      401
  PATCH  /api/v1/api-keys/{key_id}/revoke              |  200      200      403      404      401      401      401
  POST   /api/v1/api-keys/{key_id}/rotate              |  201      201      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/trusted-issuers           |  201      201      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/trusted-issuers           |  200      200      200      404      401      401      401
  DELETE /api/v1/trusted-issuers/{trust_id}            |  200      200      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/channels                   |  201      201      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/channels                   |  200      200      200      404      401      401      401
  GET    /api/v1/channels/{channel_id}                  |  200      200      200      404      401      401      401
  PATCH  /api/v1/channels/{channel_id}                  |  200      200      403      404      401      401      401
  DELETE /api/v1/channels/{channel_id}                  |  200      200      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/sites                      |  201      201      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/sites                      |  200      200      200      404      401      401      401
  GET    /api/v1/sites/{site_id}                        |  200      200      200      404      401      401      401
  PATCH  /api/v1/sites/{site_id}                        |  200      200      403      404      401      401      401
  DELETE /api/v1/sites/{site_id}                        |  200      200      403      404      401      401      401
  GET    /api/v1/sites/{site_id}/view                   |  200      200      200      200      200      200      200
  GET    /api/v1/sites/{site_id}/challenge              |  200      200      200      200      200      200      200
  POST   /api/v1/sites/{site_id}/visitors               |  403      403      403      403      403      403      403
  POST   /api/v1/api-keys/{key_id}/portal-links        |  201      201      403      404      401      401      401
  GET    /api/v1/api-keys/{key_id}/connections         |  200      200      200      404      401      401      401
  DELETE /api/v1/connections/{connection_id}           |  200      200      403      404      401      401      401
  GET    /api/v1/api-keys/{key_id}/usage               |  200      200      200      404      401      401      401
  POST   /api/v1/service-accounts                      |  201      201      201      201      401      401      401
  GET    /api/v1/service-accounts                      |  200      200      200      200      401      401      401
  GET    /api/v1/service-accounts/{sa_id}              |  200      404      404      404      401      401      401
  PATCH  /api/v1/service-accounts/{sa_id}              |  200      404      404      404      401      401      401
  DELETE /api/v1/service-accounts/{sa_id}              |  200      404      404      404      401      401      401
  POST   /api/v1/service-accounts/{sa_id}/api-keys     |  201      404      404      404      401      401      401
  GET    /api/v1/service-accounts/{sa_id}/api-keys     |  200      404      404      404      401      401      401
  POST   /api/v1/leaked-api-keys                       |  200      200      200      200      200      200      200
  POST   /api/v1/kbs/{kb_id}/documents                 |  202      202      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/documents                 |  200      200      200      404      401      401      401
  GET    /api/v1/documents/{document_id}               |  200      200      200      404      401      401      401
  PATCH  /api/v1/documents/{document_id}               |  200      200      403      404      401      401      401
  POST   /api/v1/documents/{document_id}/reindex       |  202      202      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/reindex                   |  202      202      403      404      401      401      401
  DELETE /api/v1/documents/{document_id}               |  200      200      403      404      401      401      401
  GET    /api/v1/documents/{document_id}/chunks        |  200      200      200      404      401      401      401
  GET    /api/v1/documents/{document_id}/original      |  200      200      200      404      401      401      401
  GET    /api/v1/documents/{document_id}/content       |  200      200      200      404      401      401      401
  PUT    /api/v1/documents/{document_id}/content       |  202      202      403      404      401      401      401
  POST   /api/v1/documents/{document_id}/access-check  |  200      200      403      404      401      401      401
  GET    /api/v1/documents/{document_id}/versions      |  200      200      200      404      401      401      401
  GET    /api/v1/documents/{document_id}/versions/{version} |  200      200      200      404      401      401      401
  GET    /api/v1/documents/{document_id}/versions/{version}/original |  200      200      200      404      401      401      401
  GET    /api/v1/documents/{document_id}/versions/{version}/diff |  200      200      200      404      401      401      401
  POST   /api/v1/documents/{document_id}/versions/{version}/restore |  202      202      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/access-sets               |  201      201      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/access-sets               |  200      200      403      404      401      401      401
  PATCH  /api/v1/access-sets/{access_set_id}           |  200      200      403      404      401      401      401
  DELETE /api/v1/access-sets/{access_set_id}           |  200      200      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/curated-answers           |  201      201      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/curated-answers           |  200      200      200      404      401      401      401
  GET    /api/v1/curated-answers/{curated_answer_id}   |  200      200      200      404      401      401      401
  PATCH  /api/v1/curated-answers/{curated_answer_id}   |  200      200      403      404      401      401      401
  DELETE /api/v1/curated-answers/{curated_answer_id}   |  200      200      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/conversations             |  200      200      200      404      401      401      401
  DELETE /api/v1/kbs/{kb_id}/conversations             |  200      200      403      404      401      401      401
  GET    /api/v1/conversations/{conversation_id}       |  200      200      200      404      401      401      401
  DELETE /api/v1/conversations/{conversation_id}       |  200      200      403      404      401      401      401
  GET    /api/v1/conversations/{conversation_id}/messages |  200      200      200      404      401      401      401
  GET    /api/v1/conversations/{conversation_id}/messages/{message_id}/trace |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/analytics                 |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/analytics/unanswered      |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/analytics/top-documents   |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/stale-documents           |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/gaps                      |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/suggested-questions       |  200      200      200      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/gaps/ask                  |  200      200      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/costs                     |  200      200      200      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/webhooks                  |  201      201      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/webhooks                  |  200      200      200      404      401      401      401
  GET    /api/v1/webhooks/{webhook_id}                 |  200      200      200      404      401      401      401
  PATCH  /api/v1/webhooks/{webhook_id}                 |  200      200      403      404      401      401      401
  DELETE /api/v1/webhooks/{webhook_id}                 |  200      200      403      404      401      401      401
  POST   /api/v1/webhooks/{webhook_id}/rotate-secret   |  200      200      403      404      401      401      401
  POST   /api/v1/webhooks/{webhook_id}/test            |  202      202      403      404      401      401      401
  GET    /api/v1/webhooks/{webhook_id}/deliveries      |  200      200      200      404      401      401      401
  POST   /api/v1/webhook-deliveries/{delivery_id}/redeliver |  202      202      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/sources                   |  201      201      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/sources/test              |  200      200      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/sources                   |  200      200      200      404      401      401      401
  GET    /api/v1/sources/{source_id}                   |  200      200      200      404      401      401      401
  PATCH  /api/v1/sources/{source_id}                   |  200      200      403      404      401      401      401
  POST   /api/v1/sources/{source_id}/run               |  202      202      403      404      401      401      401
  POST   /api/v1/sources/{source_id}/cancel            |  200      200      403      404      401      401      401
  GET    /api/v1/sources/{source_id}/runs              |  200      200      200      404      401      401      401
  DELETE /api/v1/sources/{source_id}                   |  200      200      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/query                     |  200      200      200      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/chat                      |  200      200      200      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/evaluations               |  202      202      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/evaluations               |  200      200      200      404      401      401      401
  GET    /api/v1/evaluations/{evaluation_id}           |  200      200      200      404      401      401      401
  DELETE /api/v1/evaluations/{evaluation_id}           |  200      200      403      404      401      401      401
  POST   /api/v1/messages/{message_id}/feedback        |  401      401      401      401      401      200      404
  POST   /api/v1/query                                 |  401      401      401      401      401      200      200
  POST   /api/v1/chat                                  |  401      401      401      401      401      200      404
  POST   /api/v1/client-tokens                         |  401      401      401      401      401      201      201
  GET    /api/v1/key                                   |  401      401      401      401      401      200      200
  POST   /api/v1/key/rotate                            |  401      401      401      401      401      403      403
  POST   /api/v1/key/revoke                            |  401      401      401      401      401      200      200
  PUT    /api/v1/ingest/documents/{external_id}        |  401      401      401      401      401      202      202
  GET    /api/v1/ingest/documents                      |  401      401      401      401      401      200      200
  GET    /api/v1/ingest/documents/{external_id}        |  401      401      401      401      401      200      404
  DELETE /api/v1/ingest/documents/{external_id}        |  401      401      401      401      401      200      404
  POST   /api/v1/leaked-api-keys/github                |  401      401      401      401      401      401      401
  POST   /api/v1/leaked-api-keys/gitlab                |  200      200      200      200      200      200      200
  POST   /mcp                                          |  401      401      401      401      401      200      200
  POST   /v1/chat/completions                          |  401      401      401      401      401      200      200
  GET    /v1/models                                    |  401      401      401      401      401      200      200
  GET    /v1/models/{model}                            |  401      401      401      401      401      200      200
  POST   /v1/responses                                 |  401      401      401      401      401      200      200
  GET    /v1/vector_stores                             |  401      401      401      401      401      200      200
  GET    /v1/vector_stores/{kb_id}                     |  401      401      401      401      401      200      404
  POST   /v1/vector_stores/{kb_id}/search              |  401      401      401      401      401      200      404
  POST   /dify/retrieval                               |  403      403      403      403      403      200      404
  GET    /open-webui/api/v1/knowledge/{kb_id}          |  200      200      403      404      401      401      401
  GET    /open-webui/api/v1/knowledge/{kb_id}/files    |  200      200      403      404      401      401      401
  POST   /open-webui/api/v1/knowledge/{kb_id}/sync/diff | 200      200      403      404      401      401      401
  POST   /open-webui/api/v1/knowledge/{kb_id}/sync/cleanup | 200   200      403      404      401      401      401
  POST   /open-webui/api/v1/knowledge/{kb_id}/dirs/create | 200    200      403      404      401      401      401
  POST   /open-webui/api/v1/knowledge/{kb_id}/reset    |  200      200      403      404      401      401      401
  POST   /open-webui/api/v1/files                      |  200      200      403      404      401      401      401
  GET    /.well-known/security.txt                     |  200      200      200      200      200      200      200
  GET    /health/live                                  |  200      200      200      200      200      200      200
  GET    /health/ready                                 |  200      200      200      200      200      200      200
`;

/**
 * Rows for each operation that names a document, if a rule lets nobody read that document. Keepers get
 * no passage and no original; for others it does not exist.
 */
const CLOSED = `
                                                       | owner member viewer stranger nobody own-key other-key
  GET    /api/v1/documents/{document_id}               |  200      200      404      404      401      401      401
  PATCH  /api/v1/documents/{document_id}               |  200      200      404      404      401      401      401
  POST   /api/v1/documents/{document_id}/reindex       |  202      202      404      404      401      401      401
  DELETE /api/v1/documents/{document_id}               |  200      200      404      404      401      401      401
  GET    /api/v1/documents/{document_id}/chunks        |  404      404      404      404      401      401      401
  GET    /api/v1/documents/{document_id}/original      |  404      404      404      404      401      401      401
  GET    /api/v1/documents/{document_id}/content       |  404      404      404      404      401      401      401
  PUT    /api/v1/documents/{document_id}/content       |  202      202      404      404      401      401      401
  POST   /api/v1/documents/{document_id}/access-check  |  200      200      404      404      401      401      401
  GET    /api/v1/documents/{document_id}/versions      |  404      404      404      404      401      401      401
  GET    /api/v1/documents/{document_id}/versions/{version} |  404      404      404      404      401      401      401
  GET    /api/v1/documents/{document_id}/versions/{version}/original |  404      404      404      404      401      401      401
  GET    /api/v1/documents/{document_id}/versions/{version}/diff |  404      404      404      404      401      401      401
  POST   /api/v1/documents/{document_id}/versions/{version}/restore |  404      404      404      404      401      401      401
  PUT    /api/v1/ingest/documents/{external_id}        |  401      401      401      401      401      202      202
  GET    /api/v1/ingest/documents/{external_id}        |  401      401      401      401      401      404      404
  DELETE /api/v1/ingest/documents/{external_id}        |  401      401      401      401      401      200      404
`;

export interface MatrixRow {
  readonly name: string;
  readonly expected: ReadonlyMap<Principal, number>;
}

const rowsOf = (matrix: string): readonly MatrixRow[] =>
  matrix
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [operation = '', statuses = ''] = line.split('|');
      const numbers = statuses.trim().split(/\s+/).map(Number);
      const statusOf = (principal: Principal, index: number) =>
        [principal, Number(numbers[index])] as const;
      return {
        name: operation.trim().replace(/\s+/, ' '),
        expected: new Map(PRINCIPALS.map(statusOf)),
      };
    });

export const ROWS = rowsOf(MATRIX);
export const CLOSED_ROWS = rowsOf(CLOSED);
