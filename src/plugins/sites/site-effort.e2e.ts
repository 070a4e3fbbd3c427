import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatAnswer, Client } from '../../../test/support/client.js';
import { ModelServer } from '../../../test/support/model-server.js';
import { isPlan, plans } from '../../../test/support/planning-model.js';
import { Service } from '../../../test/support/service.js';

const ORIGIN = 'https://shop.example.com';

describe('a question of a visitor', () => {
  let model: ModelServer;
  let service: Service;

  beforeAll(async () => {
    model = await ModelServer.start();
    service = await Service.start(model.environment);
  });
  afterAll(async () => {
    await service.stop();
    await model.stop();
  });

  it('costs one answer, whatever effort it asks for', async () => {
    const alice = new Client(service, 'alice');
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.addDocument(kbId, { title: 'People', text: 'Oslo: Ingrid Berg is its manager.' });
    const key = await alice.createApiKey(kbId);
    const { body: site } = await alice.post<{ id: string }>(`/kbs/${kbId}/sites`, {
      ...{ name: 'Help', origins: [ORIGIN], proof_of_work: 0 },
    });
    const visitor = new Client(service);
    const headers = { origin: ORIGIN };
    const visit = await visitor.post<{ client_token: string }>(
      `/sites/${site.id}/visitors`,
      {},
      headers,
    );
    const ask = async (credential: string) => {
      model.behave = plans([['manager of Oslo'], []], 'Ingrid Berg. [1]');
      model.calls.length = 0;
      const question = { message: 'Who leads the office of Oslo?', effort: 'high' };
      const authorization = `Bearer ${credential}`;
      const asked = { ...headers, authorization };
      const { body } = await visitor.post<ChatAnswer>('/chat', question, asked);
      return [body.answer, model.calls.some(isPlan)];
    };
    expect(await ask(key.api_key)).toEqual(['Ingrid Berg. [1]', true]);
    expect(await ask(visit.body.client_token)).toEqual(['Ingrid Berg. [1]', false]);
  });
});
