import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { writeTinyModel } from '../support/tiny-model.js';

const TILL =
  'The till opens at nine. The yard is locked. A reimbursement takes five days. Bring a pen.';
const QUESTION = 'When does the money come?';
/** The value that was asked for, and the sentence that contains it. */
const ANSWER = /^five days\nA reimbursement takes five days\./;

describe('vectors of sentences', () => {
  let service: Service;
  let alice: Client;
  let kbId: string;
  let secret: string;
  /** The id of a document. */
  let till: string;

  beforeAll(async () => {
    const model = join(mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'm-')), 'm');
    writeTinyModel(model);
    service = await Service.start({
      EMBEDDINGS_MODEL_PATH: model,
      // Long enough for a busy machine.
      EMBEDDINGS_TIMEOUT_MS: '60000',
    });
    alice = new Client(service, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    const document = { title: 'Till', text: TILL, metadata: { floor: 1 } };
    till = (await alice.addDocument(kbId, document)).id;
    await alice.addDocument(kbId, { title: 'Garage', text: 'An automobile may stand here.' });
    await eventually(async () => String(await sentences()) === 'Garage 0,Till 0');
  });

  afterAll(() => service.stop());

  /** How many sentences of each passage have vectors; a place takes eight bytes. */
  const sentences = async () => {
    const rows = await sql<{ title: string; count: number | string }>(
      service.environment,
      `SELECT d.title, COALESCE(length(v.sentence_places), 0) / 8 AS count
       FROM passage_vectors v JOIN passages p ON p.number = v.passage_number
         JOIN documents d ON d.id = p.document_id ORDER BY d.title`,
    );
    return rows.map(({ title, count }) => `${title} ${Number(count)}`);
  };

  const ask = async () => {
    const filter = { type: 'eq', key: 'floor', value: 1 };
    return (await new Client(service).chat(secret, QUESTION, { filter })).body;
  };

  it('are made for passages that are quoted from, by several questions at once, and are kept', async () => {
    await new Client(service).query(secret, QUESTION);
    expect(await sentences()).toEqual(['Garage 0', 'Till 0']);
    for (const { answer } of await Promise.all([ask(), ask(), ask()])) {
      expect(answer).toMatch(ANSWER);
    }
    await eventually(async () => String(await sentences()) === 'Garage 0,Till 4');
    expect((await ask()).answer).toMatch(ANSWER);
  });

  it('are removed with their document', async () => {
    await alice.call('DELETE', `/documents/${till}`);
    await eventually(async () => String(await sentences()) === 'Garage 0');
  });
});
