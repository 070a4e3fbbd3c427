import { beforeAll, describe, expect, it } from '@jest/globals';
import { typeid } from 'typeid-js';
import { type Answer, Client, outcome } from './support/client.js';
import { documentedOperations, type Operation } from './support/operations.js';
import { newUserId, sharedService, type SharedService } from './support/shared-service.js';

const BOB = newUserId('bob');
const VERA = newUserId('vera');

const PRINCIPALS = [
  'owner',
  'member',
  'viewer',
  'stranger',
  'nobody',
  'own key',
  'other key',
] as const;

const SCOPES = ['query', 'chat', 'feedback', 'documents:read', 'documents:write'] as const;

/**
 * Who calls. The first four send X-Idp-User-Id and no API key; a key is sent without that header:
 * in the body where the operation takes it there, and wherever a key might be looked for where it
 * takes none. Keys have every scope. `own key` is of the knowledge base in question, `other key` of the
 * stranger's.
 */
type Principal = (typeof PRINCIPALS)[number];

/**
 * What each principal gets from each operation of the OpenAPI document. A new operation needs a row;
 * its path parameters, if they are new, an id in `furnish`.
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
  GET    /api/v1/kbs/{kb_id}/settings                  |  200      200      200      404      401      401      401
  PATCH  /api/v1/kbs/{kb_id}/settings                  |  200      200      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/audit-events              |  200      200      200      404      401      401      401
  GET    /api/v1/audit-events                          |  200      200      200      200      401      401      401
  POST   /api/v1/kbs/{kb_id}/api-keys                  |  201      201      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/api-keys                  |  200      200      200      404      401      401      401
  GET    /api/v1/api-keys/{key_id}                     |  200      200      200      404      401      401      401
  PATCH  /api/v1/api-keys/{key_id}                     |  200      200      403      404      401      401      401
  DELETE /api/v1/api-keys/{key_id}                     |  200      200      403      404      401      401      401
  PATCH  /api/v1/api-keys/{key_id}/revoke              |  200      200      403      404      401      401      401
  POST   /api/v1/api-keys/{key_id}/rotate              |  201      201      403      404      401      401      401
  GET    /api/v1/api-keys/{key_id}/usage               |  200      200      200      404      401      401      401
  POST   /api/v1/leaked-api-keys                       |  200      200      200      200      200      200      200
  POST   /api/v1/kbs/{kb_id}/documents                 |  202      202      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/documents                 |  200      200      200      404      401      401      401
  GET    /api/v1/documents/{document_id}               |  200      200      200      404      401      401      401
  PATCH  /api/v1/documents/{document_id}               |  200      200      403      404      401      401      401
  POST   /api/v1/documents/{document_id}/reindex       |  202      202      403      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/reindex                   |  202      202      403      404      401      401      401
  DELETE /api/v1/documents/{document_id}               |  200      200      403      404      401      401      401
  GET    /api/v1/documents/{document_id}/chunks        |  200      200      200      404      401      401      401
  GET    /api/v1/documents/{document_id}/content       |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/conversations             |  200      200      200      404      401      401      401
  DELETE /api/v1/kbs/{kb_id}/conversations             |  200      200      403      404      401      401      401
  GET    /api/v1/conversations/{conversation_id}       |  200      200      200      404      401      401      401
  DELETE /api/v1/conversations/{conversation_id}       |  200      200      403      404      401      401      401
  GET    /api/v1/conversations/{conversation_id}/messages |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/analytics                 |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/analytics/unanswered      |  200      200      200      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/analytics/top-documents   |  200      200      200      404      401      401      401
  POST   /api/v1/kbs/{kb_id}/webhooks                  |  201      201      403      404      401      401      401
  GET    /api/v1/kbs/{kb_id}/webhooks                  |  200      200      200      404      401      401      401
  GET    /api/v1/webhooks/{webhook_id}                 |  200      200      200      404      401      401      401
  PATCH  /api/v1/webhooks/{webhook_id}                 |  200      200      403      404      401      401      401
  DELETE /api/v1/webhooks/{webhook_id}                 |  200      200      403      404      401      401      401
  POST   /api/v1/webhooks/{webhook_id}/rotate-secret   |  200      200      403      404      401      401      401
  POST   /api/v1/webhooks/{webhook_id}/test            |  202      202      403      404      401      401      401
  GET    /api/v1/webhooks/{webhook_id}/deliveries      |  200      200      200      404      401      401      401
  POST   /api/v1/webhook-deliveries/{delivery_id}/redeliver |  202      202      403      404      401      401      401
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
  PUT    /api/v1/ingest/documents/{external_id}        |  401      401      401      401      401      202      202
  GET    /api/v1/ingest/documents                      |  401      401      401      401      401      200      200
  GET    /api/v1/ingest/documents/{external_id}        |  401      401      401      401      401      200      404
  DELETE /api/v1/ingest/documents/{external_id}        |  401      401      401      401      401      200      404
  POST   /api/v1/leaked-api-keys/github                |  401      401      401      401      401      401      401
  POST   /mcp                                          |  401      401      401      401      401      200      200
  POST   /v1/chat/completions                          |  401      401      401      401      401      200      200
  GET    /v1/models                                    |  401      401      401      401      401      200      200
  GET    /v1/models/{model}                            |  401      401      401      401      401      200      200
  POST   /v1/vector_stores/{kb_id}/search              |  401      401      401      401      401      200      404
  POST   /dify/retrieval                               |  403      403      403      403      403      200      404
  GET    /.well-known/security.txt                     |  200      200      200      200      200      200      200
  GET    /health/live                                  |  200      200      200      200      200      200      200
  GET    /health/ready                                 |  200      200      200      200      200      200      200
`;

interface Row {
  readonly name: string;
  readonly expected: ReadonlyMap<Principal, number>;
}

const ROWS: readonly Row[] = MATRIX.trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [operation = '', statuses = ''] = line.split('|');
    const numbers = statuses.trim().split(/\s+/).map(Number);
    return {
      name: operation.trim().replace(/\s+/, ' '),
      expected: new Map(PRINCIPALS.map((principal, index) => [principal, Number(numbers[index])])),
    };
  });

/** Ids by the name of their path parameter. */
type Ids = Readonly<Record<string, string>>;

