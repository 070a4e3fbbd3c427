import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, outcome } from '../support/client.js';
import { newUserId, sharedService } from '../support/shared-service.js';

const encode = async (name: string, bytes: string | Uint8Array, type: string) => {
  const form = new FormData();
  form.append('file', new Blob([bytes], { type }), name);
  const encoded = new Response(form);
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    type: encoded.headers.get('content-type') ?? '',
  };
};

describe('the content of a document', () => {
  let alice: Client;

  beforeAll(async () => {
    alice = new Client(await sharedService(), newUserId('alice'));
  });

  const replace = async (id: string, name: string, bytes: string | Uint8Array, type = '') => {
    const form = await encode(name, bytes, type);
    const headers = { 'content-type': form.type };
    return alice.call<Document>('PUT', `/documents/${id}/content`, form.body, headers);
  };
  const listTexts = async (id: string) => {
    const { body } = await alice.get<{ data: { text: string }[] }>(`/documents/${id}/chunks`);
    return body.data.map(({ text }) => text);
  };

  it('is replaced by a file, and what describes it stays', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const before = await alice.addDocument(kbId, {
      ...{ title: 'Prices', text: 'Basic costs 96 euros.', external_id: 'prices' },
      ...{ metadata: { year: 2025 }, access: { allow: ['group:sales'] }, date: '2025-03' },
      ...{ valid_until: '2099-01-01T00:00:00.000Z', source_url: 'https://shop.example/prices' },
    });
    const answer = await replace(before.id, 'prices-2026.md', '# New\n\nBasic costs 99 euros.');
    expect(answer.status).toBe(202);
    expect(answer.body.status).toBe('pending');
    const after = await alice.readDocument(before.id);
    expect(after.status).toBe('ready');
    for (const field of [
      ...['title', 'external_id', 'metadata', 'access', 'date', 'valid_until', 'source_url'],
    ] as (keyof Document)[]) {
      expect([field, after[field]]).toEqual([field, before[field]]);
    }
    expect(after).toMatchObject({ mime_type: 'text/markdown' });
  });

  it('is replaced where the former one could not be read', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const form = await encode('report.pdf', '%PDF-1.7 broken', 'application/pdf');
    const headers = { 'content-type': form.type };
    const { body: added } = await alice.call<Document>(
      ...(['POST', `/kbs/${kbId}/documents`, form.body, headers] as const),
    );
    expect((await alice.readDocument(added.id)).status).toBe('failed');
    await replace(added.id, 'report.txt', 'The report is readable now.');
    const after = await alice.readDocument(added.id);
    expect([after.status, after.title, after.error]).toEqual(['ready', 'report.pdf', null]);
    expect(await listTexts(added.id)).toEqual(['The report is readable now.']);
  });

  it('is replaced by text, and kept as a version where versions are kept', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.set(kbId, { version_retention_days: 30 });
    const { id } = await alice.addDocument(kbId, { title: 'Prices', text: 'It costs 96 euros.' });
    const changed = await alice.call('PUT', `/documents/${id}/content`, {
      text: 'It costs 99 euros.',
    });
    expect(changed.status).toBe(202);
    await alice.readDocument(id);
    expect(await listTexts(id)).toEqual(['It costs 99 euros.']);
    const { body } = await alice.get<{ data: object[] }>(`/kbs/${kbId}/audit-events?limit=1`);
    expect(body.data[0]).toMatchObject({ action: 'document.replaced', target_id: id });
  });

  it('stays under legal hold, and where the new one is refused', async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const { id } = await alice.addDocument(kbId, { title: 'Prices', text: 'It costs 96 euros.' });
    expect(outcome(await replace(id, 'empty.txt', ''))).toBe('400 validation_failed');
    expect(outcome(await replace(id, 'all.zip', zipOf()))).toBe('415 unsupported_media_type');
    expect(outcome(await replace('doc_01hzzzzzzzzzzzzzzzzzzzzzzz', 'a.txt', 'A.'))).toBe(
      '404 not_found',
    );
    await alice.set(kbId, { legal_hold: true });
    expect(outcome(await replace(id, 'prices.txt', 'It costs 99 euros.'))).toBe('409 legal_hold');
    expect(await listTexts(id)).toEqual(['It costs 96 euros.']);
  });
});

/** An archive without entries. */
const zipOf = () => Uint8Array.from([0x50, 0x4b, 5, 6, ...new Array<number>(18).fill(0)]);
