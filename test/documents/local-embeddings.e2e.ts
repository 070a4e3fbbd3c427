import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { TEST_ENVIRONMENT } from '../support/launch.mjs';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { migratedDatabase } from '../support/test-database.js';
import { writeTinyModel } from '../support/tiny-model.js';
import { onlyOn } from '../support/requirement.js';

const TILL =
  'The till opens at nine. The yard is locked. A reimbursement takes five days. Bring a pen.';
const DOCUMENTS = [
  { title: 'Garage', text: 'An automobile may stand here overnight.', metadata: { floor: 1 } },
  { title: 'Till', text: TILL, metadata: { floor: 2 } },
  { title: 'Surgery', text: 'The physician is in on Mondays.', metadata: { floor: 2 } },
];
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'model-'));
const path = (name: string) => join(folder, name);

describe('search with a local model', () => {
  let service: Service;
  let alice: Client;
  let secret: string;

  beforeAll(async () => {
    writeTinyModel(path('tiny'));
    service = await Service.start({ EMBEDDINGS_MODEL_PATH: path('tiny') });
    alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    secret = (await alice.createApiKey(id)).api_key;
    for (const document of DOCUMENTS) await alice.addDocument(id, document);
    await untilEmbedded(service);
  });

  afterAll(async () => {
    expect(await service.stop()).toBe(0);
  });

  const models = async ({ environment }: Service) =>
    (await sql<{ model: string }>(environment, 'SELECT model FROM passage_vectors')).map(
      ({ model }) => model,
    );

  const untilEmbedded = (running: Service, isMeant: (model: string) => boolean = () => true) =>
    eventually(async () => (await models(running)).filter(isMeant).length === DOCUMENTS.length);

  const first = async (message: string, running = service) => {
    const answer = await new Client(running).query(secret, message);
    expect(outcome(answer)).toBe('200');
    return answer.body.results[0]?.document_title;
  };

  /** On a busy machine a vector may come too late, and the search goes by words alone. */
  const finds = (message: string, title: string, running = service) =>
    eventually(async () => (await first(message, running)) === title);

  it('finds what is meant in other words', async () => {
    await finds('car', 'Garage');
    await finds('money', 'Till');
    await finds('doctor', 'Surgery');
  });

  it('quotes the sentence that is meant, of those in one paragraph', async () => {
    await eventually(async () => {
      const { body } = await new Client(service).chat(secret, 'When does the money come?');
      return body.answered && body.answer.startsWith('five days\nA reimbursement takes five days.');
    });
  });

  it('makes all vectors anew after a change of the model', async () => {
    const before = new Set(await models(service));
    writeTinyModel(path('wider'), { dimension: 6 });
    const other = await Service.start({
      ...service.environment,
      EMBEDDINGS_MODEL_PATH: path('wider/model.onnx'),
    });
    await untilEmbedded(other, (model) => !before.has(model));
    await finds('car', 'Garage', other);
    expect(await other.stop()).toBe(0);
  });
});

/** What a command or a service starts with that finds an empty, migrated database. */
async function withMigratedDatabase(environment: NodeJS.ProcessEnv) {
  const DATA_DIR = mkdtempSync(join(folder, 'data-'));
  return { ...TEST_ENVIRONMENT, DATA_DIR, ...(await migratedDatabase(DATA_DIR)), ...environment };
}

/** What is done with a model does not depend on the database. */
onlyOn('sqlite').describe('a model that cannot be used', () => {
  const readiness = async ({ url }: Service) =>
    ((await (await fetch(`${url}/health/ready`)).json()) as { meaning: string }).meaning;

  it.each<[string, string, () => void]>([
    ['is not there', 'there is nothing at that path', () => undefined],
    [
      'is cut',
      'the file of the model is damaged',
      () => {
        writeTinyModel(path('broken'));
        truncateSync(path('broken/model.onnx'), 200);
      },
    ],
    [
      'is made for pictures',
      'it takes other inputs than tokens',
      () => {
        writeTinyModel(path('broken'), { inputs: ['pixel_values'] });
      },
    ],
  ])('is reported by the doctor: it %s', async (_, reason, write) => {
    rmSync(path('broken'), { recursive: true, force: true });
    write();
    const environment = await withMigratedDatabase({ EMBEDDINGS_MODEL_PATH: path('broken') });
    const { output } = await runCommand('operations/doctor.command.js', environment);
    const [problem] = output.split('\n').filter((one) => one.includes('EMBEDDINGS_MODEL_PATH: '));
    expect(problem).toContain(`EMBEDDINGS_MODEL_PATH: ${reason}`);
    expect(problem).toContain('search goes by words alone');
    expect(problem).not.toContain(folder);
  });

  it('leaves search to words, and the log says why', async () => {
    const service = await Service.start({ EMBEDDINGS_MODEL_PATH: path('missing') });
    const line = 'searching by words only: EMBEDDINGS_MODEL_PATH: there is nothing at that path';
    await eventually(() => service.logs.includes(line));
    expect(await readiness(service)).toBe('off');
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    for (const document of DOCUMENTS) await alice.addDocument(id, document);
    const { body } = await alice.query((await alice.createApiKey(id)).api_key, 'automobile');
    expect(body.results[0]?.document_title).toBe('Garage');
    expect(await service.stop()).toBe(0);
  });

  it('is missing since the start: search goes on by words, and readiness reports it', async () => {
    writeTinyModel(path('moved'));
    const service = await Service.start({ EMBEDDINGS_MODEL_PATH: path('moved') });
    await eventually(async () => (await readiness(service)) === 'local:moved');
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    const secret = (await alice.createApiKey(id)).api_key;
    for (const document of DOCUMENTS) await alice.addDocument(id, document);
    rmSync(path('moved'), { recursive: true });
    await eventually(async () => (await readiness(service)) === 'off');
    await eventually(() => service.logs.includes('PATH: there is nothing at that path'));
    const { body } = await alice.query(secret, 'automobile');
    expect(body.results[0]?.document_title).toBe('Garage');
    expect((await alice.chat(secret, 'automobile')).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  it('is refused if its weights have changed since it was installed', async () => {
    writeTinyModel(path('own'));
    const environment = await withMigratedDatabase({ EMBEDDINGS: 'local' });
    const install = () =>
      runCommand('operations/models.command.js', environment, '', 'install', path('own'));
    expect((await install()).code).toBe(0);
    const installed = join(environment.DATA_DIR, 'models/own/model.onnx');
    const weights = readFileSync(installed);
    writeFileSync(
      installed,
      weights.map((byte, at) => (at === weights.length - 9 ? byte ^ 1 : byte)),
    );
    const other = await Service.start(environment);
    await eventually(() => other.logs.includes('its files are not those that were installed'));
    expect(await readiness(other)).toBe('off');
    await other.stop();

    expect((await install()).code).toBe(0);
    expect(readFileSync(installed)).toEqual(weights);
    const last = await Service.start(environment);
    await eventually(async () => (await readiness(last)) === 'local:own');
    expect(await last.stop()).toBe(0);
  });
});
