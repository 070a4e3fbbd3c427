import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EmbeddingsServer } from '../../../test/support/embeddings-server.js';
import { answers, ModelServer, says, saysAndHangs } from '../../../test/support/model-server.js';
import { paddleOcr, RecognitionServer } from '../../../test/support/recognition-server.js';
import { RerankServer } from '../../../test/support/rerank-server.js';
import { Config } from '../../platform/config/config.js';
import {
  checkEmbeddings,
  checkModel,
  checkRecognitionServer,
  checkReranker,
} from './connection-checks.js';

const CHECKS = [checkModel, checkEmbeddings, checkReranker, checkRecognitionServer];
const LEAK = 'org-4711';
const EMBEDDINGS_KEY = 'sk-of-the-embeddings';
const RERANK_KEY = 'sk-of-the-reranker';

// That nothing listens there: doctor.e2e.ts.
describe('the doctor, with a model, embeddings and a reranker,', () => {
  let model: ModelServer;
  let embeddings: EmbeddingsServer;
  let reranker: RerankServer;

  beforeAll(async () => {
    model = await ModelServer.start();
    embeddings = await EmbeddingsServer.start();
    reranker = await RerankServer.start();
  });
  beforeEach(() => {
    model.behave = says('Yes');
    embeddings.mood = 'well';
    reranker.failure = undefined;
    reranker.delayMs = 0;
  });
  afterAll(async () => {
    await model.stop();
    await embeddings.stop();
    await reranker.stop();
  });

  async function examine(changes: NodeJS.ProcessEnv = {}): Promise<string> {
    const config = Config.fromEnvironment({
      ...model.environment,
      ...{ EMBEDDINGS_BASE_URL: embeddings.url, EMBEDDINGS_MODEL: 'synonyms' },
      EMBEDDINGS_API_KEY: EMBEDDINGS_KEY,
      // Long enough for a busy machine.
      ...{ RERANK_BASE_URL: reranker.url, RERANK_API_KEY: RERANK_KEY, RERANK_TIMEOUT_MS: '60000' },
      ...changes,
    });
    const findings = await Promise.all(CHECKS.map(async (check) => check(config, [])));
    const output = findings
      .flat()
      .map(({ verdict, text }) => `${verdict}: ${text}`)
      .join('\n');
    for (const secret of [LEAK, EMBEDDINGS_KEY, RERANK_KEY, 'sk-of-the-provider']) {
      expect(output).not.toContain(secret);
    }
    return output;
  }
  const host = ({ url }: { url: string }) => new URL(url).host;

  it('calls them as the service does', async () => {
    const output = await examine();
    expect(output).toContain(`ok: The model at ${host(model)} answers.`);
    expect(output).toContain(`ok: The embeddings at ${host(embeddings)} answer.`);
    expect(output).toContain(`ok: The reranker at ${host(reranker)} answers.`);
    expect([...reranker.credentials]).toEqual([`Bearer ${RERANK_KEY}`]);
    expect(model.last).toMatchObject({
      headers: { authorization: 'Bearer sk-of-the-provider' },
      body: { model: 'test-model', stream: true },
    });
  });

  it('needs no more of an answer than its beginning', async () => {
    model.behave = saysAndHangs('Yes');
    expect(await examine()).toContain(`ok: The model at ${host(model)} answers.`);
  });

  it.each([
    ['refuses the key', answers(401, { error: { message: LEAK } }), 'refuses LLM_API_KEY (401)'],
    [
      'does not know the model',
      answers(404, { error: { message: LEAK } }),
      'answers 404: the path of LLM_BASE_URL or LLM_MODEL is unknown there',
    ],
    ['answers something else', answers(200, { hello: LEAK }), 'does not give a complete answer'],
  ])('says that the model %s', async (_, behave, words) => {
    model.behave = behave;
    expect(await examine()).toContain(`problem: LLM_BASE_URL: ${host(model)} ${words}`);
  });

  it('says what is wrong with the embeddings', async () => {
    embeddings.mood = 'nonsense';
    expect(await examine()).toContain(
      `problem: EMBEDDINGS_BASE_URL: ${host(embeddings)} does not give a complete answer`,
    );
  });

  it('says what is wrong with the reranker', async () => {
    reranker.failure = 'no score';
    expect(await examine()).toContain(
      `problem: RERANK_BASE_URL: ${host(reranker)} does not give a complete answer: passages stay in the order of the search.`,
    );
  });

  it('says that the reranker is slower than searches wait', async () => {
    reranker.delayMs = 100;
    expect(await examine({ RERANK_TIMEOUT_MS: '10' })).toMatch(
      new RegExp(
        `warning: The reranker at ${host(reranker)} answers after \\d+ ms; searches wait for RERANK_TIMEOUT_MS, 10 ms`,
      ),
    );
  });

  it('says whether the server that recognises pages answers', async () => {
    const server = await RecognitionServer.start();
    try {
      const given = { OCR_BASE_URL: server.url, OCR_API_KEY: 'sk-of-recognition' };
      server.answer = (path) => (path === '/ocr' ? paddleOcr('Hello') : [404, {}]);
      expect(await examine(given)).toContain(
        `ok: The recognition server at ${host(server)} answers.`,
      );
      server.answer = () => [401, { detail: LEAK }];
      const output = await examine(given);
      expect(output).toContain(
        `problem: OCR_BASE_URL: ${host(server)} refuses OCR_API_KEY (401): pages wait to be recognised.`,
      );
      expect(output).not.toContain(given.OCR_API_KEY);
    } finally {
      await server.stop();
    }
  });

  it('gives up on those that are silent', async () => {
    model.behave = () => undefined;
    embeddings.mood = 'silent';
    const output = await examine({ LLM_TIMEOUT_MS: '500' });
    expect(output).toContain(`problem: LLM_BASE_URL: ${host(model)} does not answer in time`);
    expect(output).toContain(
      `problem: EMBEDDINGS_BASE_URL: ${host(embeddings)} does not answer in time`,
    );
  });
});
