import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../../../test/support/client.js';
import {
  newUserId,
  sharedService,
  type SharedService,
} from '../../../test/support/shared-service.js';
import { type Source, Sources } from '../../../test/support/sources.js';
import { sql } from '../../../test/support/sql.js';

const SECRET = 'wJalrXUtnFEMI-not-a-real-one';
// Reserved: nobody has this name.
const CONFIG = { endpoint: 'https://s3.invalid', bucket: 'handbook', prefix: 'a/' };
const CREDENTIALS = { access_key_id: 'AKIDEXAMPLE', secret_access_key: SECRET };

describe('the credentials of a source', () => {
  let service: SharedService;
  let alice: Client;
  let sources: Sources;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
  });

  it('are stored encrypted, and never returned', async () => {
    const source = await sources.connect('s3', CONFIG, { credentials: CREDENTIALS });
    expect(source.has_credentials).toBe(true);
    const told = [
      JSON.stringify(source),
      (await alice.get(`/kbs/${sources.kbId}/sources`)).text,
      (await alice.get(`/kbs/${sources.kbId}/audit-events`)).text,
      JSON.stringify(await sources.run(source.id)),
      JSON.stringify(await sql(service.environment, 'SELECT * FROM sources')),
      service.logs,
    ];
    for (const text of told) expect(text).not.toContain(SECRET);
    const [row] = await sql<{ credentials: string }>(
      service.environment,
      `SELECT credentials FROM sources WHERE id = '${source.id}'`,
    );
    expect(row?.credentials).toMatch(/^[0-9A-Za-z+/]+={0,2}$/);
  });

  it('are not sent to another server by somebody who does not know them', async () => {
    const { id } = await sources.connect('s3', CONFIG, { credentials: CREDENTIALS });
    const patch = (body: object) => alice.call<Source>('PATCH', `/sources/${id}`, body);
    expect(outcome(await patch({ config: { ...CONFIG, prefix: 'b/' } }))).toBe('200');
    const elsewhere = { ...CONFIG, endpoint: 'https://mallory.invalid' };
    expect(outcome(await patch({ config: elsewhere }))).toBe('400 validation_failed');
    expect((await sources.get(id)).config).toMatchObject({ prefix: 'b/' });
    expect(outcome(await patch({ config: elsewhere, credentials: CREDENTIALS }))).toBe('200');
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
  ])('are needed for no request to %s, which is never made', async (url) => {
    const body = { type: 'website', name: 'Docs', config: { start_urls: [url] } };
    const created = await alice.post(`/kbs/${sources.kbId}/sources`, body);
    expect(outcome(created)).toBe('400 validation_failed');
  });

  it('are created once by a request that is repeated', async () => {
    const body = { type: 's3', name: 'Docs', config: CONFIG, credentials: CREDENTIALS };
    const create = () =>
      alice.post<Source>(`/kbs/${sources.kbId}/sources`, body, { 'idempotency-key': 'once' });
    const [first, second] = [await create(), await create()];
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
  });
});
