import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { copyOfBuild } from '../support/build-copy.js';
import { Client } from '../support/client.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { Service } from '../support/service.js';
import { engine } from '../support/test-database.js';
import { writeTinyModel } from '../support/tiny-model.js';

const SENTENCE =
  /^EMBEDDINGS_BASE_URL needs sqlite-vec, whose binary [^\n]*--omit=optional[^\n]*DATABASE_URL[^\n]*\n$/;
const EMBEDDINGS = { EMBEDDINGS_BASE_URL: 'http://127.0.0.1:9/v1', EMBEDDINGS_MODEL: 'any' };

describe('the service after `npm ci --omit=optional`', () => {
  const folder = copyOfBuild(
    // The runtime of local models is no package of a user of the service either.
    (name) => name.startsWith('sqlite-vec-') || name === 'onnxruntime-node',
    ['sqlite-vec'],
  );

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

  if (engine === 'sqlite') {
    it('refuses embeddings in a sentence', async () => {
      const { code, output } = await Service.refusal(EMBEDDINGS, folder);
      expect(output).toMatch(SENTENCE);
      expect(code).toBe(1);
    });

    it('says the same when the doctor is asked', async () => {
      const environment = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') };
      const examine = (env: NodeJS.ProcessEnv) =>
        promisify(execFile)(process.execPath, ['dist/src/operations/doctor.command.js'], {
          cwd: folder,
          env,
        })
          .catch((error: unknown) => error as { stdout: string })
          .then(({ stdout }) => stdout.split('\n').map((line) => `${line.slice(9)}\n`));
      expect(await examine({ ...environment, ...EMBEDDINGS })).toContainEqual(
        expect.stringMatching(SENTENCE),
      );
      expect(await examine(environment)).not.toContainEqual(expect.stringMatching(SENTENCE));
    });
  } else {
    it('takes embeddings on PostgreSQL, which needs none', async () => {
      const endpoint = await EmbeddingsServer.start();
      const environment = { EMBEDDINGS_BASE_URL: endpoint.url, EMBEDDINGS_MODEL: 'synonyms' };
      const service = await Service.start(environment, folder);
      expect(await service.stop()).toBe(0);
      await endpoint.stop();
    });

    it('says how to install what runs a local model', async () => {
      writeTinyModel(join(folder, 'model'));
      const { code, output } = await Service.refusal(
        { DATABASE_URL: 'postgres://127.0.0.1:9/x', EMBEDDINGS_MODEL_PATH: join(folder, 'model') },
        folder,
      );
      expect(output).toMatch(
        /^EMBEDDINGS_MODEL_PATH: [^\n]*`npm install --no-save [^\n]* onnxruntime-node@[\d.]+`[^\n]*\n$/,
      );
      expect(code).toBe(1);
    });
  }
});
