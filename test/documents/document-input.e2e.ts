import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type Document, outcome, type Page, type Problem } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('documents', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const upload = (body: object) => alice.post<Document & Problem>(`/kbs/${kbId}/documents`, body);
  const add = (body: object) => alice.addDocument(kbId, body);

  it.each<[field: string, what: string, body: object]>([
    ['title', 'missing', { title: undefined }],
    ['title', 'blank', { title: ' ' }],
    ['title', 'too long', { title: 'x'.repeat(501) }],
    ['text', 'missing', { text: undefined }],
    ['text', 'empty', { text: '' }],
    ['text', 'NUL', { text: 'a\0b' }],
    ['text', 'half a surrogate pair', { text: 'a\ud800' }],
    ['mime_type', 'unknown', { mime_type: 'application/zip' }],
    ['metadata', 'an array', { metadata: [1] }],
    ['metadata', 'null', { metadata: null }],
    ['metadata', 'NUL in a key', { metadata: { 'a\0': 1 } }],
    ['metadata', 'NUL deep inside', { metadata: { a: [{ b: '\0' }] } }],
    ['metadata', 'too large', { metadata: { a: 'x'.repeat(17_000) } }],
    ['source_url', 'a script', { source_url: 'javascript:alert(1)' }],
    ['source_url', 'a file', { source_url: 'file:///etc/passwd' }],
    ['external_id', 'empty', { external_id: '' }],
    ['external_id', 'too long', { external_id: 'x'.repeat(256) }],
    ['on_duplicate', 'unknown', { on_duplicate: 'overwrite' }],
    ['status', 'given', { status: 'ready' }],
    ['id', 'given', { id: 'doc_01kafdp6ygf4rs4s2cr5cvzwkc' }],
  ])('are refused if their %s is %s, and nothing is created', async (field, _, body) => {
    const answer = await upload({ title: 'Returns', text: 'Text', ...body });
    expect(outcome(answer)).toBe('400 validation_failed');
    expect(answer.body.errors?.map((error) => error.field)).toEqual([field]);
    expect((await alice.get<Page<Document>>(`/kbs/${kbId}/documents`)).body.total).toBe(0);
  });

  it('are listed newest first, by status, by external id and by a part of the title', async () => {
    const a = await add({ title: 'Returns 100%', text: 'One.', external_id: 'a' });
    const b = await add({ title: 'RETURNS of\\_wine', text: ' ', external_id: 'b' });
    const c = await add({ title: 'Ärger mit Wein', text: 'Three.' });
    const ids = async (search: string) => {
      const { body } = await alice.get<Page<Document>>(`/kbs/${kbId}/documents?${search}`);
      return body.data.map(({ id }) => id);
    };
    expect(await ids('')).toEqual([c.id, b.id, a.id]);
    expect(await ids('status=ready')).toEqual([c.id, a.id]);
    expect(await ids('status=failed')).toEqual([b.id]);
    expect(await ids('external_id=a')).toEqual([a.id]);
    expect(await ids('external_id=A')).toEqual([]);
    expect(await ids('q=returns')).toEqual([b.id, a.id]);
    expect(await ids(`q=${encodeURIComponent('%')}`)).toEqual([a.id]);
    expect(await ids('q=_')).toEqual([b.id]);
    expect(await ids(`q=${encodeURIComponent('\\')}`)).toEqual([b.id]);
    expect(await ids('q=%C3%84rger')).toEqual([c.id]);
    expect(await ids('q=%C3%A4RGER')).toEqual([c.id]);
    for (const search of ['status=done', 'status=', 'external_id=', 'q=', 'q=%00', 'title=a']) {
      const answer = await alice.get(`/kbs/${kbId}/documents?${search}`);
      expect([search, outcome(answer)]).toEqual([search, '400 validation_failed']);
    }
  });
});
