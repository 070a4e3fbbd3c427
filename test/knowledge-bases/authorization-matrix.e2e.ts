import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client, outcome } from '../support/client.js';
import {
  CLOSED_ROWS,
  type MatrixRow,
  type Principal,
  ROWS,
} from '../support/authorization-rows.js';
import { documentedOperations, type Operation } from '../support/operations.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import {
  absentIds,
  createTenant,
  type Ids,
  malformedIds,
  SCOPES,
  type Tenant,
  type TenantOptions,
} from '../support/tenants.js';

const BOB = newUserId('bob');
const VERA = newUserId('vera');
const NOBODY = { allow: [] };
const MANAGEMENT_SCOPES = [
  ...['kbs:write', 'documents:write', 'keys:read', 'keys:write', 'keys:rotate'],
  ...['settings:write', 'members:write', 'audit:read', 'analytics:read'],
];

describe('the authorization matrix', () => {
  let service: SharedService;
  let operations: Operation[];
  let clients: Record<'owner' | 'member' | 'viewer' | 'stranger' | 'nobody', Client>;
  let strangers: Tenant;
  /** What the refused and those who read share; it stays as it is. */
  let target: Tenant;
  /** Like `target`, with a document that nobody may read. */
  let closed: Tenant;

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
    strangers = await createTenant({ ...people(), owner: clients.stranger });
    target = await createTenant(people());
    closed = await createTenant({ ...people(), access: NOBODY });
  });

  const people = () => ({
    owner: clients.owner,
    partner: clients.nobody,
    member: BOB,
    viewer: VERA,
  });

  const operationOf = (row: MatrixRow): Operation => {
    const operation = operations.find(({ name }) => name === row.name);
    if (!operation) throw new Error(`The OpenAPI document has no ${row.name}`);
    return operation;
  };

  const asks = ({ body }: Operation) => body !== undefined && 'api_key' in body;

  /** The operations that take an id in their body. */
  const isChat = ({ path }: Operation) => path === '/api/v1/chat';
  const isDify = ({ protocol }: Operation) => protocol === 'Dify';
  const isSharedKey = ({ name }: Operation) => name === 'POST /api/v1/api-keys';
  const isOikbUpload = ({ name }: Operation) => name === 'POST /open-webui/api/v1/files';
  const hasId = (operation: Operation) =>
    operation.path.includes('{') ||
    [isChat, isDify, isSharedKey, isOikbUpload].some((is) => is(operation));

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
    const secretOf = async () => {
      if (principal === 'own key') return of.secret;
      if (operation.path !== '/api/v1/key/revoke') return strangers.secret;
      // It is the end of the key that is sent.
      const { kb_id: id = '' } = strangers.ids;
      return (await clients.stranger.createApiKey(id)).api_key;
    };
    const secret = isKey ? await secretOf() : undefined;
    const body: Record<string, unknown> = { ...operation.body };
    delete body['api_key'];
    if (secret !== undefined && (asks(operation) || operation.managed)) body['api_key'] = secret;
    if (isChat(operation)) body['conversation_id'] = ids['conversation_id'];
    // Without an id it is a notification.
    if (operation.protocol === 'MCP') body['id'] = 1;
    if (isDify(operation)) body['knowledge_id'] = ids['kb_id'];
    if (isSharedKey(operation)) body['kbs'] = [{ kb_id: ids['kb_id'] }];
    // Its body is a list.
    const json = path.endsWith('/gitlab') ? [] : operation.body && body;
    const form = isOikbUpload(operation) ? formOfOikb(String(ids['kb_id'])) : undefined;
    const sent = form?.body ?? json;
    return client.call(operation.method, path + operation.search, sent, {
      ...{ 'x-request-id': 'same', ...form?.headers },
      ...(operation.protocol === 'MCP' && { accept: 'application/json, text/event-stream' }),
      ...(secret !== undefined && { authorization: `Bearer ${secret}`, 'x-api-key': secret }),
    });
  }

  /** A file as oikb uploads it, in a form whose boundary is always the same. */
  const formOfOikb = (knowledge_id: string) => {
    const part = (name: string, value: string) =>
      `--form\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}\r\n`;
    const metadata = part('metadata', JSON.stringify({ knowledge_id }));
    const file = part('file; filename="a.md"', '# A');
    const headers = { 'content-type': 'multipart/form-data; boundary=form' };
    return { body: `${metadata}${file}--form--\r\n`, headers };
  };

  function unauthenticated({ managed, bearerOnly, scopes }: Operation): string {
    if (managed) return 'dashboard_authentication_required';
    return bearerOnly || scopes.length > 0 ? 'api_key_required' : 'invalid_signature';
  }

  const VISITORS = '/api/v1/sites/{site_id}/visitors';

  /** Open to every key, whatever its kind and scopes. */
  const takesEveryKey = ({ bearerOnly, scopes }: Operation) => bearerOnly && scopes.length === 0;

  function outcomeOf(principal: Principal, operation: Operation, status: number): string {
    const codes: Record<number, string> = {
      401: unauthenticated(operation),
      403: isDify(operation)
        ? unauthenticated(operation)
        : operation.path === '/api/v1/key/rotate'
          ? 'self_rotation_off'
          : operation.path === VISITORS
            ? 'origin_not_allowed'
            : principal === 'viewer'
              ? 'insufficient_role'
              : 'owner_required',
      404: 'not_found',
      410: 'invitation_ended',
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
    // The last use is written down some seconds after it, and a refusal has an id of its own.
    return answers.map(({ text }) => text.replace(/"(?:last_used_at|request_id)":"[^"]*"/g, ''));
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
      const operation = operationOf(row);
      const { managed } = operation;
      // A service account does not exist for somebody not in charge of it.
      const ownersOnly = operation.ownersOnly && !operation.path.includes('/service-accounts');
      const isPublic =
        [401, 403].includes(row.expected.get('owner') ?? 0) || row.expected.get('nobody') === 200;
      const needsOwner = !isPublic && row.expected.get('member') === 403;
      // One of the settings is for owners.
      const maySay = row.name === 'PATCH /api/v1/kbs/{kb_id}/settings';
      expect([row.name, managed, ownersOnly]).toEqual([row.name, !isPublic, needsOwner || maySay]);
    }
  });

  it('has a row for every operation that names a document, for one that is closed', () => {
    const named = operations.filter(({ path }) => /\{(?:document|external)_id\}/.test(path));
    expect(CLOSED_ROWS.map(({ name }) => name)).toEqual(
      ROWS.map(({ name }) => name).filter((name) => named.some((one) => one.name === name)),
    );
  });

  it.each(ROWS)('$name', (row) => expectRow(row, target, people()));

  it.each(CLOSED_ROWS)('$name, of a document that a rule closes', (row) =>
    expectRow(row, closed, { ...people(), access: NOBODY }),
  );

  /**
   * @param target what the refused and those who read share
   * @param options of what those get who change something
   */
  async function expectRow(
    { name, expected }: MatrixRow,
    target: Tenant,
    options: TenantOptions,
  ): Promise<void> {
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
      const absent = await perform(principal, operation, absentIds(BOB), target);
      expect([principal, told(real)]).toEqual([principal, told(absent)]);
      const malformed = await perform(principal, operation, malformedIds(BOB), target);
      expect([principal, told(real)]).toEqual([principal, told(malformed)]);
    }
    expect(await contentsOf(target)).toEqual(before);

    // Each principal that may change something gets a target of its own.
    for (const [principal, status] of expected) {
      if (status >= 400) continue;
      const own = operation.method === 'GET' ? target : await createTenant(options, operation);
      const answer = await perform(principal, operation, own.ids, own);
      expect([principal, outcome(answer)]).toEqual([principal, String(status)]);
      if (['owner', 'member', 'viewer', 'own key'].includes(principal)) continue;
      const { user_id, external_id, model, version, ...ids } = own.ids;
      for (const id of Object.values(ids)) expect(answer.text).not.toContain(id);
    }
  }

  it('opens to a key of one scope what that scope opens, and nothing else', async () => {
    const tenant = await createTenant(people());
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

  it('opens to a service account’s key of one scope what that scope opens, and nothing else', async () => {
    const tenant = await createTenant(people());
    const kbId = String(tenant.ids['kb_id']);
    const account = await clients.owner.createServiceAccount(kbId, 'owner');
    const keys = await Promise.all(
      MANAGEMENT_SCOPES.map((scope) => clients.owner.createManagementKey(account.id, [scope])),
    );
    const before = await contentsOf(tenant);
    for (const operation of operations) {
      const isOpenToAll = isOpened(operation, 'query') && operation.scopes.length === 0;
      if (isOpenToAll && !takesEveryKey(operation)) continue;
      // What changes the key that is sent is tried in the rows.
      if (takesEveryKey(operation) && operation.method !== 'GET') continue;
      for (const [index, scope] of MANAGEMENT_SCOPES.entries()) {
        const { api_key: secret = '' } = keys[index] ?? {};
        if (opensManaged(scope, operation) && operation.method !== 'GET') continue;
        const answer = await perform('own key', operation, tenant.ids, { secret });
        const isOpen = opensManaged(scope, operation) || takesEveryKey(operation);
        const expected = isOpen ? '200' : refusedManaged(operation);
        expect([operation.name, scope, outcome(answer)]).toEqual([operation.name, scope, expected]);
      }
    }
    expect(await contentsOf(tenant)).toEqual(before);
  });

  const opensManaged = (scope: string, { managementScope = 'none' }: Operation) =>
    scope === managementScope ||
    (scope === 'keys:write' && ['keys:read', 'keys:rotate'].includes(managementScope));

  function refusedManaged(operation: Operation): string {
    if (operation.managed) return '403 insufficient_scope';
    if (operation.scopes.length === 0) return `401 ${unauthenticated(operation)}`;
    return `${isDify(operation) ? 403 : 401} invalid_api_key`;
  }

  /** See `nobody` for open operations. */
  function isOpened(operation: Operation, scope: (typeof SCOPES)[number]): boolean {
    const { name, scopes } = operation;
    const isOpen = ROWS.find((row) => row.name === name)?.expected.get('nobody') === 200;
    // A visitor who comes from no page of the site is refused, but not for want of a credential.
    return (
      isOpen || operation.path === VISITORS || takesEveryKey(operation) || scopes.includes(scope)
    );
  }
});
