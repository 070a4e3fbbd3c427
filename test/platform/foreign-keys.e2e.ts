import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

// With triggers, as SQLite writes them; how PostgreSQL tells the same is a unit test.
describe('a row whose knowledge base is deleted while it is inserted', () => {
  let service: Service;
  let alice: Client;

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice');
  });

  afterAll(() => service.stop());

  /** Has knowledge base and row change places in time: it goes while its row is being inserted. */
  const deleteBefore = (table: string) =>
    sql(
      service.environment,
      `CREATE TRIGGER delete_before_${table} BEFORE INSERT ON ${table}
       BEGIN DELETE FROM knowledge_bases WHERE id = NEW.kb_id; END`,
    );

  it('makes a question fail as not_found, and is logged', async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(id);
    await deleteBefore('conversations');
    const answer = await new Client(service).chat(secret, 'Anything?');
    expect(outcome(answer)).toBe('404 not_found');
    await eventually(() => service.logs.includes('FOREIGN KEY constraint failed'));
  });

  it('makes other requests fail as an internal error, and is logged', async () => {
    const { id } = await alice.createKnowledgeBase();
    const before = service.logs.length;
    await deleteBefore('knowledge_base_members');
    const answer = await alice.call('PUT', `/kbs/${id}/members/bob`, { role: 'member' });
    expect(outcome(answer)).toBe('500 internal_error');
    await eventually(() => service.logs.slice(before).includes('FOREIGN KEY constraint failed'));
  });
});
