import { expect, it } from '@jest/globals';
import { Client, outcome } from '../../../test/support/client.js';
import { Service } from '../../../test/support/service.js';

const QUESTION = 'How long may I return an order?';
const ANSWER = 'Forty-two days.';

it('curated answers that were given before are hidden by rules while the plugin does not run', async () => {
  const before = await Service.start();
  const begin = async (client: Client) => {
    const { id: kbId } = await client.createKnowledgeBase();
    const { api_key: secret } = await client.createApiKey(kbId);
    const curated = { questions: [QUESTION], answer: ANSWER };
    await client.post(`/kbs/${kbId}/curated-answers`, curated);
    const { body } = await new Client(before).chat(secret, QUESTION);
    return { kbId, secret, conversation: body.conversation_id };
  };
  const alice = new Client(before, 'alice');
  const [ruled, open] = [await begin(alice), await begin(alice)];
  await alice.set(ruled.kbId, { refusal_text: 'No idea.', default_access: 'closed' });
  await alice.set(ruled.kbId, { default_access: 'members' });
  const shown = async (service: Service) => {
    const reader = new Client(service, 'alice');
    const read = [ruled, open].map(async ({ conversation }) => {
      const listed = await reader.get(`/conversations/${conversation}`);
      return [outcome(listed), (await reader.messages(conversation))[1]?.content];
    });
    return Promise.all(read);
  };
  const answers = [
    ['200', ANSWER],
    ['200', ANSWER],
  ];
  expect(await shown(before)).toEqual(answers);
  await before.stop();

  const environment = { ...before.environment, PLUGINS: 'none' };
  const without = await Service.start(environment);
  expect(await shown(without)).toEqual([
    ['200', 'No idea.'],
    ['200', ANSWER],
  ]);
  for (const { secret, conversation: conversation_id } of [ruled, open]) {
    const next = await new Client(without).chat(secret, 'And a lamp?', { conversation_id });
    expect(outcome(next)).toBe('200');
    expect(next.body).toMatchObject({ conversation_id, answered: false });
  }
  await without.stop();

  const again = await Service.start(before.environment);
  expect(await shown(again)).toEqual(answers);
  await again.stop();
});
