import type { Client, Page, Webhook } from './client.js';
import { eventually } from './service.js';

export const newKey = async (alice: Client, kbId: string) => (await alice.createApiKey(kbId)).id;

export async function newDocument(alice: Client, kbId: string, index: number): Promise<string> {
  const body = { title: `Document ${index}`, text: `Text ${index}.`, external_id: `ext-${index}` };
  return (await alice.post<{ id: string }>(`/kbs/${kbId}/documents`, body)).body.id;
}

export const converse = async (alice: Client, kbId: string, index: number) => {
  const { api_key: secret, id } = await alice.createApiKey(kbId);
  const { body } = await alice.chat(secret, 'Is anybody there?', { end_user_id: `user-${index}` });
  await alice.call('DELETE', `/api-keys/${id}`);
  return body.conversation_id;
};

/** Nobody listens there, so what is sent to it fails at once. */
export const RECEIVER = 'http://127.0.0.1:9/hook';

export const newWebhook = async (alice: Client, kbId: string) =>
  (await alice.createWebhook(kbId, RECEIVER)).id;

/** The deliveries of all webhooks of a knowledge base. */
export async function deliveriesOf(alice: Client, kbId: string) {
  const { data } = (await alice.get<Page<Webhook>>(`/kbs/${kbId}/webhooks`)).body;
  return (await Promise.all(data.map(({ id }) => alice.deliveries(id)))).flat();
}

export async function attemptedDelivery(alice: Client, kbId: string): Promise<string> {
  const webhookId = await newWebhook(alice, kbId);
  const { id } = (await alice.post<{ id: string }>(`/webhooks/${webhookId}/test`, {})).body;
  await eventually(async () =>
    (await alice.deliveries(webhookId)).every(({ state }) => state === 'failed'),
  );
  return id;
}
