import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

describe('a deleted passage', () => {
  let service: Service;
  let alice: Client;
  let kbId: string;

  const begin = (started: Service) => {
    service = started;
    alice = new Client(service, 'alice');
  };

  beforeAll(async () => {
    begin(await Service.start());
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(() => service.stop());

  const add = async (title: string) =>
    (await alice.addDocument(kbId, { title, text: `${title} about penguins.` })).id;
  const run = (statement: string) => sql<{ id: string }>(service.environment, statement);
  const documentIds = async () =>
    (await run(`SELECT id FROM documents WHERE kb_id = '${kbId}'`)).map(({ id }) => id);

  it('is removed at the next start after a crash during removal', async () => {
    const ids = [await add('A'), await add('B')];
    await service.kill();
    await run(
      `INSERT INTO passages (id, kb_id, document_id, version, position, text)
       SELECT 'left_' || document_id, kb_id, document_id, 0, position, text FROM passages
       WHERE kb_id = '${kbId}'`,
    );
    begin(await Service.start(service.environment));
    await eventually(
      async () => (await run(`SELECT id FROM passages WHERE version = 0`)).length === 0,
    );
    for (const id of ids) {
      const { body } = await alice.get<{ data: object[] }>(`/documents/${id}/chunks`);
      expect(body.data).toHaveLength(1);
    }
  });

  it('is removed even if another one cannot be', async () => {
    const ids = [await add('A'), await add('B'), await add('C')];
    const stuck = `OLD.document_id = '${ids[0]}'`;
    await run(
      engine === 'postgres'
        ? `CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql
             AS $$ BEGIN RAISE EXCEPTION 'stuck'; END $$;
           CREATE TRIGGER stuck BEFORE DELETE ON passages FOR EACH ROW WHEN (${stuck})
             EXECUTE FUNCTION stuck()`
        : `CREATE TRIGGER stuck BEFORE DELETE ON passages WHEN ${stuck}
             BEGIN SELECT RAISE(ABORT, 'stuck'); END`,
    );
    for (const id of ids)
      expect(outcome(await alice.call('DELETE', `/documents/${id}`))).toBe('200');
    await eventually(async () => (await documentIds()).length === 1);
    expect(await documentIds()).toEqual([ids[0]]);
  });
});
