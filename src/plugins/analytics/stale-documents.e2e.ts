import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome, type Page } from '../../../test/support/client.js';
import { withPlugins } from '../../../test/support/requirement.js';
import {
  newUserId,
  sharedService,
  type SharedService,
} from '../../../test/support/shared-service.js';
import { databaseTime, sql } from '../../../test/support/sql.js';

interface StaleDocument {
  document_id: string;
  title: string;
  updated_at: string;
  count: number;
  curated_answers: { id: string; review_at: string | null }[];
}

describe('stale documents', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });

  const list = async (kbId: string, search = '', client = alice) => {
    const path = `/kbs/${kbId}/stale-documents?${search}`;
    const answer = await client.get<Page<StaleDocument>>(path);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  };
  const titles = ({ data }: Page<StaleDocument>) => data.map(({ title, count }) => [title, count]);

  /** A knowledge base whose documents are a year old, and are cited by so many answers. */
  const createOld = async (counts: Readonly<Record<string, number>>) => {
    const { id: kbId } = await alice.createKnowledgeBase();
    const { api_key: key } = await alice.createApiKey(kbId);
    const ids = new Map<string, string>();
    for (const [title, count] of Object.entries(counts)) {
      const text = `The ${title} opens at nine.`;
      const { id } = await alice.addDocument(kbId, { title, text });
      ids.set(title, id);
      for (let times = 0; times < count; times++) {
        const { body } = await partner.chat(key, `When does the ${title} open?`);
        expect(body.sources.find(({ cited }) => cited)?.document_title).toBe(title);
      }
      await age(service, id, 365);
    }
    return { kbId, key, ids };
  };

  it('are those that have not changed for long, most cited first', async () => {
    const { kbId, ids, key } = await createOld({ museum: 1, harbour: 3, library: 2, zoo: 0 });
    const all = [
      ['harbour', 3],
      ['library', 2],
      ['museum', 1],
    ];
    expect(titles(await list(kbId))).toEqual(all);
    expect(titles(await list(kbId, 'not_updated_days=400'))).toEqual([]);
    const first = await list(kbId, 'limit=1');
    expect(first).toMatchObject({ total: 3, has_more: true });
    const rest = await list(kbId, `limit=5&cursor=${String(first.next_cursor)}`);
    expect([...titles(first), ...titles(rest)]).toEqual(all);
    const days = (Date.now() - Date.parse(first.data[0]?.updated_at ?? '')) / 86_400_000;
    expect(Math.round(days)).toBe(365);
    expect(titles(await list(kbId, 'from=2026-01-01&to=2026-01-02'))).toEqual([]);

    // What is about a document leaves its content as old as it was; another content is new.
    const change = (title: string, body: object) =>
      alice.call('PATCH', `/documents/${ids.get(title) ?? ''}`, body);
    await change('harbour', { metadata: { kind: 'place' } });
    await change('museum', { valid_until: '2026-01-01' });
    const text = 'The library opens at ten.';
    const replaced = { title: 'library', text, external_id: 'library' };
    await change('library', { external_id: 'library' });
    await alice.post(`/kbs/${kbId}/documents`, { ...replaced, on_duplicate: 'replace' });
    await alice.readDocument(ids.get('library') ?? '');
    await partner.chat(key, 'When does the library open?');
    expect(titles(await list(kbId))).toEqual([['harbour', 3]]);
    expect(titles(await list(kbId, 'not_updated_days=0'))).toEqual([
      ['library', 3],
      ['harbour', 3],
    ]);
  });

  it('are named to those only who may read them', async () => {
    const { kbId, ids } = await createOld({ museum: 2, harbour: 1 });
    const viewerId = newUserId('vera');
    const viewer = new Client(service, viewerId);
    await alice.call('PUT', `/kbs/${kbId}/members/${viewerId}`, { role: 'viewer' });
    await alice.call('PATCH', `/documents/${ids.get('museum') ?? ''}`, {
      access: { allow: ['group:hr'] },
    });
    expect(await list(kbId, '', viewer)).toMatchObject({ total: 1, data: [{ title: 'harbour' }] });
    expect((await list(kbId)).total).toBe(2);
  });

  withPlugins('curated-answers').it('name the curated answers that rest on them', async () => {
    const { kbId, ids } = await createOld({ museum: 2, harbour: 1 });
    const { body } = await alice.post<{ id: string }>(`/kbs/${kbId}/curated-answers`, {
      ...{ questions: ['Is it open?'], answer: 'At nine.', review_at: '2031-01-01' },
      sources: [ids.get('museum')],
    });
    const found = (await list(kbId)).data.map((one) => [one.title, one.curated_answers]);
    expect(found).toEqual([
      ['museum', [{ id: body.id, review_at: '2031-01-01T00:00:00.000Z' }]],
      ['harbour', []],
    ]);
  });

  it.each(['not_updated_days=-1', 'not_updated_days=x', 'not_updated_days=36501', 'cursor=x'])(
    'refuse %s',
    async (search) => {
      const { id } = await alice.createKnowledgeBase();
      const answer = await alice.get(`/kbs/${id}/stale-documents?${search}`);
      expect(outcome(answer)).toBe('400 validation_failed');
    },
  );
});

/** Makes a document as old as so many days. */
async function age({ environment }: SharedService, id: string, days: number): Promise<void> {
  const createdAt = databaseTime(-days * 86_400_000);
  await sql(environment, `UPDATE documents SET created_at = ${createdAt} WHERE id = '${id}'`);
}
