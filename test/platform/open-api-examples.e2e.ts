import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client, outcome } from '../support/client.js';
import {
  documentedOperations,
  type OpenApiDocument,
  openApiDocument,
  type Operation,
  type OperationObject,
  resolve,
} from '../support/operations.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');
const BOB = newUserId('bob');

const TEXT = 'Customers may return any order within 30 days of delivery.';

interface Fixture {
  readonly secret: string;
  readonly ids: Readonly<Record<string, string>>;
}

/** What "Try it out" sends when nobody changes anything but ids and the secret. */
describe('the examples of the OpenAPI document', () => {
  let service: SharedService;
  let document: OpenApiDocument;
  let operations: Operation[];
  let owner: Client;

  beforeAll(async () => {
    service = await sharedService();
    document = await openApiDocument(service);
    operations = await documentedOperations(service);
    owner = new Client(service, ALICE);
  });

  const described = ({ method, path }: Operation): OperationObject => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`No ${method} ${path}`);
    return operation;
  };

  /** Things of its own for each operation, so that none meets what another one left. */
  async function furnish(): Promise<Fixture> {
    const kb = await owner.createKnowledgeBase();
    const { id: documentId } = await owner.addDocument(kb.id, { title: 'Other', text: TEXT });
    const scopes = ['query', 'chat', 'feedback', 'documents:read', 'documents:write'];
    const key = await owner.createApiKey(kb.id, { scopes });
    const { body: chat } = await new Client(service).chat(key.api_key, 'May orders be returned?');
    const webhook = await owner.createWebhook(kb.id, 'https://receiver.invalid/hook');
    const evaluation = await owner.createEvaluation(kb.id);
    const source = await owner.createSource(kb.id);
    const accessSet = await owner.createAccessSet(kb.id);
    const curated = await owner.createCuratedAnswer(kb.id);
    const account = await owner.createServiceAccount(kb.id);
    const { body: delivery } = await owner.call<{ id: string }>(
      'POST',
      `/webhooks/${webhook.id}/test`,
    );
    return {
      secret: key.api_key,
      ids: {
        kb_id: kb.id,
        key_id: key.id,
        document_id: documentId,
        conversation_id: chat.conversation_id,
        message_id: chat.message_id,
        external_id: 'returns',
        version: '1',
        webhook_id: webhook.id,
        evaluation_id: evaluation.id,
        delivery_id: delivery.id,
        source_id: source.id,
        access_set_id: accessSet.id,
        trust_id: (await owner.createTrustedIssuer(kb.id)).id,
        channel_id: (await owner.createChannel(kb.id)).id,
        site_id: (await owner.createSite(kb.id)).id,
        invitation_id: (await owner.createInvitation(kb.id)).id,
        connection_id: (await owner.createConnection(kb.id)).id,
        curated_answer_id: curated.id,
        sa_id: account.id,
        user_id: BOB,
        model: 'latchkey',
      },
    };
  }

  async function send(
    operation: Operation,
    { ids, secret }: Fixture,
    body: string | FormData,
    type?: string,
  ): Promise<Answer<unknown>> {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    const response = await fetch(service.url + path, {
      method: operation.method,
      headers: {
        ...(operation.managed && { 'x-idp-user-id': ALICE }),
        ...(operation.bearerOnly && { authorization: `Bearer ${secret}` }),
        ...(type !== undefined && { 'content-type': type }),
        ...(operation.protocol === 'MCP' && { accept: 'application/json, text/event-stream' }),
      },
      body,
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
      text,
    };
  }

  it('are accepted twice, as they are', async () => {
    const twice: Record<string, string[]> = {};
    for (const operation of operations) {
      const json = described(operation).requestBody?.content['application/json'];
      // A list is one only because GitHub sends it so, signed.
      if (!json || json.schema.type === 'array') continue;
      expect([operation.name, json.example]).toEqual([operation.name, expect.any(Object)]);
      const fixture = await furnish();
      const body = JSON.stringify({
        ...json.example,
        ...(json.example && 'api_key' in json.example && { api_key: fixture.secret }),
        ...(operation.protocol === 'Dify' && { knowledge_id: fixture.ids['kb_id'] }),
        ...(operation.name === 'POST /api/v1/api-keys' && {
          kbs: [{ kb_id: fixture.ids['kb_id'] }],
        }),
      });
      const first = await send(operation, fixture, body, 'application/json');
      const second = await send(operation, fixture, body, 'application/json');
      twice[operation.name] = [outcome(first), outcome(second)];
    }
    const refused = Object.entries(twice).filter(
      ([, outcomes]) => !outcomes.every((one) => /^20[012]$/.test(one)),
    );
    // A key has one successor, and visitors come from a page.
    expect(refused).toEqual([
      ['POST /api/v1/api-keys/{key_id}/rotate', ['201', '409 already_rotated']],
      ...['preview', 'accept'].map((what) => [
        `POST /api/v1/invitations/${what}`,
        Array(2).fill('410 invitation_ended'),
      ]),
      ['POST /api/v1/sites/{site_id}/visitors', Array(2).fill('403 origin_not_allowed')],
    ]);
    expect(Object.keys(twice).length).toBeGreaterThan(10);
  });

  it('find something where they ask, whatever the documents are about', async () => {
    const { secret } = await furnish();
    const ask = (path: string) => {
      const json = document.paths[path]?.['post']?.requestBody?.content['application/json'];
      return new Client(service).post<{ results?: unknown[]; sources?: unknown[] }>(
        path.replace('/api/v1', ''),
        { ...json?.example, api_key: secret },
      );
    };
    expect((await ask('/api/v1/query')).body.results).toHaveLength(1);
    expect((await ask('/api/v1/chat')).body.sources).toHaveLength(1);
  });

  it('take one file after the other, and the same one again', async () => {
    const uploads = operations.filter(
      (operation) => described(operation).requestBody?.content['multipart/form-data'],
    );
    expect(uploads).not.toEqual([]);
    for (const operation of uploads) {
      const fixture = await furnish();
      const schema = described(operation).requestBody?.content['multipart/form-data']?.schema;
      const { properties = {} } = resolve(document, schema ?? {});
      const outcomes: string[] = [];
      for (const file of ['opening.txt', 'closing.txt', 'closing.txt']) {
        const form = new FormData();
        for (const [name, field] of Object.entries(properties)) {
          const [example] = resolve(document, field).examples ?? [];
          if (example === undefined || example === null) continue;
          form.set(name, typeof example === 'string' ? example : JSON.stringify(example));
        }
        // The id that oikb sends stands in the form.
        const isOikb = operation.protocol === 'Open WebUI';
        if (isOikb) form.set('metadata', JSON.stringify({ knowledge_id: fixture.ids['kb_id'] }));
        form.set('file', new Blob([`The shop tells in ${file} when it is open.`]), file);
        outcomes.push(outcome(await send(operation, fixture, form)));
      }
      const [accepted, again] =
        operation.protocol === 'Open WebUI'
          ? ['200', '200']
          : ['202', operation.bearerOnly ? '200' : '202'];
      expect(outcomes).toEqual([accepted, accepted, again]);
    }
  });
});
