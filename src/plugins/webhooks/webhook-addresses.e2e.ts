import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedWebhook, outcome } from '../../../test/support/client.js';
import { NameServer } from '../../../test/support/name-server.js';
import { eventually, Service } from '../../../test/support/service.js';
import { sql } from '../../../test/support/sql.js';
import { WebhookReceiver } from '../../../test/support/webhook-receiver.js';

describe('the addresses of webhooks', () => {
  let names: NameServer;
  let service: Service;
  let alice: Client;
  let receiver: WebhookReceiver;
  let kbId: string;

  beforeAll(async () => {
    names = await NameServer.start();
    receiver = await WebhookReceiver.start();
    service = await Service.start(names.environment);
    alice = new Client(service, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(async () => {
    await service.stop();
    await Promise.all([receiver.stop(), names.stop()]);
  });

  const create = (url: string) =>
    alice.post<IssuedWebhook>(`/kbs/${kbId}/webhooks`, { url, events: ['api_key.created'] });
  const untilTried = ({ id }: IssuedWebhook) =>
    eventually(async () => Number((await alice.deliveries(id))[0]?.attempts) > 0);

  it.each([['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['93.184.216.34', '192.168.0.1']])(
    'are refused at creation when a name has the address %s',
    async (...addresses) => {
      names.addresses = addresses;
      const name = `at-${addresses.join('-').replaceAll('.', '-')}.example.com`;
      expect(outcome(await create(`https://${name}/`))).toBe('400 validation_failed');
      expect(names.questions(name)).toBe(1);
    },
  );

  it('are taken when a name has no address yet', async () => {
    names.addresses = [];
    const { status, body } = await create('https://not-yet.example.com/');
    expect(status).toBe(201);
    await alice.call('DELETE', `/webhooks/${body.id}`);
  });

  it('are checked at the connection: a name that changes to loopback gets nothing', async () => {
    names.addresses = ['93.184.216.34'];
    const url = `https://rebinds.example.com:${receiver.port}/hook`;
    const { status, body: webhook } = await create(url);
    expect(status).toBe(201);
    names.addresses = ['127.0.0.1'];
    await alice.createApiKey(kbId);
    await untilTried(webhook);
    expect(await alice.deliveries(webhook.id)).toMatchObject([
      { state: 'pending', error: 'address_not_allowed', response_status: null },
    ]);
    // At its creation, and at the attempt.
    expect(names.questions('rebinds.example.com')).toBe(2);
    await alice.call('DELETE', `/webhooks/${webhook.id}`);
  });

  it.each(['http://93.184.216.34/hook', 'https://127.0.0.1/hook', 'http://127.0.0.1/hook'])(
    'that were taken while private ones were allowed are not called afterwards: %s',
    async (url) => {
      const { body: webhook } = await create('https://93.184.216.34/hook');
      const own = url.replace('127.0.0.1', `127.0.0.1:${receiver.port}`);
      await sql(
        service.environment,
        `UPDATE webhooks SET url = '${own}' WHERE id = '${webhook.id}'`,
      );
      await alice.createApiKey(kbId);
      await untilTried(webhook);
      expect(await alice.deliveries(webhook.id)).toMatchObject([{ error: 'address_not_allowed' }]);
      await alice.call('DELETE', `/webhooks/${webhook.id}`);
    },
  );

  it('none of which has led to this machine', () => {
    expect(receiver.connections).toBe(0);
  });
});
