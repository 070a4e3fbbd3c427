import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKey, Client, outcome } from '../support/client.js';
import { documentedOperations, type Operation } from '../support/operations.js';
import { Service } from '../support/service.js';

const MIB = 1024 * 1024;

/** Bodies that would be refused, each in its own way. */
const BAD_BODIES: readonly [string, string, Record<string, string>][] = [
  ['malformed JSON', '{"name":', {}],
  ['an unknown field', '{"no_such_field":1}', {}],
  ['too much', JSON.stringify({ name: 'x'.repeat(MIB) }), {}],
  ['another media type', 'name: Shop', { 'content-type': 'application/yaml' }],
  ['a form of several parts', '', { 'content-type': 'multipart/form-data; boundary=x' }],
];

describe('access is checked before the body is read', () => {
  let service: Service;
  let operations: Operation[];
  let ids: Record<string, string>;
  const owner = () => new Client(service, 'access-owner');
  const member = () => new Client(service, 'access-member');
  const stranger = () => new Client(service, 'access-stranger');

  beforeAll(async () => {
    service = await Service.start();
    operations = (await documentedOperations(service)).filter(
      ({ managed, path, method }) => managed && path.includes('_id}') && method !== 'GET',
    );
    const { id: kbId } = await owner().createKnowledgeBase();
    const key = await owner().createApiKey(kbId);
    const document = await owner().addDocument(kbId, { title: 'Returns', text: 'Within 30 days.' });
    const { body } = await new Client(service).chat(key.api_key, 'Within how many days?');
    await owner().call('PUT', `/kbs/${kbId}/members/access-member`, { role: 'member' });
    await owner().call('PUT', `/kbs/${kbId}/members/access-other`, { role: 'member' });
    const webhook = await owner().createWebhook(kbId, 'https://receiver.invalid/hook');
    const { body: delivery } = await owner().call<{ id: string }>(
      'POST',
      `/webhooks/${webhook.id}/test`,
    );
    ids = {
      kb_id: kbId,
      key_id: key.id,
      document_id: document.id,
      conversation_id: body.conversation_id,
      webhook_id: webhook.id,
      delivery_id: delivery.id,
      invitation_id: (await owner().createInvitation(kbId)).id,
      user_id: 'access-other',
    };
  });

  afterAll(() => service.stop());

  const pathOf = ({ path }: Operation) =>
    path
      .replace(/^\/api\/v1|^/, (base) => (base ? '' : '/../..'))
      .replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));

  it.each(BAD_BODIES)('reveals nothing to a stranger who sends %s', async (_, body, headers) => {
    for (const operation of operations) {
      const existing = pathOf(operation);
      for (const path of [existing, existing.replace(/_0\w+/, '_01kafdp6ygf4rs4s2cr5cvzwkc')]) {
        const answer = await stranger().call(operation.method, path, body, headers);
        expect([operation.name, outcome(answer)]).toEqual([operation.name, '404 not_found']);
      }
    }
  });

  it.each(BAD_BODIES)(
    'answers 401 to a request without a user that has %s',
    async (_, body, headers) => {
      for (const operation of operations) {
        const nobody = new Client(service);
        const answer = await nobody.call(operation.method, pathOf(operation), body, headers);
        expect([operation.name, outcome(answer)]).toEqual([
          operation.name,
          '401 dashboard_authentication_required',
        ]);
      }
    },
  );

  it.each(BAD_BODIES)('refuses a member who is no owner and sends %s', async (_, body, headers) => {
    // A service account does not exist for somebody not in charge of it, and only one of the settings
    // is for owners.
    const forOwners = operations.filter(
      ({ ownersOnly, path }) => ownersOnly && !/\/(?:service-accounts|settings)/.test(path),
    );
    for (const operation of forOwners) {
      const answer = await member().call(operation.method, pathOf(operation), body, headers);
      expect([operation.name, outcome(answer)]).toEqual([operation.name, '403 owner_required']);
    }
  });

  it('tells a member that the body cannot be read', async () => {
    expect(outcome(await member().call('PATCH', `/api-keys/${String(ids['key_id'])}`, '{'))).toBe(
      '400 validation_failed',
    );
    const key = await owner().get<ApiKey>(`/api-keys/${String(ids['key_id'])}`);
    expect(key.status).toBe(200);
  });

  it('refuses a stranger’s upload before its bytes have arrived, and stores none', async () => {
    const { hostname, port, host } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `POST /api/v1/kbs/${String(ids['kb_id'])}/documents HTTP/1.1`,
      `Host: ${host}`,
      'X-Idp-User-Id: access-stranger',
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${15 * MIB}`,
    ];
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
    socket.write(`${head.join('\r\n')}\r\n\r\n${part}${'a'.repeat(64 * 1024)}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 404 /);
    const uploads = `${service.dataDir}/uploads`;
    expect(existsSync(uploads) ? readdirSync(uploads) : []).toEqual([]);
  });
});
