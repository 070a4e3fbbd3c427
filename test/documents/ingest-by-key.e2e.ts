import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  atOnce,
  Client,
  type Document,
  type IssuedApiKey,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

type Stored = Document & {
  external_id: string;
  sha256: string;
  updated_at: string;
  mime_type: string;
  metadata: object;
  source_url: string | null;
};
const RETURNS = { title: 'Returns', text: 'Customers may return an order within 30 days.' };

describe('documents by key', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let key: IssuedApiKey;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    key = await alice.createApiKey(kbId, {
      scopes: ['query', 'documents:read', 'documents:write'],
    });
  });

  const call = (
    method: string,
    path: string,
    body?: unknown,
    { api_key }: Pick<IssuedApiKey, 'api_key'> = key,
  ): Promise<Answer<Stored>> =>
    partner.call<Stored>(method, `/ingest/documents${path}`, body, {
      authorization: `Bearer ${api_key}`,
    });
  const put = (id: string, body: unknown, by?: IssuedApiKey) =>
    call('PUT', `/${encodeURIComponent(id)}`, body, by);
  const get = (id: string, by?: IssuedApiKey) =>
    call('GET', `/${encodeURIComponent(id)}`, undefined, by);
  const ready = async (id: string): Promise<Stored> => {
    await eventually(async () => (await get(id)).body.status === 'ready');
    return (await get(id)).body;
  };
  const upload = (id: string, file: Blob, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', file, 'returns.md');
    return fetch(`${service.url}/api/v1/ingest/documents/${encodeURIComponent(id)}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key.api_key}` },
      body: form,
    });
  };

  it('are read in the encoding of the media type, or of the field `charset`', async () => {
    const bytes = Buffer.from('Imi\xea;Miasto\n\xa3ukasz;\xa3\xf3d\x9f\n', 'latin1');
    const passages = async (id: string) => {
      const { id: documentId } = await ready(id);
      const { body } = await alice.get<Page<{ text: string }>>(`/documents/${documentId}/chunks`);
      return body.data.map(({ text }) => text).join();
    };
    await upload('names', new Blob([bytes], { type: 'text/csv; charset=windows-1252' }));
    expect(await passages('names')).toContain('£ukasz');
    await upload('names', new Blob([bytes], { type: 'text/csv' }), { charset: 'windows-1250' });
    await eventually(async () => (await passages('names')).includes('Łukasz'));
    const unknown = new Blob([bytes], { type: 'text/csv; charset=klingon' });
    expect((await upload('names', unknown)).status).toBe(400);
  });

  it('are accepted, found, and listed in the dashboard', async () => {
    const { status, body } = await put('policies/returns', RETURNS);
    expect(status).toBe(202);
    expect(body).toMatchObject({ kb_id: kbId, external_id: 'policies/returns', title: 'Returns' });
    const { id } = await ready('policies/returns');
    expect((await partner.query(key.api_key, 'return an order')).body.results[0]).toMatchObject({
      document_id: id,
      external_id: 'policies/returns',
    });
    expect((await alice.get<Document>(`/documents/${id}`)).body).toMatchObject({ id });
    const { body: audit } = await alice.get<Page<{ actor: string }>>(
      `/kbs/${kbId}/audit-events?action=document.added`,
    );
    expect(audit.data[0]).toMatchObject({ actor: key.id, target_id: id });
  });

  it('change nothing if the same is sent again: 200', async () => {
    await put('same', { ...RETURNS, text: 'The same.', metadata: { a: 1, b: [2] } });
    const before = await ready('same');
    const again = { ...RETURNS, text: 'The same.', metadata: { b: [2], a: 1 } };
    const { status, body } = await put('same', again);
    // Who may change it is told its rule, too.
    expect([status, body]).toEqual([200, { ...before, access: null, access_set: null }]);
  });

  it('are changed by new content and by new fields: 202', async () => {
    const first = (await put('changing', { ...RETURNS, text: 'Within 40 days.' })).body;
    await ready('changing');
    const changes: (typeof RETURNS & Partial<Stored>)[] = [
      { ...RETURNS, text: 'Within fortyfive days.' },
      { ...RETURNS, text: 'Within fortyfive days.', metadata: { year: 2026 } },
      { ...RETURNS, text: 'Within fortyfive days.', metadata: { year: 2026 }, title: 'Retours' },
      { ...RETURNS, text: 'Within fortyfive days.', mime_type: 'text/markdown' },
      { ...RETURNS, text: 'Within fortyfive days.', source_url: 'https://example.com/x' },
      { ...RETURNS, text: 'Within fortyfive days.' },
    ];
    for (const change of changes) {
      const { status, body } = await put('changing', change);
      expect([status, body.id]).toEqual([202, first.id]);
      const stored = await ready('changing');
      expect(stored).toMatchObject({
        title: change.title,
        metadata: change.metadata ?? {},
        source_url: change.source_url ?? null,
        mime_type: change.mime_type ?? 'text/plain',
      });
    }
    const { body } = await partner.query(key.api_key, 'fortyfive');
    expect(body.results.map(({ document_id }) => document_id)).toContain(first.id);
  });

  it('are indexed again in another language if that changes', async () => {
    type Described = Stored & { language: string; status: string };
    const text =
      'Kunden können jede Bestellung innerhalb von dreißig Tagen nach der Lieferung zurückgeben.';
    const german = { ...RETURNS, text };
    await put('language', german);
    expect(await ready('language')).toMatchObject({ language: 'de' });
    for (const [language, shown] of [
      ['nl', 'nl'],
      [undefined, 'de'],
    ]) {
      const upload = { ...german, ...(language && { language }) };
      const { status, body } = await put('language', upload);
      expect([status, (body as Described).status]).toEqual([202, 'pending']);
      expect(await ready('language')).toMatchObject({ language: shown });
      expect((await put('language', upload)).status).toBe(200);
    }
  });

  it('are accepted with content that another document has', async () => {
    const text = 'The content of two documents.';
    const [one, two] = [
      await put('one', { title: 'One', text }),
      await put('two', { title: 'Two', text }),
    ];
    expect([one.status, two.status, one.body.id === two.body.id]).toEqual([202, 202, false]);
  });

  it('are accepted as files too, with fields in any order', async () => {
    const file = new Blob(['# Returns\n\nWithin sixty days.']);
    expect((await upload('file', file, { metadata: '{"year":2026}' })).status).toBe(202);
    const stored = await ready('file');
    expect(stored).toMatchObject({
      title: 'returns.md',
      mime_type: 'text/markdown',
      metadata: { year: 2026 },
    });
    expect((await upload('file', file, { metadata: '{"year":2026}' })).status).toBe(200);
    expect((await upload('file', file, { external_id: 'x' })).status).toBe(400);
  });

  it.each(['a/b/c', 'ä ö', '知识库', '%', '..%2F', '?x=1#y', '😀'.repeat(255)])(
    'accept %j as an id',
    async (id) => {
      expect(outcome(await put(id, { title: 'Id', text: `About ${id}` }))).toBe('202');
      expect((await get(id)).body.external_id).toBe(id);
      expect(outcome(await call('DELETE', `/${encodeURIComponent(id)}`))).toBe('200');
    },
  );

  it.each([
    ['an id of 256 characters', 'x'.repeat(256), RETURNS],
    ['NUL in the id', 'a\0b', RETURNS],
    ['external_id in the body', 'x', { ...RETURNS, external_id: 'x' }],
    ['on_duplicate in the body', 'x', { ...RETURNS, on_duplicate: 'skip' }],
    ['a field that every object has', 'x', { ...RETURNS, toString: 1 }],
    ['api_key in the body', 'x', { ...RETURNS, api_key: 'x' }],
    ['no title', 'x', { text: 'x' }],
    ['no body', 'x', undefined],
  ])('are refused: %s', async (_, id, body) => {
    expect(outcome(await put(id, body))).toBe('400 validation_failed');
    expect(outcome(await get('x'))).toBe('404 not_found');
  });

  it.each(['%zz', '%', '%C0%80'])('are not found at the path %s', async (path) => {
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const body = method === 'PUT' ? RETURNS : undefined;
      expect(outcome(await call(method, `/${path}`, body))).toBe('404 not_found');
    }
  });

  it('are deleted once', async () => {
    await put('gone', { ...RETURNS, text: 'Soon gone.' });
    expect((await call('DELETE', '/gone')).body).toEqual({ success: true });
    expect(outcome(await call('DELETE', '/gone'))).toBe('404 not_found');
    expect(outcome(await get('gone'))).toBe('404 not_found');
    expect(outcome(await put('gone', { ...RETURNS, text: 'Back again.' }))).toBe('202');
  });

  it('are listed by page and status', async () => {
    const { id } = await alice.createKnowledgeBase();
    const own = await alice.createApiKey(id, { scopes: ['documents:read', 'documents:write'] });
    for (const name of ['a', 'b', 'c'])
      await put(name, { title: name, text: `About ${name}` }, own);
    const list = async (query: string) => {
      const answer = await call('GET', query, undefined, own);
      return answer.body as unknown as Page<Stored>;
    };
    const first = await list('?limit=2');
    expect([first.total, first.data.map((one) => one.external_id)]).toEqual([3, ['c', 'b']]);
    const rest = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect(rest.data.map((one) => one.external_id)).toEqual(['a']);
    await eventually(async () => (await list('?status=ready')).total === 3);
    expect((await list('?status=failed')).total).toBe(0);
    expect(outcome(await call('GET', '?status=x', undefined, own))).toBe('400 validation_failed');
    expect(outcome(await call('GET', '?external_id=a', undefined, own))).toBe(
      '400 validation_failed',
    );
  });

  it('need their scope, and the header', async () => {
    const reading = await alice.createApiKey(kbId, { scopes: ['documents:read'] });
    const writing = await alice.createApiKey(kbId, { scopes: ['documents:write'] });
    const asking = await alice.createApiKey(kbId);
    await put('scoped', { ...RETURNS, text: 'Scoped.' });
    const tried = async (by: IssuedApiKey) => [
      outcome(await put('scoped', { ...RETURNS, text: 'Scoped.' }, by)),
      outcome(await get('scoped', by)),
      outcome(await call('GET', '', undefined, by)),
      outcome(await call('DELETE', '/nothing', undefined, by)),
    ];
    const no = '403 insufficient_scope';
    expect(await tried(reading)).toEqual([no, '200', '200', no]);
    expect(await tried(writing)).toEqual(['200', no, no, '404 not_found']);
    expect(await tried(asking)).toEqual([no, no, no, no]);
    const inBody = await partner.call('PUT', '/ingest/documents/x', {
      ...RETURNS,
      api_key: key.api_key,
    });
    expect(outcome(inBody)).toBe('401 api_key_required');
    expect(outcome(await alice.get('/ingest/documents'))).toBe('401 api_key_required');
  });

  it('are refused before the body is read', async () => {
    const asking = await alice.createApiKey(kbId);
    expect(outcome(await put('x', '{ not json', asking))).toBe('403 insufficient_scope');
    expect(outcome(await put('x', '{ not json', { ...asking, api_key: 'rag_x' }))).toBe(
      '401 invalid_api_key',
    );
  });

  it('are filtered in lists and one by one', async () => {
    const { id } = await alice.createKnowledgeBase();
    const writing = await alice.createApiKey(id, { scopes: ['documents:write'] });
    for (const language of ['de', 'en', 'fr']) {
      const document = {
        title: language,
        text: `In ${language}`,
        metadata: { language, tags: ['x', language] },
      };
      await put(language, document, writing);
    }
    const filter = {
      type: 'or',
      filters: [
        { type: 'eq', key: 'language', value: 'de' },
        { type: 'in', key: 'tags', value: ['fr', 'it', 1, true] },
      ],
    };
    const reading = await alice.createApiKey(id, { scopes: ['documents:read'], filter });
    const { body } = await call('GET', '', undefined, reading);
    const { data, total } = body as unknown as Page<Stored>;
    expect([total, data.map((one) => one.external_id)]).toEqual([2, ['fr', 'de']]);
    expect(outcome(await get('de', reading))).toBe('200');
    expect(outcome(await get('en', reading))).toBe('404 not_found');
  });

  it('belong to the knowledge base of the key alone', async () => {
    const mallory = new Client(service, newUserId('mallory'));
    const { id } = await mallory.createKnowledgeBase();
    const theirs = await mallory.createApiKey(id, {
      scopes: ['documents:read', 'documents:write'],
    });
    await put('ours', { ...RETURNS, text: 'Only ours.' });
    expect(outcome(await get('ours', theirs))).toBe('404 not_found');
    expect(outcome(await call('DELETE', '/ours', undefined, theirs))).toBe('404 not_found');
    expect(outcome(await put('ours', { ...RETURNS, text: 'Theirs.' }, theirs))).toBe('202');
    expect((await get('ours')).body.sha256).not.toBe((await get('ours', theirs)).body.sha256);
  });

  it('are created by one of many parallel requests, and by none after a revocation', async () => {
    const same = await atOnce(12, () => put('raced', { ...RETURNS, text: 'Raced.' }));
    expect(outcomes(same)).toEqual({ 200: 11, 202: 1 });
    const own = await alice.createApiKey(kbId, { scopes: ['documents:write'] });
    const writes = atOnce(20, (index) =>
      put(`late-${index}`, { title: 'Late', text: `${index}` }, own),
    );
    await alice.call('PATCH', `/api-keys/${own.id}/revoke`);
    expect(outcome(await put('late', RETURNS, own))).toBe('401 api_key_revoked');
    const answers = await writes;
    for (const [index, answer] of answers.entries()) {
      expect(outcome(await get(`late-${index}`))).toBe(
        answer.status === 202 ? '200' : '404 not_found',
      );
    }
  });
});
