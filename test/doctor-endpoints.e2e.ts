import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from './support/command.js';
import { EmbeddingsServer } from './support/embeddings-server.js';
import { answers, ModelServer, says, saysAndHangs } from './support/model-server.js';
import { freePort } from './support/postgres.mjs';

const LEAK = 'org-4711';
const EMBEDDINGS_KEY = 'sk-of-the-embeddings';

describe('the doctor, of a model and embeddings,', () => {
  let model: ModelServer;
  let embeddings: EmbeddingsServer;

  beforeAll(async () => {
    model = await ModelServer.start();
    embeddings = await EmbeddingsServer.start();
  });
  beforeEach(() => {
    model.behave = says('Yes');
    embeddings.mood = 'well';
  });
  afterAll(async () => {
    await model.stop();
    await embeddings.stop();
  });

  async function examine(changes: NodeJS.ProcessEnv = {}): Promise<string> {
    const { output } = await runCommand('doctor.command.js', {
      DATA_DIR: join(mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'doctor-'))),
      ...model.environment,
      ...{ EMBEDDINGS_BASE_URL: embeddings.url, EMBEDDINGS_MODEL: 'synonyms' },
      EMBEDDINGS_API_KEY: EMBEDDINGS_KEY,
      ...changes,
    });
    for (const secret of [LEAK, EMBEDDINGS_KEY, 'sk-of-the-provider']) {
      expect(output).not.toContain(secret);
    }
    return output;
  }
  const host = ({ url }: { url: string }) => new URL(url).host;

  it('tries both as the service does', async () => {
    const output = await examine();
    expect(output).toContain(`ok       The model at ${host(model)} answers.`);
    expect(output).toContain(`ok       The embeddings at ${host(embeddings)} answer.`);
    expect(model.last).toMatchObject({
      headers: { authorization: 'Bearer sk-of-the-provider' },
      body: { model: 'test-model', stream: true },
    });
  });

  it('needs no more of an answer than its beginning', async () => {
    model.behave = saysAndHangs('Yes');
    expect(await examine()).toContain(`ok       The model at ${host(model)} answers.`);
  });

  it('says that nothing listens there', async () => {
    const [one, two] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    const output = await examine({
      LLM_BASE_URL: `http://${one}/v1`,
      EMBEDDINGS_BASE_URL: `http://${two}/v1`,
    });
    const refused = 'does not answer: ECONNREFUSED, nothing listens there';
    expect(output).toContain(`problem  LLM_BASE_URL: ${one} ${refused}`);
    expect(output).toContain(`problem  EMBEDDINGS_BASE_URL: ${two} ${refused}`);
  });

  it.each([
    ['refuses the key', answers(401, { error: { message: LEAK } }), 'refuses LLM_API_KEY (401)'],
    [
      'does not know the model',
      answers(404, { error: { message: LEAK } }),
      'answers 404: the path of LLM_BASE_URL or LLM_MODEL is unknown there',
    ],
    ['answers something else', answers(200, { hello: LEAK }), 'gives no whole answer'],
  ])('says that the model %s', async (_, behave, words) => {
    model.behave = behave;
    expect(await examine()).toContain(`problem  LLM_BASE_URL: ${host(model)} ${words}`);
  });

  it('says what is wrong with the embeddings', async () => {
    embeddings.mood = 'nonsense';
    expect(await examine()).toContain(
      `problem  EMBEDDINGS_BASE_URL: ${host(embeddings)} gives no whole answer`,
    );
  });

  it('does not wait for ever for those that are silent', async () => {
    model.behave = () => undefined;
    embeddings.mood = 'silent';
    const output = await examine({ LLM_TIMEOUT_MS: '500' });
    expect(output).toContain(`problem  LLM_BASE_URL: ${host(model)} does not answer in time`);
    expect(output).toContain(
      `problem  EMBEDDINGS_BASE_URL: ${host(embeddings)} does not answer in time`,
    );
  });
});
