import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, outcome } from '../support/client.js';
import { furnish } from '../support/furnish.js';
import { eventually } from '../support/service.js';
import type { SharedService } from '../support/shared-service.js';
import { databaseTime, sql } from '../support/sql.js';

interface Dated extends Document {
  updated_at: string;
  valid_from: string | null;
  valid_until: string | null;
  supersedes: string | null;
  superseded_by: string | null;
  superseded_at: string | null;
}

const HOUR_MS = 3_600_000;
const QUESTION = 'What is the monthly rate?';

describe('the validity of documents', () => {
  let service: SharedService;
  let second: SharedService;
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    ({ service, second, alice, partner } = await furnish());
  });

  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

  /** A knowledge base of its own, with a key. */
  const begin = async () => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const { api_key: key } = await alice.createApiKey(kbId);
    let rates = 90;
    const add = async (title: string, more: object = {}) => {
      const text = `The monthly rate is ${++rates} euros.`;
      const { id } = await alice.addDocument(kbId, { title, text, ...more });
      return id;
    };
    const get = async (id: string) => (await alice.get<Dated>(`/documents/${id}`)).body;
    const patch = (id: string, body: object) => alice.call('PATCH', `/documents/${id}`, body);
    /** The titles of what is found, at both processes. */
    const titles = async (more: object = {}) => {
      const found: string[][] = [];
      for (const at of [service, second]) {
        const { body } = await new Client(at).post<{ results: { document_title: string }[] }>(
          '/query',
          { api_key: key, message: QUESTION, ...more },
        );
        found.push(body.results.map((one) => one.document_title).sort());
      }
      expect(found[0]).toEqual(found[1]);
      return found[0];
    };
    return { kbId, key, add, get, patch, titles };
  };

  it('is given at upload or later, and shown', async () => {
    const { add, get, patch } = await begin();
    const id = await add('Rates', { valid_from: '2020-01-01', valid_until: inHours(1) });
    expect(await get(id)).toMatchObject({
      valid_from: '2020-01-01T00:00:00.000Z',
      valid_until: expect.stringMatching(/Z$/) as unknown,
      ...{ supersedes: null, superseded_by: null, superseded_at: null },
    });
    expect(outcome(await patch(id, { valid_until: null }))).toBe('200');
    expect(await get(id)).toMatchObject({ valid_until: null });
  });

  it('decides whether a document is found, whatever else is found', async () => {
    const { kbId, add, patch, titles } = await begin();
    const past = await add('Past', { valid_until: inHours(-1) });
    await add('Future', { valid_from: inHours(1) });
    await add('Now', { valid_from: inHours(-1), valid_until: inHours(1) });
    expect(await titles()).toEqual(['Now']);
    const found = await alice.post<{ results: { document_title: string }[] }>(
      `/kbs/${kbId}/query`,
      {
        ...{ message: QUESTION, include_invalid: true },
      },
    );
    expect(found.body.results.map((one) => one.document_title).sort()).toEqual([
      ...['Future', 'Now', 'Past'],
    ]);
    await patch(past, { valid_until: inHours(2) });
    expect(await titles()).toEqual(['Now', 'Past']);
    await patch(past, { valid_until: inHours(-2) });
    expect(await titles()).toEqual(['Now']);
  });

  it('begins and ends when its time comes, without a change', async () => {
    const { add, titles } = await begin();
    await add('Always');
    await add('Ends', { valid_until: new Date(Date.now() + 4000).toISOString() });
    await add('Begins', { valid_from: new Date(Date.now() + 4000).toISOString() });
    expect(await titles()).toEqual(['Always', 'Ends']);
    // Two processes that are asked one after the other may answer before and after that moment.
    const both = () => titles().catch(() => undefined);
    await eventually(async () => (await both())?.includes('Begins') === true);
    expect(await titles()).toEqual(['Always', 'Begins']);
  });

  it('tells in sources when a document was changed, and until when it is valid', async () => {
    const { key, add, get } = await begin();
    const id = await add('Rates', { valid_until: inHours(1) });
    const { body } = await partner.chat(key, QUESTION);
    const document = await get(id);
    expect(body.sources[0]).toMatchObject({
      updated_at: document.updated_at,
      valid_until: document.valid_until,
    });
  });

  it('ends for a document whose place a newer one takes, once that can be found', async () => {
    const { add, get, patch, titles } = await begin();
    const older = await add('Rates 2024');
    const newer = await add('Rates 2025', { supersedes: older });
    expect(await titles()).toEqual(['Rates 2025']);
    expect(await get(older)).toMatchObject({
      superseded_by: newer,
      superseded_at: expect.any(String) as unknown,
    });
    const newest = await add('Rates 2026', { valid_from: inHours(1), supersedes: newer });
    expect(await titles()).toEqual(['Rates 2025']);
    expect((await get(newer)).superseded_at).toBe((await get(newest)).valid_from);
    await patch(newest, { valid_from: null });
    expect(await titles()).toEqual(['Rates 2026']);
    await alice.call('DELETE', `/documents/${newest}`);
    expect(await titles()).toEqual(['Rates 2025']);
    await patch(newer, { supersedes: null });
    expect(await titles()).toEqual(['Rates 2024', 'Rates 2025']);
    expect(await get(older)).toMatchObject({ superseded_by: null, superseded_at: null });
  });

  it('stays ended while one of several newer documents takes the place', async () => {
    const { add, get, patch, titles } = await begin();
    const older = await add('Rates 2024');
    const first = await add('Rates 2025', { supersedes: older });
    const second = await add('Rates 2026', { supersedes: older });
    expect(await titles()).toEqual(['Rates 2025', 'Rates 2026']);
    await add('Rates 2027', { supersedes: older, valid_from: inHours(1) });
    expect(await titles()).toEqual(['Rates 2025', 'Rates 2026']);
    await alice.call('DELETE', `/documents/${second}`);
    expect(await titles()).toEqual(['Rates 2025']);
    expect(await get(older)).toMatchObject({ superseded_by: first });
    await patch(first, { supersedes: null });
    expect(await titles()).toEqual(['Rates 2024', 'Rates 2025']);
    expect(Date.parse((await get(older)).superseded_at ?? '')).toBeGreaterThan(Date.now());
  });

  it('stays ended while one of several takes its place', async () => {
    const { add, get, patch, titles } = await begin();
    const older = await add('Rates 2024');
    const newer = await add('Rates 2025', { supersedes: older });
    const future = await add('Rates 2026', { supersedes: older, valid_from: inHours(1) });
    expect((await get(older)).superseded_by).toBe(newer);
    expect(await titles()).toEqual(['Rates 2025']);
    await patch(newer, { valid_from: inHours(2) });
    expect((await get(older)).superseded_by).toBe(future);
    expect(await titles()).toEqual(['Rates 2024']);
    await patch(future, { valid_from: null });
    expect(await titles()).toEqual(['Rates 2026']);
    await patch(newer, { valid_from: null });
    expect((await get(older)).superseded_by).toBe(future);
    await alice.call('DELETE', `/documents/${future}`);
    expect((await get(older)).superseded_by).toBe(newer);
    expect(await titles()).toEqual(['Rates 2025']);
  });

  it('does not name a document to who may not read it', async () => {
    const { kbId, add, get } = await begin();
    await alice.call('PUT', `/kbs/${kbId}/members/victor`, { role: 'viewer' });
    const closed = { access: { allow: ['group:board'] } };
    const older = await add('Rates 2024', { external_id: 'old' });
    const newer = await add('Rates 2025', { supersedes: older, ...closed });
    const newest = await add('Rates 2026', { supersedes: newer });
    expect(await get(older)).toMatchObject({ superseded_by: newer });
    const victor = new Client(service, 'victor');
    const hidden = { supersedes: null, superseded_by: null, superseded_at: null };
    expect((await victor.get(`/documents/${older}`)).body).toMatchObject(hidden);
    expect((await victor.get(`/documents/${newest}`)).body).toMatchObject(hidden);
    const { body } = await victor.get<{ data: Dated[] }>(`/kbs/${kbId}/documents`);
    expect(body.data).toMatchObject([hidden, hidden]);
  });

  it('is not ended by a newer document that cannot be read', async () => {
    const { kbId, add, titles } = await begin();
    const older = await add('Rates 2024');
    const broken = await alice.post<Dated>(`/kbs/${kbId}/documents`, {
      ...{ title: 'Broken', text: ' ', supersedes: older },
    });
    expect(outcome(broken)).toBe('202');
    await eventually(async () => {
      const { body } = await alice.get<Dated>(`/documents/${broken.body.id}`);
      return body.status === 'failed';
    });
    expect(await titles()).toEqual(['Rates 2024']);
  });

  it.each<[string, (id: string, other: string) => object]>([
    ['ends before it begins', () => ({ valid_from: inHours(2), valid_until: inHours(1) })],
    ['ends when it begins', () => ({ valid_from: '2026-01-01', valid_until: '2026-01-01' })],
    ['begins on a day that there is not', () => ({ valid_from: '2026-02-30' })],
    ['begins at no time', () => ({ valid_from: 'soon' })],
    ['has a number for a time', () => ({ valid_until: 2026 })],
    ['would supersede itself', (id) => ({ supersedes: id })],
    ['would supersede what supersedes it', (_, other) => ({ supersedes: other })],
    ['would supersede nothing', () => ({ supersedes: 'doc_01kafdp6ygf4rs4s2cr5cvzwkc' })],
    ['would supersede a text', () => ({ supersedes: 'Rates' })],
  ])('is refused if it %s', async (_, change) => {
    const { add, get, patch } = await begin();
    const id = await add('Rates 2024');
    const other = await add('Rates 2025', { supersedes: id });
    const before = await get(id);
    expect(outcome(await patch(id, change(id, other)))).toBe('400 validation_failed');
    expect(await get(id)).toEqual(before);
  });

  it('cannot name a document of another knowledge base', async () => {
    const [own, other] = [await begin(), await begin()];
    const foreign = await other.add('Rates');
    const id = await own.add('Rates 2025');
    expect(outcome(await own.patch(id, { supersedes: foreign }))).toBe('400 validation_failed');
    expect(await other.titles()).toEqual(['Rates']);
  });

  it('hides a document by the clock of the database', async () => {
    const { add, titles } = await begin();
    const id = await add('Rates', { valid_until: inHours(1) });
    await add('Other');
    expect(await titles()).toEqual(['Other', 'Rates']);
    await sql(
      service.environment,
      `UPDATE documents SET valid_until = ${databaseTime(-1000)} WHERE id = '${id}'`,
    );
    expect(await titles()).toEqual(['Other']);
  });
});
