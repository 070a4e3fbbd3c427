import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('the main job', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });

  it('answers from a document until the key is revoked', async () => {
    const kb = await alice.createKnowledgeBase();
    const document = await alice.addDocument(kb.id, {
      title: 'Returns policy',
      text: 'Customers may return any order within 30 days of delivery.',
    });
    expect(document.status).toBe('ready');
    const key = await alice.createApiKey(kb.id);

    const answer = await partner.chat(key.api_key, 'How long may customers return an order?');
    expect(answer.status).toBe(200);
    expect(answer.body.answer).toContain('within 30 days of delivery. [1]');

    expect((await alice.call('PATCH', `/api-keys/${key.id}/revoke`)).status).toBe(200);
    const refused = await partner.chat(key.api_key, 'How long may customers return an order?');
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ code: 'api_key_revoked' });
  });
});
