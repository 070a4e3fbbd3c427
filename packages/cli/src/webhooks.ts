import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { readAllPages, type Client } from './client.js';
import { createIdempotencyKey, openSession, table } from './commands.js';
import type { components } from '@latchkey/client';

type Delivery = components['schemas']['WebhookDeliveryDto'];
type Event = components['schemas']['CreateWebhookDto']['events'][number];

/** A receiver has ten seconds to answer. */
const TEST_TIMEOUT_MS = 20_000;
const POLL_MS = 500;

/** A test event did not reach the receiver. */
export class DeliveryFailed extends Error {}

export async function addWebhook(
  kbId: string,
  url: string,
  { event, description }: { event: Event[]; description?: string },
  command: Command,
): Promise<void> {
  const { client, print } = openSession(command);
  const webhook = await client.post('/api/v1/kbs/{kb_id}/webhooks', {
    path: { kb_id: kbId },
    headers: createIdempotencyKey(),
    body: { url, events: event, ...(description !== undefined && { description }) },
  });
  print(webhook, () => {
    // Only the secret goes to standard output, so that it can be piped into a secret manager.
    console.error(`${webhook.id}. The secret that verifies its deliveries is shown this once:`);
    return [webhook.secret];
  });
}

export async function listWebhooks(kbId: string, _: object, command: Command): Promise<void> {
  const { client, print } = openSession(command);
  const rows = await readAllPages((query) =>
    client.get('/api/v1/kbs/{kb_id}/webhooks', { path: { kb_id: kbId }, query }),
  );
  print(rows, () =>
    table(
      ['ID', 'STATE', 'URL', 'EVENTS'],
      rows.map(({ id, state, url, events }) => [id, state, url, events.join(',')]),
    ),
  );
}

export async function testWebhook(webhookId: string, _: object, command: Command): Promise<void> {
  const { client, print } = openSession(command);
  const { id } = await client.post('/api/v1/webhooks/{webhook_id}/test', {
    path: { webhook_id: webhookId },
    headers: createIdempotencyKey(),
  });
  const delivery = await waitUntilEnded(client, webhookId, id);
  print(delivery, () => [`${delivery.state}: ${describeOutcome(delivery)}`]);
  if (delivery.state !== 'delivered') {
    throw new DeliveryFailed(`the test did not reach the receiver: ${describeOutcome(delivery)}`);
  }
}

export async function deleteWebhook(webhookId: string, _: object, command: Command): Promise<void> {
  const { client, print } = openSession(command);
  const success = await client.delete('/api/v1/webhooks/{webhook_id}', {
    path: { webhook_id: webhookId },
  });
  print(success, () => [`${webhookId} is deleted.`]);
}

async function waitUntilEnded(client: Client, webhookId: string, id: string): Promise<Delivery> {
  const deadline = Date.now() + TEST_TIMEOUT_MS;
  for (;;) {
    const { data } = await client.get('/api/v1/webhooks/{webhook_id}/deliveries', {
      path: { webhook_id: webhookId },
      query: { limit: 100 },
    });
    const delivery = data.find((one) => one.id === id);
    if (!delivery) throw new DeliveryFailed('the test is not among the latest deliveries any more');
    if (delivery.state !== 'pending' || Date.now() > deadline) return delivery;
    await pause(POLL_MS);
  }
}

const describeOutcome = ({ state, response_status: status, error }: Delivery): string => {
  if (status !== null) return `the receiver answered ${status}`;
  return state === 'pending' ? 'it still waits for earlier deliveries' : (error ?? 'no answer');
};
