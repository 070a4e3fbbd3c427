import { existsSync, readdirSync, rmSync } from 'node:fs';
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

  const directory = () => join(String(service.environment['DATA_DIR']), 'contents');
  const files = () =>
    existsSync(directory())
      ? readdirSync(directory(), { recursive: true }).filter((name) => String(name).length > 3)
      : [];

  it('that was sent as JSON is its text, to be saved', async () => {
    const text = 'Customers may return any order within 30 days. Ä';
    const document = { title: 'Retouren "Ä"/..', text, mime_type: 'text/html' };
    const { id } = await alice.addDocument(kbId, document);
    const response = await download(service, user, id);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringMatching(/^text\/html\b/),
      'content-length': String(Buffer.byteLength(text)),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': 'private, no-store',
    });
    expect(parse(String(response.headers.get('content-disposition')))).toMatchObject({
      type: 'attachment',
      parameters: { filename: 'Retouren Ä.html' },
    });
    expect(await response.text()).toBe(text);
  });

  it('that was uploaded is the same bytes, until it is replaced or deleted', async () => {
    const bytes = Buffer.from(largeText('Orders may be returned'), 'utf16le');
    const file = new File([Buffer.from([0xff, 0xfe]), bytes], '知识库.txt');
    const { body } = await uploaded(service, user, kbId, file, { external_id: 'large' });
    const response = await download(service, user, body.id);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain\b/);
    expect(parse(String(response.headers.get('content-disposition')))).toMatchObject({
      type: 'attachment',
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
    const stored = () =>
      sql(service.environment, `SELECT key FROM stored_contents WHERE document_id = '${body.id}'`);
    const before = await stored();
    expect(before).toHaveLength(engine === 'sqlite' ? 1 : 0);
    expect((await put('de')).status).toBe(202);
    expect(await stored()).toEqual(before);
    expect(await (await download(service, user, body.id)).text()).toBe(text);
  });

  it('in the database is read in parts', async () => {
    const text = 'Bees. '.repeat(600_000);
    const { body } = await uploaded(service, user, kbId, new File([text], 'bees.txt'));
    // Where PostgreSQL has it.
    if (engine === 'sqlite') await move(service, 'database');
    expect(await (await download(service, user, body.id)).text()).toBe(text);
  });

  onlyOn('sqlite').it('is a file for its owner only, and may be lost', async () => {
    const before = new Set(files());
    const text = largeText('Lost orders are refunded');
    const { body } = await uploaded(service, user, kbId, new File([text], 'lost.txt'));
    const mine = files().filter((name) => !before.has(name));
    expect(mine).toHaveLength(1);
    rmSync(join(directory(), String(mine[0])));
    const answer = await alice.get(`/documents/${body.id}/content`);
    expect(outcome(answer)).toBe('404 content_not_found');
  });

  it('is not for strangers', async () => {
    const { id } = await alice.addDocument(kbId, { title: 'Secret', text: 'Not for Mallory.' });
    const mallory = new Client(service, newUserId('mallory'));
    expect(outcome(await mallory.get(`/documents/${id}/content`))).toBe('404 not_found');
    expect(outcome(await new Client(service).get(`/documents/${id}/content`))).toBe(
      '401 dashboard_authentication_required',
    );
  });
});
