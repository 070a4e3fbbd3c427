import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'content-disposition';
import { Client, outcome } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';
import { download, largeText, move, uploaded } from '../support/originals.js';
import { onlyOn } from '../support/requirement.js';

describe('the original of a document', () => {
  let service: SharedService;
  let user: string;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    user = newUserId('alice');
    alice = new Client(service, user);
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const stored = (id: string) =>
    sql<{ key: string }>(
      service.environment,
      `SELECT key FROM stored_contents WHERE document_id = '${id}'`,
    );

  it.each(['original', 'content'])(
    'is the text of a document sent as JSON, at /%s',
    async (name) => {
      const text = 'Customers may return any order within 30 days. Ä';
      const document = {
        title: 'Retouren "Ä"/..',
        text: `${text} ${name}`,
        mime_type: 'text/html',
      };
      const { id } = await alice.addDocument(kbId, document);
      const response = await download(service, user, id, {}, name);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': expect.stringMatching(/^text\/html\b/),
        'content-length': String(Buffer.byteLength(document.text)),
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-security-policy': `sandbox; default-src 'none'`,
        'cache-control': 'private, no-store',
      });
      expect(parse(String(response.headers.get('content-disposition')))).toMatchObject({
        type: 'attachment',
        parameters: { filename: 'Retouren Ä.html' },
      });
      expect(await response.text()).toBe(document.text);
    },
  );

  it('is the uploaded bytes, until the document is replaced or deleted', async () => {
    const bytes = Buffer.from(largeText('Orders may be returned'), 'utf16le');
    const file = new File([Buffer.from([0xff, 0xfe]), bytes], '知识库.txt');
    const { body } = await uploaded(service, user, kbId, file, { external_id: 'large' });
    const response = await download(service, user, body.id);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(parse(String(response.headers.get('content-disposition')))).toMatchObject({
      type: 'inline',
      parameters: { filename: '知识库.txt' },
    });
    expect(await response.arrayBuffer()).toEqual(await file.arrayBuffer());

    const other = new File([largeText('Parcels arrive')], 'other.txt');
    const more = { external_id: 'large', on_duplicate: 'replace' };
    expect((await uploaded(service, user, kbId, other, more)).status).toBe(202);
    const replaced = await download(service, user, body.id);
    expect(await replaced.text()).toBe(await other.text());

    expect(outcome(await alice.call('DELETE', `/documents/${body.id}`))).toBe('200');
    expect((await download(service, user, body.id)).status).toBe(404);
  });

  it('stays where it is when only its language changes', async () => {
    const { api_key } = await alice.createApiKey(kbId, { scopes: ['documents:write'] });
    const text = largeText('Bestellungen kommen an');
    const put = (language: string) =>
      new Client(service).call<{ id: string }>(
        'PUT',
        '/ingest/documents/same',
        { title: 'Same', text, language },
        { authorization: `Bearer ${api_key}` },
      );
    const { body, status } = await put('en');
    expect(status).toBe(202);
    const before = await stored(body.id);
    expect(before).toHaveLength(engine === 'sqlite' ? 1 : 0);
    expect((await put('de')).status).toBe(202);
    expect(await stored(body.id)).toEqual(before);
    expect(await (await download(service, user, body.id)).text()).toBe(text);
  });

  it('is read in parts from the database', async () => {
    const text = 'Bees. '.repeat(600_000);
    const { body } = await uploaded(service, user, kbId, new File([text], 'bees.txt'));
    // Where PostgreSQL has it.
    if (engine === 'sqlite') await move(service, 'database');
    expect(await (await download(service, user, body.id)).text()).toBe(text);
    const part = await download(service, user, body.id, { range: 'bytes=1048570-3400000' });
    expect([part.status, await part.text()]).toEqual([206, text.slice(1_048_570, 3_400_001)]);
  });

  it.each(['small', 'large'])('is sent in parts if it is %s', async (size) => {
    const text = size === 'small' ? 'Ants are small, and many.' : largeText('Bears are large');
    const { body } = await uploaded(service, user, kbId, new File([text], `${size}.md`));
    const total = text.length;
    const response = await download(service, user, body.id, { range: 'bytes=5-7' });
    expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual(
      [206, `bytes 5-7/${total}`, text.slice(5, 8)],
    );
    expect(response.headers.get('content-length')).toBe('3');
    const end = await download(service, user, body.id, { range: 'bytes=-4' });
    expect(await end.text()).toBe(text.slice(-4));
    const etag = String(response.headers.get('etag'));
    const known = await download(service, user, body.id, { range: 'bytes=1-1', 'if-range': etag });
    expect([known.status, await known.text()]).toEqual([206, text[1]]);
    const changed = await download(service, user, body.id, {
      range: 'bytes=1-1',
      'if-range': '"x"',
    });
    expect([changed.status, await changed.text()]).toEqual([200, text]);
    const beyond = await download(service, user, body.id, { range: `bytes=${total}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${total}`]);
    expect(await beyond.json()).toMatchObject({ code: 'range_not_satisfiable' });
  });

  it('is described by HEAD without being sent', async () => {
    const { id } = await alice.addDocument(kbId, { title: 'Head', text: 'Heads without bodies.' });
    const response = await fetch(`${service.url}/api/v1/documents/${id}/original`, {
      method: 'HEAD',
      headers: { 'x-idp-user-id': user, range: 'bytes=0-1' },
    });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '21']);
    expect(await response.text()).toBe('');
  });

  onlyOn('sqlite').it('is a file for its owner only, and may be lost', async () => {
    const text = largeText('Lost orders are refunded');
    const { body } = await uploaded(service, user, kbId, new File([text], 'lost.txt'));
    const [{ key } = { key: '' }] = await stored(body.id);
    rmSync(join(String(service.environment['DATA_DIR']), 'contents', key.slice(0, 2), key));
    const answer = await alice.get(`/documents/${body.id}/original`);
    expect(outcome(answer)).toBe('404 content_not_found');
  });

  it('is not for strangers', async () => {
    const { id } = await alice.addDocument(kbId, { title: 'Secret', text: 'Not for Mallory.' });
    const mallory = new Client(service, newUserId('mallory'));
    expect(outcome(await mallory.get(`/documents/${id}/original`))).toBe('404 not_found');
    expect(outcome(await new Client(service).get(`/documents/${id}/original`))).toBe(
      '401 dashboard_authentication_required',
    );
  });
});
