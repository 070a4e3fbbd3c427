import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { hasPgvector, startPostgresWithPgvector } from '../support/pgvector.js';
import { createDatabase } from '../support/postgres.mjs';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { writeTinyModel } from '../support/tiny-model.js';
import { onlyOn, optionalTool } from '../support/requirement.js';

const TEXTS = [
  'An automobile may stand here overnight.',
  'A reimbursement takes five days, and a vehicle takes two.',
  'The physician drives an automobile.',
  'The doctor wants his money, and a car.',
  'Soup is served at noon.',
];
const QUESTIONS = ['car', 'money', 'doctor', 'medicine for a car', 'vehicle money'];
const needed = onlyOn('postgres').and(optionalTool('pgvector (PGVECTOR_DIR)', hasPgvector));

needed.describe('vectors where pgvector may be', () => {
  let server: Awaited<ReturnType<typeof startPostgresWithPgvector>>;
  let environment: NodeJS.ProcessEnv;
  let secret: string;
  let kbId: string;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-model-'));
    writeTinyModel(folder);
    server = await startPostgresWithPgvector();
    environment = {
      DATABASE_URL: await createDatabase(server.url),
      EMBEDDINGS_MODEL_PATH: folder,
    };
  });
  afterAll(async () => {
    await server.server.stop();
  });

  const count = async (condition: string) => {
    const [row] = await sql<{ count: number }>(
      environment,
      `SELECT count(*)::integer AS count FROM chunk_vectors WHERE ${condition}`,
    );
    return row?.count;
  };

  /** The results of all questions, with and without a filter. */
  const results = async (service: Service) => {
    const partner = new Client(service);
    const asked = QUESTIONS.flatMap((question) =>
      [{}, { filter: { type: 'lt', key: 'place', value: 3 } }].map(async (more) => {
        const answer = await partner.query(secret, question, more);
        expect(outcome(answer)).toBe('200');
        return answer.body.results.map(({ document_title, score }) => [document_title, score]);
      }),
    );
    return Promise.all(asked);
  };

  it('are converted after CREATE EXTENSION and made again after DROP EXTENSION', async () => {
    const before = await Service.start(environment);
    environment = before.environment;
    const alice = new Client(before, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    for (const [place, text] of TEXTS.entries()) {
      await alice.addDocument(kbId, { title: `Text ${place}`, text, metadata: { place } });
    }
    await eventually(async () => (await count('vector IS NOT NULL')) === TEXTS.length);
    const expected = await results(before);
    expect(expected[0]?.length).toBeGreaterThan(1);
    await before.stop();

    await sql(environment, 'CREATE EXTENSION vector');
    const during = await Service.start(environment);
    await eventually(async () => (await countEmbeddings()) === TEXTS.length);
    expect(await count('vector IS NOT NULL OR signs IS NOT NULL')).toBe(0);
    expect(await results(during)).toEqual(expected);
    const added = await new Client(during, 'alice').addDocument(kbId, {
      title: 'One more',
      text: 'A vehicle',
    });
    await eventually(async () => (await countEmbeddings()) === TEXTS.length + 1);
    await new Client(during, 'alice').call('DELETE', `/documents/${added.id}`);
    await eventually(async () => (await countEmbeddings()) === TEXTS.length);

    await sql(environment, 'DROP EXTENSION vector CASCADE');
    // The running process searches by words, and by vectors once they are made again.
    expect((await results(during)).flat().length).toBeGreaterThan(0);
    await during.stop();
    const after = await Service.start(environment);
    await eventually(async () => (await count('vector IS NOT NULL')) === TEXTS.length);
    expect(await results(after)).toEqual(expected);
    await after.stop();
  });

  const countEmbeddings = () =>
    count('embedding IS NOT NULL').catch((error: unknown) => {
      if (String(error).includes('embedding')) return 0;
      throw error;
    });
});
