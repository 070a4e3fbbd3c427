import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { ModelServer } from '../support/model-server.js';
import { freePort } from '../support/postgres.mjs';
import { eventually, Service } from '../support/service.js';

const QUESTION = 'How long may customers return an order?';
const KEYS = { LLM_API_KEY: 'sk-of-the-model', EMBEDDINGS_API_KEY: 'sk-of-the-embeddings' };
const QUERY = 'in-the-query';

describe('the log on endpoints that', () => {
  let service: Service;

  async function ask(environment: NodeJS.ProcessEnv): Promise<string> {
    service = await Service.start({
      ...{ LLM_MODEL: 'm', EMBEDDINGS_MODEL: 'e', ...KEYS, ...environment },
    });
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(id);
    await alice.addDocument(id, { title: 'Returns', text: 'Customers may return any order.' });
    return outcome(await new Client(service).chat(secret, QUESTION));
  }

  it('are away names the host and what the system says, and no secret', async () => {
    const [modelPort, embeddingsPort] = [await freePort(), await freePort()];
    const status = await ask({
      LLM_BASE_URL: `http://127.0.0.1:${modelPort}/v1?token=${QUERY}`,
      EMBEDDINGS_BASE_URL: `http://127.0.0.1:${embeddingsPort}/v1?token=${QUERY}`,
    });
    expect(status).toBe('502 model_unavailable');
    await eventually(() => service.logs.includes('embeddings'));
    await service.stop();
    const refused = 'does not answer: ECONNREFUSED, nothing listens there';
    expect(service.logs).toContain(`The model at 127.0.0.1:${modelPort} ${refused}`);
    expect(service.logs).toContain(
      `searching by words only: 127.0.0.1:${embeddingsPort} ${refused}`,
    );
    for (const secret of [...Object.values(KEYS), QUERY])
      expect(service.logs).not.toContain(secret);
  });

  describe('fail', () => {
    let model: ModelServer;
    let embeddings: EmbeddingsServer;

    beforeAll(async () => {
      model = await ModelServer.start();
      embeddings = await EmbeddingsServer.start();
    });
    afterAll(async () => {
      await model.stop();
      await embeddings.stop();
    });

    it('says how long a silent model was waited for, and nothing in the words of the provider', async () => {
      model.behave = () => undefined;
      embeddings.mood = 'error';
      const status = await ask({
        ...{ LLM_BASE_URL: model.url, LLM_TIMEOUT_MS: '400' },
        EMBEDDINGS_BASE_URL: embeddings.url,
      });
      expect(status).toBe('504 model_timeout');
      await service.stop();
      const host = (url: string) => new URL(url).host;
      expect(service.logs).toContain(`The model at ${host(model.url)} was silent for 400 ms`);
      expect(service.logs).toContain(
        `searching by words only: ${host(embeddings.url)} answers 500`,
      );
      expect(service.logs).not.toContain('What is');
    });
  });
});
