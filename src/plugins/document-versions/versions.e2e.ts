import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditEvent } from '../../../test/support/answers.js';
import { Client, type Document, outcome, type Page } from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import { eventually } from '../../../test/support/service.js';
import type { SharedService } from '../../../test/support/shared-service.js';
import { newUserId } from '../../../test/support/shared-service.js';
import { sql } from '../../../test/support/sql.js';

interface Passage {
  id: string;
  document_id: string;
  text: string;
}
interface Version {
  version: number;
  current: boolean;
  title: string;
  passages: number;
  replaced_by: string | null;
  original: string;
}
interface Source {
  chunk_id: string;
  document_id: string;
  document_version: number;
  snippet: string;
}
interface Diff {
  changes: { kind: string; before: Passage | null; after: Passage | null }[];
}

const rate = (year: number) => `The monthly rate is ${60 + year} euros in year ${year}.`;
const QUESTION = 'What is the monthly rate?';

describe('the versions of a document', () => {
  let service: SharedService;
  let userId: string;
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    ({ service, userId, alice, partner } = await furnish());
  });

  const begin = async (settings: object = { version_retention_days: 30 }) => {
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.set(kbId, settings);
    return kbId;
  };

  /** Adds the document, or replaces its content. */
  const put = async (kbId: string, text: string, more: object = {}) => {
    const body = { title: 'Rates', external_id: 'rates', on_duplicate: 'replace', text, ...more };
    return alice.addDocument(kbId, body);
  };
  const list = async (id: string) =>
    (await alice.get<Page<Version>>(`/documents/${id}/versions`)).body.data;
  const get = (id: string, version: number | string, query = '') =>
    alice.get<Version & Page<Passage>>(`/documents/${id}/versions/${version}${query}`);
  const original = (id: string, version: number) =>
    alice.get(`/documents/${id}/versions/${version}/original`);
  const restore = (id: string, version: number, by = alice) =>
    by.post<Document & { version: number }>(`/documents/${id}/versions/${version}/restore`, {});

  it('are not kept unless the settings say so, and counted all the same', async () => {
    const kbId = await begin({});
    const { id } = await put(kbId, rate(1));
    await put(kbId, rate(2));
    expect(await list(id)).toEqual([]);
    expect(outcome(await get(id, 1))).toBe('404 not_found');
    expect((await get(id, 2)).body).toMatchObject({ current: true, replaced_at: null });
    expect((await alice.get<object>(`/documents/${id}`)).body).toMatchObject({ version: 2 });
  });

  it('keep the content, its metadata and its passages, by whatever is replaced', async () => {
    const kbId = await begin();
    const { id } = await put(kbId, rate(1), { metadata: { year: 1 }, title: 'Rates of year 1' });
    await put(kbId, rate(2));
    const { api_key: key } = await alice.createApiKey(kbId, { scopes: ['documents:write'] });
    const bearer = { authorization: `Bearer ${key}` };
    const body = { title: 'Rates', text: rate(3) };
    await partner.call('PUT', '/ingest/documents/rates', body, bearer);
    await alice.readDocument(id);
    const versions = await list(id);
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(versions[1]).toMatchObject({
      ...{ title: 'Rates of year 1', metadata: { year: 1 }, current: false, passages: 1 },
      ...{ replaced_by: userId, size_bytes: rate(1).length },
    });
    expect(versions[0]?.replaced_by).toMatch(/^key_/);
    const first = await get(id, 1);
    expect(first.body.data).toMatchObject([{ document_id: id, text: rate(1) }]);
    const opened = await original(id, 1);
    expect(opened.text).toBe(rate(1));
    expect(opened.headers.get('content-disposition')).toMatch(/^attachment; filename="Rates/);
    expect((await original(id, 3)).text).toBe(rate(3));
    // The same content is no version.
    await put(kbId, rate(3), { title: 'Rates again' });
    expect((await list(id)).length).toBe(2);
  });

  it('open a stored answer at the text that it cited, after five replacements', async () => {
    const kbId = await begin();
    const { api_key: key } = await alice.createApiKey(kbId);
    const { id } = await put(kbId, rate(1));
    const asked: { conversation: string; year: number }[] = [];
    for (let year = 1; year <= 6; year++) {
      if (year > 1) await put(kbId, rate(year));
      const { body } = await partner.chat(key, QUESTION);
      expect(body.answer).toContain(`${60 + year} euros`);
      asked.push({ conversation: body.conversation_id, year });
    }
    // As soon as they are not searched, the passages belong to their versions.
    await eventually(async () => {
      const [row] = await sql<{ count: number | string }>(
        service.environment,
        `SELECT COUNT(*) AS count FROM passages WHERE document_id = '${id}'`,
      );
      return Number(row?.count) === 1;
    });
    for (const { conversation, year } of asked) {
      const messages = (await alice.messages(conversation)) as unknown as { sources?: Source[] }[];
      const source = messages.flatMap(({ sources = [] }) => sources)[0];
      if (!source) throw new Error('The answer has no source');
      expect(source).toMatchObject({ document_id: id, document_version: year });
      const { body } = await get(id, source.document_version, `?around=${source.chunk_id}`);
      expect(body.data).toMatchObject([{ id: source.chunk_id, text: rate(year) }]);
      expect(body.data[0]?.text).toContain(source.snippet);
    }
  });

  it('are compared passage by passage', async () => {
    const kbId = await begin({ version_retention_days: 30, chunk_size: 20, chunk_overlap: 0 });
    const words = (topic: string) =>
      Array.from({ length: 16 }, (_, word) => `${topic}${word}`).join(' ');
    const text = (...topics: string[]) =>
      topics.map((topic) => `# ${topic.split(' ')[0] ?? ''}\n\n${words(topic)}.`).join('\n\n');
    const markdown = { mime_type: 'text/markdown' };
    const { id } = await put(kbId, text('alpha', 'beta', 'gamma'), markdown);
    await put(
      kbId,
      `${text('alpha')}\n\n${text('beta').replace('beta3', 'changed')}\n\n${text('delta')}`,
      markdown,
    );
    const { body } = await alice.get<Diff>(`/documents/${id}/versions/1/diff?to=2`);
    expect(body).toMatchObject({
      ...{ from: 1, to: 2, added: 1, removed: 1, changed: 1, unchanged: 1, truncated: false },
    });
    expect(body.changes.map(({ kind }) => kind).sort()).toEqual(['added', 'changed', 'removed']);
    const changed = body.changes.find(({ kind }) => kind === 'changed');
    expect(changed?.before?.text).toContain('beta3');
    expect(changed?.after?.text).toContain('changed');
    const same = await alice.get<object>(`/documents/${id}/versions/2/diff`);
    expect(same.body).toMatchObject({ added: 0, removed: 0, changed: 0, changes: [] });
    expect(outcome(await alice.get(`/documents/${id}/versions/1/diff?to=9`))).toBe('404 not_found');
  });

  it('are restored as a new version, which can be undone, and recorded', async () => {
    const kbId = await begin();
    const { api_key: key } = await alice.createApiKey(kbId);
    const { id } = await put(kbId, rate(1), { metadata: { year: 1 } });
    await put(kbId, rate(2), { metadata: { year: 2 }, title: 'Rates of year 2' });
    const restored = await restore(id, 1);
    expect(outcome(restored)).toBe('202');
    expect(restored.body).toMatchObject({ version: 3, title: 'Rates', metadata: { year: 1 } });
    await alice.readDocument(id);
    expect((await partner.chat(key, QUESTION)).body.answer).toContain('61 euros');
    expect((await list(id)).map(({ version, title }) => [version, title])).toEqual([
      [2, 'Rates of year 2'],
      [1, 'Rates'],
    ]);
    const { body } = await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events`);
    expect(body.data[0]).toMatchObject({
      ...{ action: 'document.restored', target_id: id, details: { version: 1 } },
    });
    expect((await restore(id, 2)).body).toMatchObject({ version: 4, metadata: { year: 2 } });
    // The current one is left as it is.
    expect((await restore(id, 4)).body).toMatchObject({ version: 4 });
    expect(outcome(await restore(id, 99))).toBe('404 not_found');
  });

  it('are restored while the document is indexed, and then searched', async () => {
    const kbId = await begin();
    const { api_key: key } = await alice.createApiKey(kbId);
    const { id } = await put(kbId, rate(1));
    const replaced = { title: 'Rates', external_id: 'rates', on_duplicate: 'replace' };
    for (let round = 2; round < 6; round++) {
      const [{ status }, second] = await Promise.all([
        alice.post(`/kbs/${kbId}/documents`, { ...replaced, text: rate(round) }),
        restore(id, 1),
      ]);
      expect([status, [202, 404].includes(second.status)]).toEqual([202, true]);
    }
    const last = await restore(id, 1);
    expect(last.status).toBe(202);
    await alice.readDocument(id);
    const { body } = await partner.chat(key, QUESTION);
    const current = (await get(id, last.body.version)).body.data[0]?.text ?? '';
    expect(body.answer).toContain(/\d+ euros/.exec(current)?.[0]);
    expect(current).toBe(rate(1));
    // Those that were replaced before they were indexed have no passages, but their originals.
    for (const { version, passages } of await list(id)) {
      expect((await get(id, version)).body.data.length).toBe(passages);
      expect((await original(id, version)).status).toBe(200);
    }
  });

  it('whose original is gone are not restored, and say why', async () => {
    const kbId = await begin();
    const { id } = await put(kbId, rate(1));
    await put(kbId, rate(2));
    await sql(
      service.environment,
      `DELETE FROM document_contents WHERE document_id IN
         (SELECT id FROM documents WHERE version_of = '${id}')`,
    );
    const refused = await restore(id, 1);
    expect(outcome(refused)).toBe('404 content_not_found');
    expect((refused.body as unknown as { detail: string }).detail).toBe(
      'The original of this version is no longer stored, so it cannot be restored.',
    );
    expect(outcome(await original(id, 1))).toBe('404 content_not_found');
    expect((await get(id, 1)).body.data[0]?.text).toBe(rate(1));
    expect((await alice.get<object>(`/documents/${id}`)).body).toMatchObject({ version: 2 });
  });

  it.each(['0', '-1', '1.5', 'x', '%00', '99999999999', '2147483648', 'original'])(
    'do not exist by the number %s',
    async (number) => {
      const kbId = await begin();
      const { id } = await put(kbId, rate(1));
      expect(outcome(await get(id, number))).toBe('404 not_found');
    },
  );

  it('are restored by members alone', async () => {
    const kbId = await begin();
    const { id } = await put(kbId, rate(1));
    await put(kbId, rate(2));
    const viewer = newUserId('viewer');
    await alice.call('PUT', `/kbs/${kbId}/members/${viewer}`, { role: 'viewer' });
    const victor = new Client(service, viewer);
    expect(outcome(await victor.get(`/documents/${id}/versions/1`))).toBe('200');
    expect(outcome(await restore(id, 1, victor))).toBe('403 insufficient_role');
  });
});
