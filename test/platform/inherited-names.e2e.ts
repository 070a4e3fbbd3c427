import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type Document, outcome } from '../support/client.js';
import { documentedOperations, type Operation } from '../support/operations.js';
import { Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';

/** Names that every object has, and those by which prototypes are reached. */
const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'].sort();
/** OpenAI's clients send null for what they leave out, whatever it is called. */
const LENIENT = new Set(['/v1/chat/completions', '/v1/responses']);

describe('fields called as what every object has', () => {
  let service: Service;
  let address: string;
  let addresses = 0;
  let alice: Client;
  let caller: Client;
  let operations: Operation[];
  let ids: Record<string, string>;
  let secret: string;

  beforeAll(async () => {
    service = await Service.start({ TRUSTED_PROXY_CIDRS: '127.0.0.1' });
    alice = new Client(service, 'names-alice');
    operations = (await documentedOperations(service)).filter(
      ({ method, path, protocol }) =>
        // GitHub's body is a list, and signed (see github-leak-reports); the protocol's own server reads
        // the messages of MCP.
        method !== 'GET' && !path.endsWith('/github') && protocol !== 'MCP',
    );
    const { id: kbId } = await alice.createKnowledgeBase();
    const scopes = ['query', 'chat', 'feedback', 'documents:read', 'documents:write'];
    const key = await alice.createApiKey(kbId, { scopes });
    secret = key.api_key;
    const document = await alice.addDocument(kbId, {
      title: 'Returns',
      text: 'Within 30 days.',
      metadata: { year: 2026 },
    });
    const chat = await new Client(service).chat(secret, 'Within how many days?');
    const webhook = await alice.createWebhook(kbId, 'https://receiver.invalid/hook');
    const evaluation = await alice.createEvaluation(kbId);
    const source = await alice.createSource(kbId);
    const accessSet = await alice.createAccessSet(kbId);
    const curated = await alice.createCuratedAnswer(kbId);
    const tested = await alice.post<{ id: string }>(`/webhooks/${webhook.id}/test`, undefined);
    ids = {
      kb_id: kbId,
      key_id: key.id,
      document_id: document.id,
      conversation_id: chat.body.conversation_id,
      message_id: chat.body.message_id,
      external_id: 'returns',
      version: '1',
      webhook_id: webhook.id,
      evaluation_id: evaluation.id,
      delivery_id: tested.body.id,
      source_id: source.id,
      access_set_id: accessSet.id,
      trust_id: (await alice.createTrustedIssuer(kbId)).id,
      channel_id: (await alice.createChannel(kbId)).id,
      site_id: (await alice.createSite(kbId)).id,
      invitation_id: (await alice.createInvitation(kbId)).id,
      connection_id: (await alice.createConnection(kbId)).id,
      curated_answer_id: curated.id,
      sa_id: (await alice.createServiceAccount(kbId)).id,
      user_id: 'names-bob',
    };
  });

  afterAll(() => service.stop());

  // 60 a minute: questions of one user in the playground, and reports of leaked keys from one address.
  beforeEach(async () => {
    const owner = newUserId('owner');
    const path = `/kbs/${String(ids['kb_id'])}/members/${owner}`;
    expect(outcome(await alice.call('PUT', path, { role: 'owner' }))).toBe('200');
    caller = new Client(service, owner);
    address = `192.0.2.${addresses++}`;
  });

  const send = (operation: Operation, more: string) => {
    const { method, path, body = {}, managed, bearerOnly } = operation;
    const fields = { ...body, ...('api_key' in body && { api_key: secret }) };
    const json = JSON.stringify(fields).replace(/\}$/, Object.keys(fields).length > 0 ? ',' : '');
    const client = managed ? caller : new Client(service);
    // The client calls below /api/v1.
    const relative = path.replace(/^\/api\/v1|^/, (base) => (base ? '' : '/../..'));
    const url = relative.replace(/\{(\w+)\}/g, (_, id: string) => `${ids[id]}`);
    const headers: Record<string, string> = {
      'x-forwarded-for': address,
      ...(bearerOnly && { authorization: `Bearer ${secret}` }),
    };
    return client.call(method, url, `${json}${more}}`, headers);
  };

  it('there are operations with a body', () => {
    expect(operations.length).toBeGreaterThan(9);
  });

  it.each(NAMES)('%s is refused on every body', async (name) => {
    for (const operation of operations) {
      for (const value of ['"x"', '{}', 'null']) {
        const answer = await send(operation, `${JSON.stringify(name)}:${value}`);
        if (value === 'null' && name !== '__proto__' && LENIENT.has(operation.path)) {
          expect([operation.name, outcome(answer)]).toEqual([operation.name, '200']);
          continue;
        }
        expect([operation.name, outcome(answer)]).toEqual([
          operation.name,
          '400 validation_failed',
        ]);
        // The parser refuses that one, and names no field.
        if (name === '__proto__') continue;
        if (operation.protocol !== 'own') expect(answer.text).toContain(name);
        else expect(answer.body.errors?.map(({ field }) => field)).toContain(name);
      }
    }
  });

  it.each(NAMES)('%s is refused within a filter', async (name) => {
    const condition = `{"type":"eq","key":"year","value":2026,${JSON.stringify(name)}:1}`;
    for (const filter of [condition, `{"type":"and","filters":[${condition}]}`]) {
      const body = `{"api_key":"${secret}","message":"Days?","filter":${filter}}`;
      const answer = await new Client(service).call('POST', '/query', body);
      expect(outcome(answer)).toBe('400 validation_failed');
    }
  });

  it.each(NAMES)('%s is refused by the doors for other clients', async (name) => {
    const field = `${JSON.stringify(name)}:1`;
    const kbId = String(ids['kb_id']);
    const message = '"role":"user","content":"Days?"';
    const retrieval = `"knowledge_id":"${kbId}","query":"Days?"`;
    const search = `"name":"search","arguments":{"query":"Days?",${field}}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${search}}}`;
    for (const [path, body] of [
      ['/v1/chat/completions', `{"model":"latchkey","messages":[{${message}}],${field}}`],
      ['/v1/chat/completions', `{"model":"latchkey","messages":[{${message},${field}}]}`],
      [`/v1/vector_stores/${kbId}/search`, `{"query":"Days?",${field}}`],
      ['/dify/retrieval', `{${retrieval},"retrieval_setting":{"top_k":1},${field}}`],
      ['/dify/retrieval', `{${retrieval},"retrieval_setting":{"top_k":1,${field}}}`],
      ['/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/list",${field}}`],
      ['/mcp', call],
    ] as const) {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body,
      });
      expect([path, response.status]).toEqual([path, 400]);
    }
  });

  it.each(NAMES)('%s is refused as a query parameter', async (name) => {
    const answer = await alice.call('GET', `/kbs?${name}=1`);
    expect(outcome(answer)).toBe('400 validation_failed');
  });

  it.each(NAMES)('%s is refused as a field of a form', async (name) => {
    const form = new FormData();
    form.append('file', new Blob([`A text beside ${name}.`]), 'a.txt');
    form.append(name, 'x');
    const response = await fetch(`${service.url}/api/v1/kbs/${String(ids['kb_id'])}/documents`, {
      method: 'POST',
      headers: { 'x-idp-user-id': 'names-alice' },
      body: form,
    });
    expect(response.status).toBe(400);
  });

  it('metadata keeps them, may be filtered by them, and nothing else has them afterwards', async () => {
    const names = NAMES.filter((name) => name !== '__proto__');
    const metadata = Object.fromEntries(names.map((name) => [name, `my ${name}`]));
    const nested = { deep: metadata, list: [metadata] };
    const kbId = String(ids['kb_id']);
    const added = await alice.addDocument(kbId, {
      title: 'Names',
      text: 'Zebras have names.',
      metadata: { ...metadata, ...nested },
    });
    type Described = Document & { metadata: unknown };
    const path = `/documents/${added.id}`;
    const read = async () => (await alice.get<Described>(path)).body.metadata;
    expect(await read()).toEqual({ ...metadata, ...nested });
    await alice.call('PATCH', path, { metadata: { ...nested, toString: 1 } });
    expect(await read()).toEqual({ ...nested, toString: 1 });
    await alice.call('PATCH', path, { metadata });
    for (const key of names) {
      const filter = { type: 'eq', key, value: `my ${key}` };
      const found = await new Client(service).query(secret, 'Zebras?', { filter });
      expect([key, found.body.results.map((one) => one.document_id)]).toEqual([key, [added.id]]);
    }
    const clean = await alice.addDocument(kbId, { title: 'Clean', text: 'Yaks have none.' });
    expect((await alice.get<Described>(`/documents/${clean.id}`)).body.metadata).toEqual({});
  });
});
