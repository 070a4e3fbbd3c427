import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AuditEvent,
  Client,
  created,
  type Document,
  outcome,
  type Page,
} from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { newUserId, sharedService } from '../support/shared-service.js';
import { SOURCE_FOLDERS, Sources, TestFolder } from '../support/sources.js';
import { onlyOn } from '../support/requirement.js';
import { databaseTime, hold, sql } from '../support/sql.js';

const ALICE = newUserId('alice');
/** Enough that an erasure is still at it when the hold comes. */
const CONVERSATIONS = 4000;
const TEXT = { title: 'Returns', text: 'Orders may be returned within 30 days.' };

/** Deliveries as a table that has the column of the others. */
const WITH_KB_ID = `(SELECT kb_id FROM webhook_deliveries
  JOIN webhooks ON webhooks.id = webhook_id) AS deliveries`;

const setHold = (client: Client, kbId: string, legal_hold: boolean) =>
  client.call('PATCH', `/kbs/${kbId}/settings`, { legal_hold });

describe('a knowledge base under legal hold', () => {
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    const service = await sharedService();
    alice = new Client(service, ALICE);
    partner = new Client(service);
  });

  beforeEach(async () => {
    ({ id: kbId } = await alice.createKnowledgeBase());
  });

  const actions = async () =>
    (await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events`)).body.data.map(
      ({ action }) => action,
    );

  it('deletes nothing, by whatever operation, until it is lifted', async () => {
    const document = await alice.addDocument(kbId, TEXT);
    const ingested = await alice.addDocument(kbId, {
      ...{ title: 'B', text: 'Parcels leave on Monday.', external_id: 'parcels' },
    });
    const { api_key: secret } = await alice.createApiKey(kbId, {
      scopes: ['query', 'chat', 'documents:read', 'documents:write'],
    });
    const answer = await partner.chat(secret, 'May orders be returned?', { end_user_id: 'bob' });
    const evaluation = await alice.createEvaluation(kbId);
    const bearer = { authorization: `Bearer ${secret}` };
    const deletions = [
      () => alice.call('DELETE', `/documents/${document.id}`),
      () => partner.call('DELETE', '/ingest/documents/parcels', undefined, bearer),
      () => alice.call('DELETE', `/conversations/${answer.body.conversation_id}`),
      () => alice.call('DELETE', `/kbs/${kbId}/conversations?end_user_id=bob`),
      () => alice.call('DELETE', `/evaluations/${evaluation.id}`),
      () => alice.call('DELETE', `/kbs/${kbId}`),
    ];
    await setHold(alice, kbId, true);
    const before = await actions();
    for (const remove of deletions) expect(outcome(await remove())).toBe('409 legal_hold');
    expect(await actions()).toEqual(before);
    for (const { id } of [document, ingested]) {
      expect((await alice.get(`/documents/${id}`)).status).toBe(200);
    }
    expect(await alice.messages(answer.body.conversation_id)).toHaveLength(2);

    await setHold(alice, kbId, false);
    for (const remove of deletions) expect((await remove()).status).toBe(200);
  });

  it('takes new documents, and replaces the content of none', async () => {
    await alice.addDocument(kbId, { ...TEXT, external_id: 'returns' });
    await setHold(alice, kbId, true);
    const add = (body: object) => alice.post<Document>(`/kbs/${kbId}/documents`, body);
    const replacement = { ...TEXT, external_id: 'returns', on_duplicate: 'replace' };
    const other = { ...replacement, text: 'Orders may be returned within 3 days.' };
    expect(outcome(await add(other))).toBe('409 legal_hold');
    expect((await add({ ...replacement, metadata: { team: 'shop' } })).status).toBe(202);
    expect((await add({ title: 'New', text: 'Parcels leave on Monday.' })).status).toBe(202);
    await setHold(alice, kbId, false);
    expect((await add(other)).status).toBe(202);
  });

  it('keeps titles and metadata of documents, access sets and webhooks, by every door', async () => {
    const metadata = { team: 'shop' };
    const document = await alice.addDocument(kbId, { ...TEXT, external_id: 'returns', metadata });
    const set = created(
      await alice.post<{ id: string }>(`/kbs/${kbId}/access-sets`, {
        name: 'A',
        allow: ['everyone'],
      }),
      201,
    );
    const hook = { url: 'https://hooks.example.com', events: ['document.ready'] };
    const webhook = created(await alice.post<{ id: string }>(`/kbs/${kbId}/webhooks`, hook), 201);
    const key = await alice.createApiKey(kbId, { scopes: ['documents:read', 'documents:write'] });
    const bearer = { authorization: `Bearer ${key.api_key}` };
    const edit = (body: object) => alice.call('PATCH', `/documents/${document.id}`, body);
    const ingest = (body: object) =>
      partner.call('PUT', '/ingest/documents/returns', { ...TEXT, metadata, ...body }, bearer);
    const replace = (body: object) =>
      alice.post(`/kbs/${kbId}/documents`, {
        ...{ ...TEXT, external_id: 'returns', on_duplicate: 'replace', metadata, ...body },
      });
    const losses = [
      () => edit({ title: 'Refunds' }),
      () => edit({ metadata: {} }),
      () => edit({ metadata: { team: 'legal' } }),
      () => edit({ external_id: 'refunds' }),
      () => ingest({ title: 'Refunds' }),
      () => ingest({ metadata: { team: 'legal' } }),
      () => replace({ title: 'Refunds' }),
      () => replace({ metadata: {} }),
    ];
    const deletions = [
      () => alice.call('DELETE', `/access-sets/${set.id}`),
      () => alice.call('DELETE', `/webhooks/${webhook.id}`),
    ];
    await setHold(alice, kbId, true);
    const before = (await alice.get<Document>(`/documents/${document.id}`)).body;
    const told = await actions();
    for (const lose of [...losses, ...deletions]) {
      expect(outcome(await lose())).toBe('409 legal_hold');
    }
    expect((await alice.get(`/documents/${document.id}`)).body).toEqual(before);
    expect(await actions()).toEqual(told);
    for (const path of [`/access-sets`, `/webhooks`]) {
      expect((await alice.get<Page<object>>(`/kbs/${kbId}${path}`)).body.data).toHaveLength(1);
    }
    // What takes nothing away is done, as is what says who may read it.
    const access = { allow: ['user:anna'] };
    expect(outcome(await edit({ title: TEXT.title, source_url: 'https://example.com/' }))).toBe(
      '200',
    );
    expect(outcome(await edit({ metadata: { ...metadata, year: 2026 }, access }))).toBe('200');
    const paused = { state: 'deactivated' };
    expect(outcome(await alice.call('PATCH', `/webhooks/${webhook.id}`, paused))).toBe('200');
    await setHold(alice, kbId, false);
    for (const lose of [...losses, ...deletions]) expect((await lose()).status).toBeLessThan(300);
  });

  it('has the text of no curated answer and no comment overwritten', async () => {
    const wording = { questions: ['May orders be returned?'], answer: 'Within 30 days.' };
    const curated = created(
      await alice.post<{ id: string }>(`/kbs/${kbId}/curated-answers`, wording),
      201,
    );
    const change = async (body: object) =>
      outcome(await alice.call('PATCH', `/curated-answers/${curated.id}`, body));
    const { api_key: secret } = await alice.createApiKey(kbId);
    const rate = async (messageId: string, rating: string | null, comment: string | null) =>
      outcome(
        await partner.post(`/messages/${messageId}/feedback`, { api_key: secret, rating, comment }),
      );
    const [one, two] = await Promise.all(
      ['Returns?', 'Parcels?'].map(async (question) => {
        const answer = await partner.chat(secret, question);
        return answer.body.message_id;
      }),
    );
    if (one === undefined || two === undefined) throw new Error('no answers');
    expect(await rate(one, 'up', 'Thanks')).toBe('200');
    await setHold(alice, kbId, true);
    expect(await change({ answer: 'Within 3 days.' })).toBe('409 legal_hold');
    expect(await change({ questions: ['Returns?'] })).toBe('409 legal_hold');
    expect(await change({ ...wording, review_at: '2030-01-01T00:00:00Z' })).toBe('200');
    expect(await rate(one, 'up', 'No thanks')).toBe('409 legal_hold');
    expect(await rate(one, 'up', null)).toBe('409 legal_hold');
    expect(await rate(one, null, null)).toBe('409 legal_hold');
    expect(await rate(one, 'down', 'Thanks')).toBe('200');
    expect(await rate(two, 'up', null)).toBe('200');
    expect(await rate(two, 'down', 'Too short')).toBe('200');
    await setHold(alice, kbId, false);
    expect(await change({ answer: 'Within 3 days.' })).toBe('200');
    expect(await rate(one, null, null)).toBe('200');
  });

  it('is put under it and released by owners alone; both are recorded', async () => {
    const bob = new Client(await sharedService(), newUserId('bob'));
    const carolId = newUserId('carol');
    const carol = new Client(await sharedService(), carolId);
    await alice.call('PUT', `/kbs/${kbId}/members/${carolId}`, { role: 'member' });
    expect(outcome(await setHold(bob, kbId, true))).toBe('404 not_found');
    expect(outcome(await setHold(carol, kbId, true))).toBe('403 owner_required');
    expect((await carol.call('PATCH', `/kbs/${kbId}/settings`, { top_k: 4 })).status).toBe(200);
    await setHold(alice, kbId, true);
    await setHold(alice, kbId, true);
    const lifted = { legal_hold: null };
    const refused = await carol.call('PATCH', `/kbs/${kbId}/settings`, lifted);
    expect(outcome(refused)).toBe('403 owner_required');
    await alice.call('PATCH', `/kbs/${kbId}/settings`, lifted);
    const told = (await actions()).filter((action) => action.startsWith('legal_hold.'));
    expect(told).toEqual(['legal_hold.lifted', 'legal_hold.set']);
  });

  it('still revokes and deletes keys, whose rows stay', async () => {
    const key = await alice.createApiKey(kbId);
    await setHold(alice, kbId, true);
    expect((await alice.call('DELETE', `/api-keys/${key.id}`)).status).toBe(200);
    expect(outcome(await partner.query(key.api_key, 'Returns?'))).toBe('401 invalid_api_key');
  });
});

describe('under legal hold, on a service of its own', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  let service: Service;
  let alice: Client;
  let partner: Client;

  const start = async (environment: NodeJS.ProcessEnv) => {
    service = await Service.start({ SOURCE_FOLDERS, ...environment });
    alice = new Client(service, ALICE);
    partner = new Client(service);
  };
  beforeAll(() => start({}));
  afterAll(() => service.stop());

  /** Two alike, of which the first is under hold. */
  async function twoKnowledgeBases() {
    const held = (await alice.createKnowledgeBase()).id;
    const free = (await alice.createKnowledgeBase()).id;
    await setHold(alice, held, true);
    return [held, free] as const;
  }

  const countOf = async (table: string, kbId: string, condition = '1 = 1') => {
    const [row] = await sql<{ count: number | string }>(
      service.environment,
      `SELECT COUNT(*) AS count FROM ${table} WHERE kb_id = '${kbId}' AND ${condition}`,
    );
    return Number(row?.count);
  };

  it('a source brings new documents; what is gone or changed there stays', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const sources = new Sources(alice, kbId);
    const folder = new TestFolder();
    // More than a tenth that is gone needs a confirmation.
    for (let index = 0; index < 12; index++) folder.write(`${index}.md`, `# Page ${index}`);
    const source = await sources.connect('folder', { path: folder.path });
    await sources.run(source.id);
    await setHold(alice, kbId, true);
    folder.remove('0.md');
    folder.write('1.md', '# Another page');
    folder.write('new.md', '# New page');
    const run = await sources.run(source.id);
    expect(run.counts).toEqual({ added: 1, changed: 0, deleted: 0, unchanged: 10, failed: 1 });
    expect(run.errors.map(({ key, code }) => [key, code])).toEqual([
      [null, 'legal_hold'],
      ['1.md', 'legal_hold'],
    ]);
    const deleted = await alice.call('DELETE', `/sources/${source.id}`);
    expect(outcome(deleted)).toBe('409 legal_hold');
    await setHold(alice, kbId, false);
    const { counts } = await sources.run(source.id);
    expect(counts).toEqual({ added: 0, changed: 1, deleted: 1, unchanged: 11, failed: 0 });
  });

  it('retention and purges leave everything, until it is lifted', async () => {
    const kbIds = await twoKnowledgeBases();
    const [held, free] = kbIds;
    const old = databaseTime(-40 * DAY_MS);
    const ids: string[] = [];
    for (const kbId of kbIds) {
      await alice.call('PATCH', `/kbs/${kbId}/settings`, { retention_days: 7 });
      ids.push((await alice.addDocument(kbId, TEXT)).id);
      const { api_key: secret } = await alice.createApiKey(kbId);
      await partner.chat(secret, 'May orders be returned?', { end_user_id: 'bob' });
    }
    await eventually(async () => (await countOf('usage_members', held, `kind = 'address'`)) > 0);
    await service.stop();
    await sql(service.environment, `UPDATE conversations SET updated_at = ${old}`);
    await sql(service.environment, `UPDATE usage_members SET quarter = quarter - ${96 * 40}`);
    // As they are between a deletion and its purge.
    const deleted = ids.map((id) => `'${id}'`).join(', ');
    await sql(
      service.environment,
      `UPDATE documents SET state = 'deactivated' WHERE id IN (${deleted})`,
    );
    await start(service.environment);
    const left = async (kbId: string) => [
      await countOf('conversations', kbId),
      await countOf('documents', kbId),
      await countOf('usage_members', kbId, `kind = 'address'`),
      await countOf('usage_members', kbId, `kind = 'end_user' AND member NOT LIKE '-%'`),
    ];
    await eventually(async () => (await left(free)).every((count) => count === 0));
    expect(await left(held)).toEqual([1, 1, 1, 1]);

    await setHold(alice, held, false);
    await service.stop();
    await start(service.environment);
    await eventually(async () => (await left(held)).every((count) => count === 0));
  });

  it.each<[string, (kbId: string, n: string) => Promise<string>]>([
    [
      'usage_members',
      (kbId, n) =>
        Promise.resolve(
          `INSERT INTO usage_members (kb_id, kind, quarter, environment, api_key_id, member, requests)
           ${n} SELECT '${kbId}', 'address', 1, 'live', 'key_none', i, 1 FROM n`,
        ),
    ],
    [
      'passages',
      async (kbId, n) => {
        const { id } = await alice.addDocument(kbId, TEXT);
        await sql(
          service.environment,
          `UPDATE documents SET state = 'deactivated' WHERE id = '${id}'`,
        );
        return `INSERT INTO passages (id, kb_id, document_id, version, position, text)
          ${n} SELECT '${kbId}' || i, '${kbId}', '${id}', 1, i, 'x' FROM n`;
      },
    ],
    [
      'webhook_deliveries',
      async (kbId, n) => {
        const webhook = { url: 'https://hooks.example.com', events: ['document.ready'] };
        const { id } = created(
          await alice.post<{ id: string }>(`/kbs/${kbId}/webhooks`, webhook),
          201,
        );
        await sql(service.environment, `UPDATE webhooks SET state = 'deleted' WHERE id = '${id}'`);
        return `INSERT INTO webhook_deliveries (id, webhook_id, event, body, state, attempts, created_at)
          ${n} SELECT '${kbId}' || i, '${id}', 'document.ready', '{}', 'failed', 1, ${databaseTime()} FROM n`;
      },
    ],
  ])('a job that began before it removes no more of %s', async (table, insertion) => {
    const rows = table === 'webhook_deliveries' ? WITH_KB_ID : table;
    const left = (kbId: string) => countOf(rows, kbId);
    // A quick machine may have removed all of them when the hold comes: then ten times as many.
    for (let count = 20_000; ; count *= 10) {
      const held = (await alice.createKnowledgeBase()).id;
      const free = (await alice.createKnowledgeBase()).id;
      const insertions: string[] = [];
      for (const [kbId, i] of [[held, count] as const, [free, 10] as const]) {
        const n = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${i})`;
        insertions.push(await insertion(kbId, n));
      }
      await service.stop();
      for (const text of insertions) await sql(service.environment, text);
      await start(service.environment);
      await eventually(async () => (await left(held)) < count);
      expect((await setHold(alice, held, true)).status).toBe(200);
      const then = await left(held);
      if (then === 0 && count < 2_000_000) continue;
      expect(then).toBeGreaterThan(0);
      await eventually(async () => (await left(free)) === 0);
      expect(await left(held)).toBe(then);
      return;
    }
  });

  onlyOn('postgres').it('the batch of a job ends before the hold is answered', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const { environment } = service;
    await service.stop();
    await sql(
      environment,
      `INSERT INTO usage_members (kb_id, kind, quarter, environment, api_key_id, member, requests)
       SELECT '${kbId}', 'address', 1, 'live', 'key_none', i, 1 FROM generate_series(1, 10) i`,
    );
    const mine = `FROM usage_members WHERE kb_id = '${kbId}'`;
    const release = await hold(environment, `SELECT 1 ${mine} AND member = '5' FOR UPDATE`);
    await start(environment);
    const statements = (where: string) =>
      sql<object>(
        environment,
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND state = 'active' AND pid <> pg_backend_pid() AND ${where}`,
      );
    const deletion = `query LIKE 'DELETE%usage_members%'`;
    const lock = `wait_event_type = 'Lock'`;
    await eventually(async () => (await statements(`${deletion} AND ${lock}`)).length > 0);
    const left: number[] = [];
    const setting = setHold(alice, kbId, true).then(async ({ status }) => {
      expect(status).toBe(200);
      left.push(await countOf('usage_members', kbId));
    });
    await eventually(
      async () =>
        left.length > 0 || (await statements(`query LIKE '%advisory%' AND ${lock}`)).length > 0,
    );
    await release();
    await setting;
    await eventually(async () => (await statements(deletion)).length === 0);
    expect([left, await countOf('usage_members', kbId)]).toEqual([[0], 0]);
  });

  it('an erasure that runs in another process stops before the hold is answered', async () => {
    const other = await Service.start(service.environment);
    try {
      const { id: kbId } = await alice.createKnowledgeBase();
      const begin = async () => {
        await sql(
          service.environment,
          `INSERT INTO conversations (id, kb_id, api_key_id, environment, end_user_id, created_at, updated_at)
           WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CONVERSATIONS})
           SELECT 'conv_' || '${kbId}' || i, '${kbId}', 'key_none', 'live', 'bob', ${databaseTime()}, ${databaseTime()} FROM n`,
        );
        const path = `/kbs/${kbId}/conversations?end_user_id=bob`;
        const erasure = new Client(other, ALICE).call('DELETE', path);
        await eventually(async () => (await countOf('conversations', kbId)) < CONVERSATIONS);
        expect((await setHold(alice, kbId, true)).status).toBe(200);
        const left = await countOf('conversations', kbId);
        return { left, erased: outcome(await erasure) };
      };
      let { left, erased } = await begin();
      // Again where it was done before the hold.
      while (left === 0) {
        expect((await setHold(alice, kbId, false)).status).toBe(200);
        ({ left, erased } = await begin());
      }
      expect(erased).toBe('409 legal_hold');
      expect(await countOf('conversations', kbId)).toBe(left);
    } finally {
      await other.stop();
    }
  });
});
