import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from '../../../test/support/client.js';
import { eventually, Service } from '../../../test/support/service.js';
import { databaseTime, sql } from '../../../test/support/sql.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Larger than what stays in the database. */
const FILLING = 'Parcels leave on Monday. '.repeat(4000);
const text = (number: number) => `Rate number ${number}. ${FILLING}`;

describe('versions that nobody may read, or that have ended', () => {
  let service: Service;
  let alice: Client;

  const use = (started: Service) => {
    service = started;
    alice = new Client(service, 'alice', ['staff']);
  };
  const restart = async () => {
    await service.stop();
    use(await Service.start(service.environment));
  };

  beforeAll(async () => {
    use(await Service.start({ MAX_BYTES_PER_KNOWLEDGE_BASE: String(10 * FILLING.length) }));
  });
  afterAll(() => service.stop());

  const put = (kbId: string, content: string, more: object = {}) =>
    alice.addDocument(kbId, {
      ...{ title: 'Rates', external_id: 'rates', on_duplicate: 'replace', text: content },
      ...more,
    });

  /** A document with so many versions, the last of which is current. */
  const begin = async (versions: number, settings: object = {}) => {
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.set(kbId, { version_retention_days: 30, ...settings });
    let id = '';
    for (let number = 1; number <= versions; number++) ({ id } = await put(kbId, text(number)));
    return { kbId, id };
  };

  const numbers = async (id: string, by = alice) =>
    (await by.get<Page<{ version: number }>>(`/documents/${id}/versions`)).body.data.map(
      ({ version }) => version,
    );
  const rows = async (table: string, where: string) =>
    Number(
      (
        await sql<{ count: number | string }>(
          service.environment,
          `SELECT COUNT(*) AS count FROM ${table} WHERE ${where}`,
        )
      )[0]?.count,
    );
  const bytes = async (kbId: string) =>
    Number(
      (
        await sql<{ bytes: number | string }>(
          service.environment,
          `SELECT bytes FROM knowledge_base_sizes WHERE kb_id = '${kbId}'`,
        )
      )[0]?.bytes ?? 0,
    );
  const setRule = (id: string, allow: string[] | null) =>
    alice.call('PATCH', `/documents/${id}`, { access: allow && { allow } });
  const read = async (id: string, version: number, by: Client) => [
    outcome(await by.get(`/documents/${id}/versions/${version}`)),
    outcome(await by.get(`/documents/${id}/versions/${version}/original`)),
    outcome(await by.get(`/documents/${id}/versions/${version}/diff`)),
  ];
  const OPEN = ['200', '200', '200'];
  const CLOSED = ['404 not_found', '404 not_found', '404 not_found'];

  /** The rows and contents that are stored for the knowledge base. */
  const stored = async (kbId: string) => [
    await rows('documents', `kb_id = '${kbId}'`),
    await rows('passages', `kb_id = '${kbId}'`),
    await rows(
      'document_contents',
      `document_id IN (SELECT id FROM documents WHERE kb_id = '${kbId}')`,
    ),
  ];

  it('obey both the rule of the document now, and that when they were replaced', async () => {
    const { kbId, id } = await begin(1);
    await alice.call('PUT', `/kbs/${kbId}/members/bob`, { role: 'viewer' });
    const bob = new Client(service, 'bob');
    await put(kbId, text(2));
    expect(await read(id, 1, bob)).toEqual(OPEN);
    // A rule that comes later also closes the older ones.
    await setRule(id, ['group:staff']);
    expect(await read(id, 1, bob)).toEqual(CLOSED);
    expect(outcome(await bob.get(`/documents/${id}/versions`))).toBe('404 not_found');
    expect(await read(id, 1, alice)).toEqual(OPEN);
    // What was replaced under a rule is not opened with the document.
    await put(kbId, text(3));
    await setRule(id, null);
    expect(await read(id, 3, bob)).toEqual(OPEN);
    expect(await read(id, 1, bob)).toEqual(OPEN);
    expect(await read(id, 2, bob)).toEqual(CLOSED);
    expect(await numbers(id, bob)).toEqual([1]);
    expect(await numbers(id)).toEqual([2, 1]);
    const diff = `/documents/${id}/versions/1/diff?to=2`;
    expect(outcome(await bob.get(diff))).toBe('404 not_found');
    // Restoring it does not open it either.
    expect(outcome(await alice.post(`/documents/${id}/versions/2/restore`, {}))).toBe('202');
    expect(await read(id, 4, bob)).toEqual(CLOSED);
    expect(await read(id, 4, alice)).toEqual(OPEN);
    expect(outcome(await bob.get(`/documents/${id}`))).toBe('404 not_found');
  });

  it.each<[string, object, object, (kbId: string, set: string) => Promise<unknown>]>([
    [
      'a named set',
      { access_set: 'named' },
      {},
      (_, set) => alice.call('PATCH', `/access-sets/${set}`, { allow: ['everyone'] }),
    ],
    [
      'the default of the knowledge base',
      {},
      { default_access: 'closed' },
      (kbId) => alice.set(kbId, { default_access: 'members' }),
    ],
  ])('are not opened when %s is widened later', async (_, rule, settings, widen) => {
    const { kbId } = await begin(0, settings);
    await alice.call('PUT', `/kbs/${kbId}/members/bob`, { role: 'viewer' });
    const { body: set } = await alice.post<{ id: string }>(`/kbs/${kbId}/access-sets`, {
      ...{ name: 'staff', allow: ['group:staff'] },
    });
    const isNamed = 'access_set' in rule;
    const { id } = await put(kbId, text(1), isNamed ? { access_set: set.id } : {});
    await put(kbId, text(2), { access: { allow: ['everyone'] } });
    const bob = new Client(service, 'bob');
    expect(await read(id, 1, bob)).toEqual(CLOSED);
    await widen(kbId, set.id);
    expect(await read(id, 1, bob)).toEqual(CLOSED);
    expect(await numbers(id, bob)).toEqual([]);
    expect(await read(id, 1, alice)).toEqual(isNamed ? OPEN : CLOSED);
  });

  it('end so many days after they were replaced, with rows and bytes', async () => {
    const { kbId, id } = await begin(3);
    expect(await bytes(kbId)).toBe(3 * text(1).length);
    const old = databaseTime(-31 * DAY_MS);
    await sql(
      service.environment,
      `UPDATE documents SET replaced_at = ${old} WHERE version_of = '${id}' AND content_number = 1`,
    );
    await restart();
    await eventually(async () => (await numbers(id)).join() === '2');
    await eventually(async () => (await stored(kbId))[0] === 2);
    expect(await bytes(kbId)).toBe(2 * text(1).length);
    expect(outcome(await alice.get(`/documents/${id}/versions/1`))).toBe('404 not_found');
    await alice.set(kbId, { version_retention_days: 0 });
    await restart();
    await eventually(async () => (await stored(kbId))[0] === 1);
    expect(await bytes(kbId)).toBe(text(1).length);
    await eventually(
      async () =>
        (await rows(
          'stored_contents',
          `document_id IS NULL OR document_id NOT IN (SELECT id FROM documents)`,
        )) === 0,
    );
  });

  it('end when there are more than the limit, the oldest first', async () => {
    const { kbId, id } = await begin(5, { version_limit: 2 });
    expect(await numbers(id)).toEqual([4, 3]);
    expect(await bytes(kbId)).toBe(3 * text(1).length);
    await alice.set(kbId, { version_limit: 1 });
    await restart();
    await eventually(async () => (await numbers(id)).join() === '4');
  });

  it('count towards the limit of storage', async () => {
    const { kbId, id } = await begin(9);
    const body = { title: 'Rates', external_id: 'rates', on_duplicate: 'replace' };
    const replaced = (content: string) =>
      alice.post(`/kbs/${kbId}/documents`, { ...body, text: content });
    expect(outcome(await replaced(text(10)))).toBe('409 quota_reached');
    expect(outcome(await alice.post(`/documents/${id}/versions/1/restore`, {}))).toBe(
      '409 quota_reached',
    );
    await alice.set(kbId, { version_limit: 5 });
    expect(outcome(await replaced(text(10)))).toBe('202');
  });

  it('stay under a legal hold, whatever the settings say', async () => {
    const { kbId, id } = await begin(3);
    const old = databaseTime(-400 * DAY_MS);
    await sql(
      service.environment,
      `UPDATE documents SET replaced_at = ${old} WHERE version_of = '${id}'`,
    );
    const { id: other } = await begin(2);
    await sql(
      service.environment,
      `UPDATE documents SET replaced_at = ${old} WHERE version_of = '${other}'`,
    );
    await alice.set(kbId, { legal_hold: true, version_limit: 1 });
    await restart();
    await eventually(async () => (await numbers(other)).length === 0);
    expect(await numbers(id)).toEqual([2, 1]);
    expect(await read(id, 1, alice)).toEqual(OPEN);
    expect(outcome(await alice.post(`/documents/${id}/versions/1/restore`, {}))).toBe(
      '409 legal_hold',
    );
    expect(outcome(await alice.call('DELETE', `/documents/${id}`))).toBe('409 legal_hold');
    await alice.set(kbId, { legal_hold: false });
    await restart();
    await eventually(async () => (await numbers(id)).length === 0);
  });

  it('are deleted with the document, and with the knowledge base', async () => {
    for (const remove of ['document', 'knowledge base']) {
      const { kbId, id } = await begin(3);
      const path = remove === 'document' ? `/documents/${id}` : `/kbs/${kbId}`;
      expect(outcome(await alice.call('DELETE', path))).toBe('200');
      expect(await read(id, 1, alice)).toEqual(CLOSED);
      await eventually(async () => (await stored(kbId)).every((count) => count === 0));
      if (remove === 'document') expect(await bytes(kbId)).toBe(0);
      await eventually(
        async () =>
          (await rows(
            'stored_contents',
            `document_id IS NULL OR document_id NOT IN (SELECT id FROM documents)`,
          )) === 0,
      );
    }
  });

  it('are listed by pages and deleted, when there are ten thousand', async () => {
    const { kbId, id } = await begin(2);
    const columns = (
      await sql<Record<string, unknown>>(
        service.environment,
        `SELECT * FROM documents WHERE version_of = '${id}'`,
      )
    ).flatMap(Object.keys);
    const values = columns.map((name) =>
      name === 'id'
        ? `substr(id, 1, 23) || 'zz' || substr('00000' || n.i, -5)`
        : name === 'content_number'
          ? 'n.i'
          : name,
    );
    const sqlOnPostgres = values
      .join(', ')
      .replace(`substr('00000' || n.i, -5)`, `lpad(n.i::text, 5, '0')`);
    const isPostgres = service.environment['DATABASE_URL'] !== undefined;
    await sql(
      service.environment,
      `INSERT INTO documents (${columns.join(', ')})
       WITH RECURSIVE n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
       SELECT ${isPostgres ? sqlOnPostgres : values.join(', ')} FROM documents, n WHERE version_of = '${id}'`,
    );
    const page = await alice.get<Page<{ version: number }>>(`/documents/${id}/versions?limit=100`);
    expect([page.body.total, page.body.data[0]?.version]).toEqual([10_000, 10_001]);
    const next = await alice.get<Page<{ version: number }>>(
      `/documents/${id}/versions?limit=100&cursor=${page.body.next_cursor ?? ''}`,
    );
    expect(next.body.data[0]?.version).toBe(9901);
    expect(outcome(await alice.get(`/documents/${id}/versions/5000`))).toBe('200');
    // The limit applies a batch at a time; then the document goes with those that are left.
    await alice.set(kbId, { version_limit: 100 });
    await restart();
    await eventually(async () => (await numbers(id)).length > 0 && (await stored(kbId))[0] === 101);
    await alice.call('DELETE', `/documents/${id}`);
    await eventually(async () => (await stored(kbId))[0] === 0);
  });
});
