import { beforeAll, describe, expect, it } from '@jest/globals';
import { atOnce, Client, outcomes, type Page } from '../../../test/support/client.js';
import { eventually } from '../../../test/support/service.js';
import { newUserId, sharedService } from '../../../test/support/shared-service.js';

const QUESTION = 'How long may customers return an order?';

interface Evaluation {
  id: string;
  status: string;
  progress: number;
  settings: Record<string, unknown>;
  figures: Record<string, number | null> | null;
  questions: { rank: number | null; answered: boolean; right: boolean | null }[];
}

describe('questions of dashboard users', () => {
  let alice: Client;
  let bob: Client;
  let kbId: string;

  beforeAll(async () => {
    const service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    bob = new Client(service, newUserId('bob'));
    kbId = (await alice.createKnowledgeBase()).id;
    const text = 'Customers may return any order within 30 days of delivery.';
    await alice.addDocument(kbId, { title: 'Returns', text, external_id: 'returns' });
    const buses = 'King County Metro operates buses in Seattle.';
    await alice.addDocument(kbId, { title: 'Metro', text: buses, external_id: 'metro' });
  });

  const chat = (body: object) =>
    alice.post<{ answer: string; answered: boolean; sources: unknown[] }>(
      `/kbs/${kbId}/chat`,
      body,
    );

  it('are answered, with settings to try out, and nothing is kept', async () => {
    const { status, body } = await chat({ message: QUESTION });
    expect([status, body.answered]).toEqual([200, true]);
    expect(body.answer).toContain('within 30 days');
    const settings = { answer_threshold: 1, refusal_text: 'No.' };
    const strict = await chat({ message: 'Which Metro operates buses in France?', settings });
    expect(strict.body).toMatchObject({ answer: 'No.', answered: false, sources: [] });
    const found = await alice.post<{ results: unknown[] }>(`/kbs/${kbId}/query`, {
      message: 'customers buses',
      settings: { top_k: 1 },
    });
    expect(found.body.results).toHaveLength(1);
    const { body: kept } = await alice.get<{ total: number }>(`/kbs/${kbId}/conversations`);
    expect(kept.total).toBe(0);
  });

  it('are refused where the documents do not speak of them', async () => {
    const { body } = await chat({ message: 'Who is the king of France?' });
    expect(body).toMatchObject({ answered: false, sources: [] });
  });

  it('are those of members, and have known fields only', async () => {
    expect((await bob.post(`/kbs/${kbId}/chat`, { message: QUESTION })).status).toBe(404);
    const bad = await chat({ message: QUESTION, settings: { chunk_size: 100 } });
    expect(bad.status).toBe(400);
    expect((await chat({ message: QUESTION, api_key: 'x' })).status).toBe(400);
  });

  it('are evaluated in the background', async () => {
    const questions = [
      { question: QUESTION, external_ids: ['returns'], answer_contains: '30 Days' },
      { question: 'Who is the king of France?', answerable: false },
    ];
    const created = await alice.post<Evaluation>(`/kbs/${kbId}/evaluations`, {
      settings: { top_k: 2 },
      questions,
    });
    expect(created.status).toBe(202);
    expect(created.body.settings).toMatchObject({ top_k: 2, answer_threshold: null });
    const { id } = created.body;
    let evaluation = created.body;
    await eventually(async () => {
      evaluation = (await alice.get<Evaluation>(`/evaluations/${id}`)).body;
      return evaluation.status === 'complete';
    }, 60_000);
    expect(evaluation.progress).toBe(1);
    expect(evaluation.figures).toMatchObject({
      ...{ hit_at_1: 1, hit_at_5: 1, mrr_at_10: 1, ndcg_at_10: 1 },
      ...{ answered_rate: 1, right_rate: 1, false_answer_rate: 0 },
    });
    expect(evaluation.questions.map(({ rank, right }) => [rank, right])).toEqual([
      [1, true],
      [null, true],
    ]);
    expect((await bob.get(`/evaluations/${id}`)).status).toBe(404);
    expect((await alice.call('DELETE', `/evaluations/${id}`)).status).toBe(200);
    expect((await alice.get(`/evaluations/${id}`)).status).toBe(404);
  });

  it('are evaluated with the questions before them, and by several lists of texts', async () => {
    const followUp = {
      question: 'And within how many days?',
      history: ['Hello!', 'May customers return an order?'],
      external_ids: ['returns'],
    };
    const { body } = await alice.post<Evaluation>(`/kbs/${kbId}/evaluations`, {
      questions: [
        { ...followUp, answer_contains_all: [['30 days', 'a month'], ['Delivery']] },
        { ...followUp, answer_contains_all: [['30 days'], ['free of charge']] },
        { ...followUp, answer_contains: '30 days', answer_contains_all: [['never']] },
        { ...followUp, history: ['Which buses does Metro operate?'] },
      ],
    });
    let evaluation = body;
    await eventually(async () => {
      evaluation = (await alice.get<Evaluation>(`/evaluations/${body.id}`)).body;
      return evaluation.status === 'complete';
    }, 60_000);
    expect(evaluation.questions[0]).toMatchObject({ ...followUp, rank: 1, answered: true });
    expect(evaluation.questions.map(({ right }) => right).slice(0, 3)).toEqual([
      ...[true, false, false],
    ]);
    expect(evaluation.questions[3]?.rank).not.toBe(1);
  });

  it.each([
    ['history', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['history', ['']],
    ['answer_contains_all', ['30 days']],
    ['answer_contains_all', [[]]],
    ['answer_contains_all', Array.from({ length: 21 }, () => ['30 days'])],
  ])('are refused with a bad %s: %j', async (field, value) => {
    const questions = [{ question: QUESTION, [field]: value }];
    const { status, text } = await alice.post(`/kbs/${kbId}/evaluations`, { questions });
    expect(status).toBe(400);
    expect(text).toContain(`questions.0.${field}`);
  });

  it('are at most ten evaluations that are not finished, and do not delay others', async () => {
    const { id } = await alice.createKnowledgeBase();
    const questions = Array.from({ length: 2000 }, () => ({ question: QUESTION }));
    const create = () => alice.post<Evaluation>(`/kbs/${id}/evaluations`, { questions });
    const answers = await atOnce(11, create);
    expect(outcomes(answers)).toEqual({ '202': 10, '429 knowledge_base_busy': 1 });
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toMatch(/^[1-9]/);

    // A knowledge base with one evaluation does not wait for ten of another.
    const other = await bob.createKnowledgeBase();
    const { id: small } = await bob.createEvaluation(other.id);
    const statusOf = async (client: Client, evaluation: string) =>
      (await client.get<Evaluation>(`/evaluations/${evaluation}`)).body.status;
    await eventually(async () => (await statusOf(bob, small)) === 'complete', 60_000);
    const ids = answers.flatMap(({ status, body }) => (status === 202 ? [body.id] : [])).sort();
    expect(await statusOf(alice, ids.at(-1) ?? '')).toBe('pending');
    await alice.call('DELETE', `/kbs/${id}`);
  });

  it('are at most a hundred of all knowledge bases of a user, also when asked for at once', async () => {
    const mallory = new Client(await sharedService(), newUserId('mallory'));
    const kbs = await atOnce(11, () => mallory.createKnowledgeBase());
    const create = (index: number, questionCount = 1) =>
      mallory.post(`/kbs/${kbs[index % kbs.length]?.id}/evaluations`, {
        questions: Array.from({ length: questionCount }, () => ({ question: QUESTION })),
      });
    // The others of a knowledge base wait for its first one.
    expect(outcomes(await atOnce(11, (index) => create(index, 2000)))).toEqual({ '202': 11 });
    expect(outcomes(await atOnce(88, (index) => create(index)))).toEqual({ '202': 88 });
    const last = await atOnce(11, (index) => create(index));
    // An evaluation that ends meanwhile makes room for another one.
    const ended = await atOnce(11, async (index) => {
      const list = await mallory.get<Page<Evaluation>>(
        `/kbs/${kbs[index]?.id}/evaluations?limit=100`,
      );
      return list.body.data.filter(({ status }) => status === 'complete').length;
    });
    const room = 1 + ended.reduce((sum, count) => sum + count, 0);
    const { '202': accepted = 0, '429 knowledge_base_busy': refused = 0 } = outcomes(last);
    expect(accepted + refused).toBe(11);
    expect(accepted).toBeGreaterThanOrEqual(1);
    expect(accepted).toBeLessThanOrEqual(room);
    await atOnce(11, (index) => mallory.call('DELETE', `/kbs/${kbs[index]?.id}`));
  });

  it('take turns by user: fourteen knowledge bases of one do not delay another', async () => {
    // So many that none is complete before the other's turn.
    const questions = Array.from({ length: 2000 }, () => ({ question: QUESTION }));
    const service = await sharedService();
    const mallory = new Client(service, newUserId('mallory'));
    const kbs = await atOnce(14, () => mallory.createKnowledgeBase());
    const created = await atOnce(14, (n) =>
      mallory.post<Evaluation>(`/kbs/${kbs[n]?.id}/evaluations`, { questions }),
    );
    const { id: small } = await bob.createEvaluation((await bob.createKnowledgeBase()).id);
    await eventually(
      async () => (await bob.get<Evaluation>(`/evaluations/${small}`)).body.status === 'complete',
    );
    const states = await atOnce(14, (n) =>
      mallory.get<Evaluation>(`/evaluations/${created[n]?.body.id}`),
    );
    // Each of two processes has one of them at a time.
    const complete = states.filter(({ body }) => body.status === 'complete');
    expect(complete.length).toBeLessThan(7);
    await atOnce(14, (n) => mallory.call('DELETE', `/kbs/${kbs[n]?.id}`));
  });

  it('are not evaluated with documents that do not exist', async () => {
    const questions = [{ question: 'a' }, { question: 'b', external_ids: ['returns', 'none'] }];
    const { status, text } = await alice.post(`/kbs/${kbId}/evaluations`, { questions });
    expect(status).toBe(400);
    expect(text).toContain('questions.1.external_ids.1');
  });
});