/** What may be in a knowledge base, and the operations that want it there. */
const PARTS = {
  document: /document|ingest|index|evaluation|query|chat|^\/(?:mcp|v1|dify)\b/,
  conversation: /conversation|message|chat/,
  webhook: /webhook/,
  evaluation: /evaluation/,
};

/** A knowledge base with what an operation wants in it, or one of everything. */
interface Tenant {
  readonly ids: Ids;
  readonly secret: string;
}

/** Well-formed ids of nothing at all. */
const absentIds = (): Ids => ({
  kb_id: typeid('kb').toString(),
  key_id: typeid('key').toString(),
  document_id: typeid('doc').toString(),
  conversation_id: typeid('conv').toString(),
  message_id: typeid('msg').toString(),
  external_id: newUserId('absent'),
  webhook_id: typeid('wh').toString(),
  evaluation_id: typeid('eval').toString(),
  delivery_id: typeid('whd').toString(),
  user_id: BOB,
  model: 'nothing',
});

/** What cannot be an id, which a stranger must not be able to tell from the others either. */
const MALFORMED_IDS: Ids = {
  kb_id: 'kb_nonsense',
  key_id: 'key_01KAFDP6YGF4RS4S2CR5CVZWKC',
  document_id: 'kb_01kafdp6ygf4rs4s2cr5cvzwkc',
  conversation_id: '00000000-0000-0000-0000-000000000000',
  message_id: '%00',
  external_id: 'no such document',
  webhook_id: 'whd_01kafdp6ygf4rs4s2cr5cvzwkc',
  evaluation_id: 'eval_',
  delivery_id: 'wh_01kafdp6ygf4rs4s2cr5cvzwkc',
  user_id: BOB,
  model: 'no such model',
};

/** Reserved: nobody has this name. */
const RECEIVER = 'https://receiver.invalid/hook';
const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const QUESTION = 'How long may customers return an order?';

