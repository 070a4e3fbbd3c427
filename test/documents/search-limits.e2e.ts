import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import {
  type Answer,
  atOnce,
  Client,
  type Document,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { hold, sql } from '../support/sql.js';
import { STALLED_MS } from '../support/stalled.js';
import { onlyOn } from '../support/requirement.js';

const COMMON = Array.from({ length: 60 }, (_, n) => `word${n}`);
const QUESTION = COMMON.join(' ');
/** Far more than may wait, since some are answered before the last one comes. */
const QUESTIONS = 1000;
/** So few that they are answered within the time of waiting where each of the others takes a second. */
const OTHERS = 5;
const NOTHING = { type: 'eq', key: 'kind', value: 'none' };

/** Passages with most of the common words each, in an order of their own. */
const passages = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const words = COMMON.filter((_, index) => (n + index) % 7 > 0);
    return `# Part ${n}\n\n${[...words.slice(n % 50), ...words.slice(0, n % 50)].join(' ')}`;
  });

async function knowledgeBase(alice: Client, count: number) {
  const { id } = await alice.createKnowledgeBase();
  const { api_key: secret } = await alice.createApiKey(id);
  const text = passages(count).join('\n\n');
  if (count > 0) {
    await alice.post(`/kbs/${id}/documents`, { title: 'All', text, mime_type: 'text/markdown' });
    await eventually(async () => {
      const { body } = await alice.get<Page<Document>>(`/kbs/${id}/documents?status=ready`);
      return body.total === 1;
    });
  }
  return { id, secret };
}

describe('searches', () => {
  let service: Service;
  let alice: Client;
  let partner: Client;
  /** Opens a knowledge base that takes long to search. */
  let secret: string;

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice');
    partner = new Client(service);
    ({ secret } = await knowledgeBase(alice, 1500));
  });
  afterAll(() => service.stop());

  it('end at the time limit, and report it', async () => {
    // Shorter than any search takes that has to read something.
    const hurried = await Service.start({ ...service.environment, SEARCH_TIMEOUT_MS: '1' });
    const asker = new Client(hurried);
    try {
      for (const more of [{}, { filter: NOTHING }]) {
        const answer = await asker.query(secret, QUESTION, more);
        expect([outcome(answer), answer.body]).toMatchObject(['200', { partial: true }]);
      }
      const answer = await asker.chat(secret, QUESTION);
      expect([outcome(answer), answer.body]).toMatchObject(['200', { partial: true }]);
      const stream = await ChatStream.open(hurried, { api_key: secret, message: QUESTION });
      await eventually(() => stream.end !== undefined);
      expect(stream.end).toMatchObject({ partial: true });
    } finally {
      await hurried.stop();
    }
  });

  it('use the rarest words of a long question, wherever they stand', async () => {
    const { id, secret: short } = await knowledgeBase(alice, 30);
    await alice.addDocument(id, { title: 'Birds', text: 'A penguin among word1 and word2.' });
    const score = async (question: string) => {
      const { body } = await partner.query(short, question, { top_k: 50 });
      expect(body).not.toHaveProperty('partial');
      const birds = body.results.find(({ document_title }) => document_title === 'Birds');
      return birds?.score ?? 0;
    };
    const long = Array.from({ length: 3 }, (_, n) => `${COMMON.join(`x${n} `)} ${QUESTION}`).join(
      ' ',
    );
    expect(await score(`${long} penguin`)).toBeGreaterThan((await score(long)) * 2);
  });

  it('are refused if too many come at once, and those of others are answered', async () => {
    const other = await knowledgeBase(alice, 0);
    let refused: Answer<unknown> | undefined;
    // Again where they came so slowly that enough were answered before the last one.
    await eventually(async () => {
      const [answers, others] = await Promise.all([
        atOnce(QUESTIONS, () => partner.query(secret, QUESTION, { top_k: 50 })),
        atOnce(OTHERS, () => partner.query(other.secret, 'Anything?')),
      ]);
      expect(outcomes(others)).toEqual({ '200': OTHERS });
      const { '200': answered = 0, '429 knowledge_base_busy': busy = 0 } = outcomes(answers);
      expect([answered > 0, answered + busy]).toEqual([true, QUESTIONS]);
      refused = answers.find(({ status }) => status === 429);
      return refused !== undefined;
    });
    expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(outcome(await partner.query(secret, 'word1'))).toBe('200');
  });
});

onlyOn('postgres').describe('a statement that does not end', () => {
  const LOCK = 'LOCK TABLE search_blocks IN ACCESS EXCLUSIVE MODE';
  const start = async (environment: NodeJS.ProcessEnv) => {
    const service = await Service.start(environment);
    const alice = new Client(service, 'alice');
    return { service, secret: (await knowledgeBase(alice, 0)).secret };
  };
  const searching = async (service: Service) => {
    const [row] = await sql<{ count: string }>(
      service.environment,
      `SELECT count(*) FROM pg_stat_activity WHERE state = 'active'
         AND datname = current_database() AND query LIKE '%FROM search_blocks%'
         AND pid <> pg_backend_pid()`,
    );
    return Number(row?.count);
  };

  it.each([
    ['of a search', { SEARCH_TIMEOUT_MS: '300', DATABASE_STATEMENT_TIMEOUT_MS: '60000' }],
    ['of a statement', { SEARCH_TIMEOUT_MS: '60000', DATABASE_STATEMENT_TIMEOUT_MS: '3000' }],
  ])('is cancelled by the time limit %s, and the question answered', async (_, environment) => {
    const { service, secret } = await start(environment);
    const release = await hold(service.environment, LOCK);
    try {
      const begin = performance.now();
      const answer = await new Client(service).query(secret, QUESTION);
      expect([outcome(answer), answer.body]).toMatchObject(['200', { partial: true, results: [] }]);
      // Not by the other limit, which is a minute.
      expect(performance.now() - begin).toBeLessThan(STALLED_MS);
      await eventually(async () => (await searching(service)) === 0);
    } finally {
      await release();
      await service.stop();
    }
  });

  it('is cancelled when the client leaves', async () => {
    const limits = { SEARCH_TIMEOUT_MS: '60000', DATABASE_STATEMENT_TIMEOUT_MS: '60000' };
    const { service, secret } = await start(limits);
    const release = await hold(service.environment, LOCK);
    try {
      const client = new AbortController();
      const asked = fetch(`${service.url}/api/v1/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: secret, message: QUESTION }),
        signal: client.signal,
      }).catch(() => undefined);
      await eventually(async () => (await searching(service)) === 1);
      client.abort();
      await asked;
      await eventually(async () => (await searching(service)) === 0);
    } finally {
      await release();
      await service.stop();
    }
  });
});
