import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { copyOfBuild } from '../support/build-copy.js';
import { Client } from '../support/client.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { eventually, Service } from '../support/service.js';
import { writeTinyModel } from '../support/tiny-model.js';

describe('the service after `npm ci --omit=optional`', () => {
  /** What is built, with the packages that are not optional. */
  const folder = copyOfBuild((name) => name === 'onnxruntime-node');

  it('starts, and finds by words', async () => {
    const service = await Service.start({}, folder);
    const alice = new Client(service, 'alice');
    const kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, { title: 'Garage', text: 'A car may stand here overnight.' });
    const { api_key } = await alice.createApiKey(kb.id);
    const { body } = await alice.query(api_key, 'Where may my car stand?');
    expect(body.results.map(({ document_title }) => document_title)).toEqual(['Garage']);
    await service.stop();
  });

  it('takes embeddings of an endpoint', async () => {
    const endpoint = await EmbeddingsServer.start();
    const environment = { EMBEDDINGS_BASE_URL: endpoint.url, EMBEDDINGS_MODEL: 'synonyms' };
    const service = await Service.start(environment, folder);
    expect(await service.stop()).toBe(0);
    await endpoint.stop();
  });

  it('says how to install what runs a local model', async () => {
    writeTinyModel(join(folder, 'model'));
    const service = await Service.start(
      { EMBEDDINGS: 'local', EMBEDDINGS_MODEL_PATH: join(folder, 'model') },
      folder,
    );
    await eventually(() =>
      /EMBEDDINGS_MODEL_PATH: [^\n]*`npm install --no-save [^\n]* onnxruntime-node@[\d.]+`/.test(
        service.logs,
      ),
    );
    expect(await service.stop()).toBe(0);
  });
});