describe('the authorization matrix', () => {
  let service: SharedService;
  let operations: Operation[];
  let clients: Record<'owner' | 'member' | 'viewer' | 'stranger' | 'nobody', Client>;
  let strangers: Tenant;
  /** What the refused and those who read share; it stays as it is. */
  let target: Tenant;

  beforeAll(async () => {
    service = await sharedService();
    operations = await documentedOperations(service);
    clients = {
      owner: new Client(service, newUserId('alice')),
      member: new Client(service, BOB),
      viewer: new Client(service, VERA),
      stranger: new Client(service, newUserId('mallory')),
      nobody: new Client(service),
    };
    strangers = await furnish(clients.stranger);
    target = await furnish(clients.owner);
  });

  async function furnish(owner: Client, operation?: Operation): Promise<Tenant> {
    const has = (part: keyof typeof PARTS) => !operation || PARTS[part].test(operation.path);
    const kb = await owner.createKnowledgeBase();
    await owner.call('PUT', `/kbs/${kb.id}/members/${BOB}`, { role: 'member' });
    await owner.call('PUT', `/kbs/${kb.id}/members/${VERA}`, { role: 'viewer' });
    const key = await owner.createApiKey(kb.id, { scopes: SCOPES });
    const ids: Record<string, string> = { kb_id: kb.id, key_id: key.id };
    if (has('document')) {
      const externalId = newUserId('policies/returns');
      const document = await owner.addDocument(kb.id, { ...DOCUMENT, external_id: externalId });
      ids['document_id'] = document.id;
      ids['external_id'] = encodeURIComponent(externalId);
    }
    if (has('conversation')) {
      const { body: chat } = await clients.nobody.chat(key.api_key, QUESTION);
      ids['conversation_id'] = chat.conversation_id;
      ids['message_id'] = chat.message_id;
    }
    if (has('webhook')) {
      const webhook = await owner.createWebhook(kb.id, RECEIVER, 'document.failed');
      const path = `/webhooks/${webhook.id}/test`;
      ids['webhook_id'] = webhook.id;
      ids['delivery_id'] = (await owner.post<{ id: string }>(path, undefined)).body.id;
    }
    if (has('evaluation')) ids['evaluation_id'] = (await owner.createEvaluation(kb.id)).id;
    return { ids: { ...ids, user_id: BOB, model: 'latchkey' }, secret: key.api_key };
  }

  const operationOf = (row: Row): Operation => {
    const operation = operations.find(({ name }) => name === row.name);
    if (!operation) throw new Error(`The OpenAPI document has no ${row.name}`);
    return operation;
  };

  const asks = ({ body }: Operation) => body !== undefined && 'api_key' in body;

  /** The operations that take an id in their body. */
  const isChat = ({ path }: Operation) => path === '/api/v1/chat';
  const isDify = ({ protocol }: Operation) => protocol === 'Dify';
  const hasId = (operation: Operation) =>
    operation.path.includes('{') || isChat(operation) || isDify(operation);

  /** @param of whose key `own key` is, which may be of another than the ids */
  async function perform(
    principal: Principal,
    operation: Operation,
    ids: Ids,
    of: Pick<Tenant, 'secret'>,
  ) {
    // The client calls below /api/v1, where not every operation is.
    const relative = operation.path.replace(/^\/api\/v1|^/, (base) => (base ? '' : '/../..'));
    const path = relative.replace(/\{(\w+)\}/g, (_, name: string) => {
      const id = ids[name];
      if (id === undefined) throw new Error(`${operation.name}: which id is {${name}}?`);
      return id;
    });
    const isKey = principal === 'own key' || principal === 'other key';
    const client = clients[isKey ? 'nobody' : principal];
    const secret = isKey ? (principal === 'own key' ? of : strangers).secret : undefined;
    const body: Record<string, unknown> = { ...operation.body };
    delete body['api_key'];
    if (secret !== undefined && (asks(operation) || operation.managed)) body['api_key'] = secret;
    if (isChat(operation)) body['conversation_id'] = ids['conversation_id'];
    // Without an id it is a notification.
    if (operation.protocol === 'MCP') body['id'] = 1;
    if (isDify(operation)) body['knowledge_id'] = ids['kb_id'];
    return client.call(operation.method, path + operation.search, operation.body && body, {
      'x-request-id': 'same',
      ...(operation.protocol === 'MCP' && { accept: 'application/json, text/event-stream' }),
      ...(secret !== undefined && { authorization: `Bearer ${secret}`, 'x-api-key': secret }),
    });
  }

  function unauthenticated({ scopes, managed }: Operation): string {
    if (managed) return 'dashboard_authentication_required';
    return scopes.length > 0 ? 'api_key_required' : 'invalid_signature';
  }

  function outcomeOf(principal: Principal, operation: Operation, status: number): string {
    const codes: Record<number, string> = {
      401: unauthenticated(operation),
      403: isDify(operation)
        ? unauthenticated(operation)
        : principal === 'viewer'
          ? 'insufficient_role'
          : 'owner_required',
      404: 'not_found',
    };
    return status < 400 ? String(status) : `${status} ${codes[status]}`;
  }

  /** Everything an answer tells: all but the time, and how much of the minute's limit is left. */
  const told = ({ status, headers, text }: Answer<unknown>) => [
    status,
    [...headers].filter(([name]) => name !== 'date' && name !== 'ratelimit'),
    text,
  ];

  /** All there is in a knowledge base, as its owner sees it. */
  async function contentsOf({ ids }: Tenant): Promise<unknown[]> {
    const kb = `/kbs/${String(ids['kb_id'])}`;
    const paths = [
      kb,
      `${kb}/members`,
      `${kb}/documents`,
      `${kb}/conversations`,
      `${kb}/audit-events`,
      `${kb}/api-keys`,
      `${kb}/webhooks`,
      `/documents/${String(ids['document_id'])}/chunks`,
      `/conversations/${String(ids['conversation_id'])}/messages`,
    ];
    const answers = await Promise.all(paths.map((path) => clients.owner.get(path)));
    // It is written down some seconds after the use.
    return answers.map(({ text }) => text.replace(/"last_used_at":"[^"]*"/g, ''));
  }

  it('has a row for every operation of the OpenAPI document, and no other rows', () => {
    const rows = ROWS.map(({ name }) => name);
    expect([...rows].sort()).toEqual(operations.map(({ name }) => name).sort());
    for (const { name, expected } of ROWS) {
      expect([name, [...expected.values()].every((status) => status >= 200)]).toEqual([name, true]);
    }
  });

  it('agrees with the document about which operations need the header, and an owner', () => {
    for (const row of ROWS) {
      const { managed, ownersOnly } = operationOf(row);
      const isPublic =
        [401, 403].includes(row.expected.get('owner') ?? 0) || row.expected.get('nobody') === 200;
      const needsOwner = !isPublic && row.expected.get('member') === 403;
      expect([row.name, managed, ownersOnly]).toEqual([row.name, !isPublic, needsOwner]);
    }
  });

  it.each(ROWS)('$name', async ({ name, expected }) => {
    const operation = operationOf({ name, expected });

    const before = await contentsOf(target);
    for (const [principal, status] of expected) {
      if (status < 400) continue;
      const real = await perform(principal, operation, target.ids, target);
      expect([principal, outcome(real)]).toEqual([
        principal,
        outcomeOf(principal, operation, status),
      ]);
      if (!hasId(operation) || status === 403) continue;
      const absent = await perform(principal, operation, absentIds(), target);
      expect([principal, told(real)]).toEqual([principal, told(absent)]);
      const malformed = await perform(principal, operation, MALFORMED_IDS, target);
      expect([principal, told(real)]).toEqual([principal, told(malformed)]);
    }
    expect(await contentsOf(target)).toEqual(before);

    // Those who may change something get one each.
    for (const [principal, status] of expected) {
      if (status >= 400) continue;
      const own = operation.method === 'GET' ? target : await furnish(clients.owner, operation);
      const answer = await perform(principal, operation, own.ids, own);
      expect([principal, outcome(answer)]).toEqual([principal, String(status)]);
      if (['owner', 'member', 'viewer', 'own key'].includes(principal)) continue;
      const { user_id, external_id, model, ...ids } = own.ids;
      for (const id of Object.values(ids)) expect(answer.text).not.toContain(id);
    }
  });

  it('opens to a key of one scope what that scope opens, and nothing else', async () => {
    const tenant = await furnish(clients.owner);
    const kbId = String(tenant.ids['kb_id']);
    const keys = await Promise.all(
      SCOPES.map((scope) => clients.owner.createApiKey(kbId, { scopes: [scope] })),
    );
    const before = await contentsOf(tenant);
    for (const operation of operations) {
      for (const [index, scope] of SCOPES.entries()) {
        const { api_key: secret = '' } = keys[index] ?? {};
        if (isOpened(operation, scope)) continue;
        const answer = await perform('own key', operation, tenant.ids, { secret });
        const expected =
          operation.scopes.length > 0
            ? '403 insufficient_scope'
            : `401 ${unauthenticated(operation)}`;
        expect([operation.name, scope, outcome(answer)]).toEqual([operation.name, scope, expected]);
      }
    }
    expect(await contentsOf(tenant)).toEqual(before);
    for (const operation of operations.filter(({ scopes }) => scopes.length > 0)) {
      for (const [index, scope] of SCOPES.entries()) {
        const { api_key: secret = '' } = keys[index] ?? {};
        if (!isOpened(operation, scope)) continue;
        const { status } = await perform('own key', operation, tenant.ids, { secret });
        expect([operation.name, scope, [401, 403].includes(status)]).toEqual([
          operation.name,
          scope,
          false,
        ]);
      }
    }
  });

  /** See `nobody` for open operations. */
  function isOpened({ name, scopes }: Operation, scope: (typeof SCOPES)[number]): boolean {
    const isOpen = ROWS.find((row) => row.name === name)?.expected.get('nobody') === 200;
    return isOpen || scopes.includes(scope);
  }
});
