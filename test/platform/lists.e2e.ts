import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKey, Client, type KnowledgeBase, outcome, type Page } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('what is given back', () => {
  let service: SharedService;
  let alice: Client;
  let kb: KnowledgeBase;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    kb = await alice.createKnowledgeBase();
  });

  describe('a list', () => {
    const page = async (search: string, kbId: string) =>
      (await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys${search}`)).body;

    it('is read through pages, whatever is created and deleted between them', async () => {
      const { id: kbId } = await alice.createKnowledgeBase();
      const keys: string[] = [];
      for (let n = 0; n < 10; n++) keys.unshift((await alice.createApiKey(kbId)).id);
      const remove = (id = '') => alice.call('DELETE', `/api-keys/${id}`);

      const first = await page('?limit=3', kbId);
      expect(first).toMatchObject({ has_more: true, total: 10 });
      // The row that the cursor stands on goes, one before it, and one behind it; two are added.
      await Promise.all([remove(keys[2]), remove(keys[0]), remove(keys[4])]);
      await Promise.all([alice.createApiKey(kbId), alice.createApiKey(kbId)]);

      const seen = [...first.data];
      let { next_cursor: cursor } = first;
      while (cursor !== null) {
        const next = await page(`?limit=3&cursor=${encodeURIComponent(cursor)}`, kbId);
        expect(next.total).toBe(9);
        expect(next.has_more).toBe(next.next_cursor !== null);
        seen.push(...next.data);
        cursor = next.next_cursor;
      }
      expect(seen.map(({ id }) => id)).toEqual(keys.filter((_, index) => index !== 4));
    });

    it('has 20 rows to a page unless told otherwise, and ends with the last full page', async () => {
      const { id: kbId } = await alice.createKnowledgeBase();
      for (let n = 0; n < 21; n++) await alice.createApiKey(kbId);
      expect((await page('', kbId)).data).toHaveLength(20);
      expect(await page('?limit=21', kbId)).toMatchObject({ has_more: false, next_cursor: null });
      expect((await page('?limit=100', kbId)).data).toHaveLength(21);
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=abc',
      'limit=1.5',
      'limit=1e1',
      'limit=',
      'limit=5&limit=6',
      'cursor=abc',
      'cursor=',
      'cursor=a&cursor=b',
      `cursor=${'A'.repeat(500)}`,
      `cursor=${Buffer.from("kb_' OR 1=1").toString('base64url')}`,
      'offset=1',
      'limit[$gt]=1',
    ])('is refused with ?%s', async (search) => {
      expect(outcome(await alice.get(`/kbs?${search}`))).toBe('400 validation_failed');
    });
  });

  describe('text', () => {
    it.each([
      'naïve café — “quotes” & <b>tags</b>',
      '知識ベース 지식 知识库',
      'قاعدة المعرفة \u200f\u202eabc',
      '👩‍👩‍👧‍👦🏳️‍🌈🔑',
      'cafe\u0301 and caf\u00e9',
      "Robert'); DROP TABLE api_keys;--",
      '\ufffd \u2028 \u0007 \\u0000 %00 ${x} {{y}}',
    ])('comes back as it was sent: %s', async (name) => {
      const created = await alice.post<KnowledgeBase>('/kbs', { name, description: name });
      expect(created.body).toMatchObject({ name, description: name });
      const read = await alice.get<KnowledgeBase>(`/kbs/${created.body.id}`);
      expect(read.body).toMatchObject({ name, description: name });
    });

    it.each(['a\0b', '\0', 'a\ud800', '\udc00b', '\udc00\ud800', 'x'.repeat(1001)])(
      'that not every database can keep, or too long, is refused: %j',
      async (name) => {
        expect(outcome(await alice.post('/kbs', { name }))).toBe('400 validation_failed');
        const changed = await alice.call('PATCH', `/kbs/${kb.id}`, { description: name });
        expect(outcome(changed)).toBe('400 validation_failed');
      },
    );
  });
});
