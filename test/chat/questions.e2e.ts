import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atOnce, Client, outcome } from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const MALLORY = newUserId('mallory');
const AT_ONCE = 50;
const GENERATED = repetitions(150, 5000);

describe('documents', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId, { rate_limit_per_minute: 1_000_000 })).api_key;
  });

  const add = (body: object) => alice.addDocument(kbId, { title: 'Returns', ...body });
  const found = async (message: string) =>
    (await partner.query(secret, message, { top_k: 50 })).body.results;

  describe('asked by any text at all', () => {
    beforeEach(async () => {
      await add({ text: 'Customers "may" return any order AND get a refund. 退货 🔑 NEAR' });
      const other = await new Client(service, MALLORY).createKnowledgeBase();
      await new Client(service, MALLORY).addDocument(other.id, {
        title: 'Foreign',
        text: 'Customers may return any order AND get a refund. Foreign.',
      });
    });

    const ask = async (message: unknown) => {
      const answers = [await partner.query(secret, message), await partner.chat(secret, message)];
      expect(answers.map(({ text }) => text).join('')).not.toContain('Foreign');
      return answers.map(outcome);
    };

    it.each(
      [
        '"',
        '"""',
        'customers"',
        "customers' OR '1'='1",
        'customers AND OR NOT',
        'NEAR(customers return, 2)',
        'customers* ^return title:customers {title text}: -order +refund',
        '(((',
        'return:* & !order | <-> refund',
        '🔑👩‍👩‍👧‍👦',
        '退货政策是什么？',
        'كم يوما',
        '\0',
        'return\0order',
        'return \ud800 order \udc00',
        '\u202e\u2066\ufeff',
        '%s %d ${x} {{y}} <script>',
        '?'.repeat(8000),
        '"'.repeat(8000),
        '🔑'.repeat(8000),
        'a '.repeat(4000),
        Array.from({ length: 1300 }, (_, n) => `w${n}`).join(' '),
        'x'.repeat(8000),
      ].map((message) => [JSON.stringify(message).slice(0, 40), message]),
    )('answer 200: %s', async (_, message) => {
      expect(await ask(message)).toEqual(['200', '200']);
    });

    it.each(
      [
        '',
        ' ',
        ' \n\t\u00a0\u3000\ufeff',
        'x'.repeat(8001),
        '🔑'.repeat(8001),
        null,
        undefined,
        1,
        ['a'],
        {},
      ].map((message) => [JSON.stringify({ message }).slice(0, 40), message]),
    )('answer 400 to what is no question: %s', async (_, message) => {
      expect(await ask(message)).toEqual(['400 validation_failed', '400 validation_failed']);
    });

    it(`answer 200 to ${GENERATED} generated questions, from their own knowledge base alone`, async () => {
      const codeUnits = fc
        .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 60 })
        .map((units) => String.fromCharCode(...units));
      const fragments = ['"', "'", '*', '^', ':', '(', ')', '-', '+', '{', '}', '\\', '\0', ' '];
      const words = ['AND', 'OR', 'NOT', 'NEAR', 'customers', 'return', 'title', '退货', '&', '|'];
      const syntax = fc
        .array(fc.constantFrom(...fragments, ...words), { minLength: 1, maxLength: 30 })
        .map((parts) => parts.join(''));
      const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
      const question = fc.oneof(codeUnits, syntax, text).filter((one) => /\S/.test(one));
      const questions = fc.array(question, {
        minLength: AT_ONCE,
        maxLength: AT_ONCE,
      });
      await fc.assert(
        fc.asyncProperty(questions, async (messages) => {
          const answers = await atOnce(messages.length, (index) =>
            partner.query(secret, messages[index], { top_k: 50 }),
          );
          for (const answer of answers) {
            expect(answer.status).toBe(200);
            expect(answer.text).not.toContain('Foreign');
            expect(answer.body.results.length).toBeLessThanOrEqual(1);
          }
        }),
        { numRuns: GENERATED / AT_ONCE },
      );
    });
  });

  it('are found best first, at most top_k, down to min_score inclusive', async () => {
    await add({ title: 'One', text: 'Penguins, penguins and penguins.' });
    await add({ title: 'Two', text: 'Penguins and a great many other birds of the south.' });
    await add({ title: 'Three', text: `Penguins. ${'Something else altogether. '.repeat(20)}` });
    const all = await found('penguins');
    const scores = all.map(({ score }) => score);
    expect(scores).toHaveLength(3);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));

    const ask = async (more: object) => {
      const { body } = await partner.query(secret, 'penguins', more);
      return body.results.map(({ chunk_id }) => chunk_id);
    };
    const ids = all.map(({ chunk_id }) => chunk_id);
    expect(await ask({ top_k: 2 })).toEqual(ids.slice(0, 2));
    expect(await ask({ min_score: scores[1] })).toEqual(ids.slice(0, 2));
    expect(await ask({ min_score: Number(scores[0]) + 1 })).toEqual([]);
    for (const bad of [{ top_k: 0 }, { top_k: 51 }, { top_k: '5' }, { top_k: 1.5 }, { limit: 1 }]) {
      expect(outcome(await partner.query(secret, 'penguins', bad))).toBe('400 validation_failed');
    }
  });
});
