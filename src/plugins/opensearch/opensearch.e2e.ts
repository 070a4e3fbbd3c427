import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, outcome } from '../../../test/support/client.js';
import { runCommand } from '../../../test/support/command.js';
import { OpenSearch, openSearchJars } from '../../../test/support/opensearch.mjs';
import { COLLECTION, type Index, indexed } from '../../../test/support/ranked-collection.js';
import { registry } from '../../../test/support/requirement.js';
import { eventually, Service } from '../../../test/support/service.js';
import { newUserId, sharedService } from '../../../test/support/shared-service.js';
import { sql } from '../../../test/support/sql.js';

const QUESTIONS = [
  'How long will a refund take?',
  'Who repairs electric bicycles',
  'Is a damagd batery under warranty?',
  'crème brûlée?',
  'battery, battery, frame',
  'the and of a',
];
const ALIAS = '/latchkey-passages';
const PASSWORD = 'p%40ss-w%C3%B6rd';
const TIMEOUT_MS = 600_000;

registry('OpenSearch (by Maven, with Java)', openSearchJars() !== undefined).describe(
  'words in OpenSearch',
  () => {
    let engine: OpenSearch;
    let service: Service;
    let alice: Client;
    let partner: Client;
    let shop: Index;

    beforeAll(async () => {
      engine = await OpenSearch.start();
      service = await Service.start({
        SEARCH_URL: engine.url.replace('//', `//latchkey:${PASSWORD}@`),
      });
      alice = new Client(service, 'alice');
      partner = new Client(service);
      shop = await indexed(alice, partner, COLLECTION);
    }, TIMEOUT_MS);

    afterAll(async () => {
      await service.stop();
      await engine.stop();
      // Neither as it was given, nor as it is sent.
      for (const form of [PASSWORD, decodeURIComponent(PASSWORD), btoa('latchkey:')]) {
        expect(service.logs).not.toContain(form);
      }
    });

    const passagesOf = async (kbId: string) => {
      await engine.request('POST', `${ALIAS}/_refresh`);
      const found = await engine.request('POST', `${ALIAS}/_count`, {
        query: { term: { kb: kbId } },
      });
      return Number(found['count']);
    };
    const answers = async ({ ask }: Pick<Index, 'ask'>) => {
      const all = [];
      for (const question of QUESTIONS) all.push(await ask(question));
      return all;
    };
    const move = (to: string) =>
      runCommand('plugins/opensearch/move-search.command.js', service.environment, '', '--to', to);

    it('has the answers and the scores of the database', async () => {
      expect(await passagesOf(shop.id)).toBe(COLLECTION.length);
      const other = await sharedService();
      const own = await indexed(
        new Client(other, newUserId('alice')),
        new Client(other),
        COLLECTION,
      );
      const found = await answers(shop);
      expect(found).toEqual(await answers(own));
      expect(found.every((some) => some.length > 0)).toBe(true);
    });

    it('gives other scores for no document of another knowledge base', async () => {
      const before = await answers(shop);
      const others = Array.from({ length: 6 }, (_, index) => ({
        title: `Refund of a battery ${index}`,
        text: `${'Refund the battery, the bicycle and the warranty. '.repeat(1 + index)}${index}`,
      }));
      await indexed(alice, partner, others);
      expect(await answers(shop)).toEqual(before);
    });

    it('obeys rules, filters and filters of keys as the database does', async () => {
      const { id } = await alice.createKnowledgeBase();
      const { api_key: open } = await alice.createApiKey(id);
      const { api_key: filtered } = await alice.createApiKey(id, {
        filter: { type: 'eq', key: 'audience', value: 'customers' },
      });
      const add = (title: string, text: string, more: object) =>
        alice.addDocument(id, { title, text, ...more });
      await add('Refunds', 'A refund takes ten days.', { metadata: { audience: 'customers' } });
      const ask = async (secret: string, filter?: object) => {
        const answer = await partner.query(secret, 'refund takes', filter && { filter });
        expect(outcome(answer)).toBe('200');
        return answer.body.results.map(({ document_title: title, score }) => ({ title, score }));
      };
      const alone = [await ask(open), await ask(filtered)];
      expect(alone).toEqual([[{ title: 'Refunds', score: expect.any(Number) }], alone[0]]);
      await add('Secret refunds', 'A refund of staff takes a day, a refund, a refund.', {
        access: { allow: ['group:staff'] },
        metadata: { audience: 'staff' },
      });
      expect([await ask(open), await ask(filtered)]).toEqual(alone);
      const staff = { type: 'eq', key: 'audience', value: 'staff' };
      expect([await ask(open, staff), await ask(filtered, staff)]).toEqual([[], []]);
    });

    it('finds a document when it is ready, and none that is replaced or deleted', async () => {
      const { id } = await alice.createKnowledgeBase();
      const { api_key: secret } = await alice.createApiKey(id);
      const titles = async (question: string) =>
        (await partner.query(secret, question)).body.results.map(
          ({ document_title: title }) => title,
        );
      for (let round = 0; round < 5; round++) {
        const text = `The word of this round is parrot${round}.`;
        const { id: document } = await alice.addDocument(id, { title: `Round ${round}`, text });
        expect(await titles(`parrot${round}`)).toEqual([`Round ${round}`]);
        await alice.call('DELETE', `/documents/${document}`);
        expect(await titles(`parrot${round}`)).toEqual([]);
      }
      await eventually(async () => (await passagesOf(id)) === 0);
      await alice.addDocument(id, { title: 'Last', text: 'The last one.' });
      await alice.call('DELETE', `/kbs/${id}`);
      await eventually(async () => (await passagesOf(id)) === 0);
    });

    it(
      'moves to the database and back while questions are answered, and is made anew',
      async () => {
        const before = await answers(shop);
        const moved = new AbortController();
        const asked = (async () => {
          const all = [];
          while (!moved.signal.aborted) all.push(await answers(shop));
          return all;
        })();
        expect(await move('database')).toMatchObject({ code: 0 });
        await engine.request('POST', `${ALIAS}/_delete_by_query?refresh=true&conflicts=proceed`, {
          query: { match_all: {} },
        });
        expect(await answers(shop)).toEqual(before);
        // Added while the database has the postings.
        const estate = { title: 'Siedlung', text: 'Die Häuser stehen dort.', language: 'de' };
        await alice.addDocument(shop.id, estate);
        // That of a document is written after its words are.
        await sql(service.environment, 'UPDATE documents SET language = NULL');
        expect(await move('opensearch')).toMatchObject({ code: 0 });
        moved.abort();
        for (const some of await asked) expect(some).toHaveLength(QUESTIONS.length);
        expect(await passagesOf(shop.id)).toBe(COLLECTION.length + 1);
        expect(await shop.titles('Haus')).toEqual(['Siedlung']);

        await engine.request('DELETE', `${ALIAS}-1`);
        const question = () => alice.post(`/kbs/${shop.id}/query`, { message: 'Haus' });
        expect(outcome(await question())).toBe('503 search_unavailable');
        // Made anew by what is written; where rules or filters hide passages, nothing is taken for them.
        const { id: other } = await alice.createKnowledgeBase();
        await alice.addDocument(other, { title: 'Okapi', text: 'An okapi in the shade.' });
        expect(outcome(await question())).toBe('503 search_unavailable');
        const { api_key: scoped } = await alice.createApiKey(shop.id, {
          filter: { type: 'ne', key: 'audience', value: 'staff' },
        });
        expect(outcome(await partner.query(scoped, 'Haus'))).toBe('503 search_unavailable');
        expect(await move('opensearch')).toMatchObject({ code: 0 });
        expect(await shop.titles('Haus')).toEqual(['Siedlung']);
      },
      TIMEOUT_MS,
    );
  },
);
