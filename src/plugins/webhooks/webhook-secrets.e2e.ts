import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { Client, type IssuedWebhook } from '../../../test/support/client.js';
import { runCommand } from '../../../test/support/command.js';
import { eventually, Service } from '../../../test/support/service.js';
import { databaseTime, sql } from '../../../test/support/sql.js';
import { type Received, WebhookReceiver } from '../../../test/support/webhook-receiver.js';

const pepper = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [A, B, C] = [pepper('a'), pepper('b'), pepper('c')];

describe('the secret of a webhook and the pepper it is encrypted under', () => {
  let receiver: WebhookReceiver;
  let service: Service;
  let webhook: IssuedWebhook;
  let kbId: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    service = await Service.start({ WEBHOOK_ALLOW_PRIVATE: 'yes', API_KEY_PEPPERS: A });
    kbId = (await alice().createKnowledgeBase()).id;
    webhook = await alice().createWebhook(kbId, receiver.url, 'api_key.created');
  });

  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  const alice = () => new Client(service, 'alice');
  const restartWith = async (peppers: string) => {
    await service.stop();
    service = await Service.start({ ...service.environment, API_KEY_PEPPERS: peppers });
  };
  const pepperIds = async () => {
    const rows = await sql<{ pepper_id: string }>(
      service.environment,
      'SELECT pepper_id FROM webhooks',
    );
    return rows.map(({ pepper_id }) => pepper_id);
  };
  const verifies = ({ raw, headers }: Received, secret: string) =>
    new Verifier(secret).verify(raw, headers as Record<string, string>);

  it('moves to a new pepper when the service starts with both, and signs on', async () => {
    expect(await pepperIds()).toEqual(['a']);
    await restartWith(`${B},${A}`);
    await eventually(async () => (await pepperIds())[0] === 'b');
    const { output } = await runCommand('operations/peppers.command.js', service.environment);
    expect(output).toMatch(/'b'[^\n]*│ 0 +│ 1 +│\n/);
    await restartWith(B);
    await alice().createApiKey(kbId);
    await eventually(() => receiver.received.length === 1);
    expect(verifies(receiver.received[0] as Received, webhook.secret)).toBeDefined();
  });

  it('cannot be read without it: nothing is sent, until it is rotated', async () => {
    await restartWith(C);
    const { id } = await alice().createApiKey(kbId);
    const failed = async () => (await alice().deliveries(webhook.id))[0];
    await eventually(async () => (await failed())?.error === 'secret_unreadable');
    expect(await failed()).toMatchObject({ state: 'pending', response_status: null });
    expect(receiver.received).toHaveLength(1);
    await eventually(() => service.logs.includes(`Cannot decrypt the secret of ${webhook.id}`));

    const path = `/webhooks/${webhook.id}/rotate-secret`;
    const rotated = await alice().call<IssuedWebhook>('POST', path);
    expect(rotated.body.previous_secret_until).toBeNull();
    await sql(
      service.environment,
      `UPDATE queued_jobs SET due_at = ${databaseTime(-1000)}
       WHERE queue = 'webhook_deliveries' AND state = 'waiting'`,
    );
    await eventually(() => receiver.received.length === 2);
    const received = receiver.received[1] as Received;
    expect(received.body.data['api_key_id']).toBe(id);
    expect(verifies(received, rotated.body.secret)).toBeDefined();
    expect(service.logs).not.toContain('whsec_');
  });
});
