import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey, type KnowledgeBase } from '../../../test/support/client.js';
import {
  newUserId,
  sharedService,
  type SharedService,
} from '../../../test/support/shared-service.js';

const QUESTION = 'How long may customers return an order?';
const ANSWER = 'Customers may return any order within 30 days of delivery.';

interface Reply {
  readonly records: { content: string; score: number; title: string; metadata: object }[];
  readonly error_code: number;
  readonly error_msg: string;
}

describe('Dify’s external knowledge API', () => {
  let service: SharedService;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('dify'));
    kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, {
      title: 'Returns policy',
      text: ANSWER,
      metadata: { department: 'support', year: 2026 },
    });
    await alice.addDocument(kb.id, { title: 'Shipping', text: 'Orders are shipped on workdays.' });
    key = await alice.createApiKey(kb.id);
  });

  async function retrieve(more: object = {}, authorization = `Bearer ${key.api_key}`) {
    const response = await fetch(`${service.url}/dify/retrieval`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify({
        knowledge_id: kb.id,
        query: QUESTION,
        retrieval_setting: { top_k: 2, score_threshold: 0.5 },
        ...more,
      }),
    });
    return { status: response.status, body: (await response.json()) as Reply };
  }

  it('answers with records that have a score from 0 to 1 and an object as metadata', async () => {
    const { status, body } = await retrieve();
    expect(status).toBe(200);
    expect(body.records[0]).toMatchObject({
      content: ANSWER,
      title: 'Returns policy',
      metadata: { department: 'support', year: 2026 },
    });
    for (const { score, metadata } of body.records) {
      expect(score).toBeGreaterThanOrEqual(0.5);
      expect(score).toBeLessThanOrEqual(1);
      expect(metadata).toEqual(expect.any(Object));
    }
  });

  it.each([
    ['department', 'is', 'support', 1],
    ['department', 'is', 'sales', 0],
    ['department', 'is not', 'support', 1],
    ['year', '≥', 2026, 1],
    ['year', '<', 2026, 0],
    ['department', 'in', 'sales, support', 1],
    ['department', 'not in', ['sales', 'support'], 1],
    ['year', 'in', [2025, 2026], 1],
    // Older versions of Dify send these.
    [['department'], 'is', 'support', 1],
    [['team', 'department'], '=', 'support', 1],
  ])('filters by metadata: %j %s %j', async (name, comparison_operator, value, count) => {
    const conditions = [{ name, comparison_operator, value }];
    const { body } = await retrieve({
      metadata_condition: { logical_operator: 'and', conditions },
      retrieval_setting: { top_k: 1, score_threshold: 0.3 },
    });
    expect(body.records).toHaveLength(count);
  });

  // Dify writes every field of its model, those without a value as null.
  it.each([
    null,
    { logical_operator: 'and', conditions: null },
    { logical_operator: null, conditions: [] },
  ])('filters nothing by %j', async (metadata_condition) => {
    const { status, body } = await retrieve({
      metadata_condition,
      retrieval_setting: { top_k: 2, score_threshold: 0 },
    });
    expect(status).toBe(200);
    expect(body.records[0]?.title).toBe('Returns policy');
  });

  it.each([
    ['or', ['Returns policy', 'Shipping']],
    ['and', []],
  ])('joins its conditions by %j', async (logical_operator, titles) => {
    const conditions = [
      { name: 'department', comparison_operator: 'is', value: 'support' },
      { name: 'department', comparison_operator: 'is not', value: 'support' },
    ];
    const { body } = await retrieve({
      query: 'return an order shipped',
      metadata_condition: { logical_operator, conditions },
      retrieval_setting: { top_k: 2, score_threshold: 0 },
    });
    expect(body.records.map(({ title }) => title).sort()).toEqual(titles);
  });

  it.each([
    ['without a header', '', 403, 1001],
    ['with a header of another form', 'Basic abc', 403, 1001],
    ['with a wrong key', 'Bearer rag_live_wrong', 403, 1002],
  ])('answers %s as Dify documents it', async (_, authorization, status, code) => {
    const answer = await retrieve({}, authorization);
    expect([answer.status, answer.body.error_code]).toEqual([status, code]);
    expect(answer.body.error_msg).toEqual(expect.any(String));
  });

  it('does not know another knowledge base, nor an id that is none', async () => {
    const other = await alice.createKnowledgeBase();
    for (const knowledge_id of [other.id, 'kb_1', '']) {
      const { status, body } = await retrieve({ knowledge_id });
      expect([status, body.error_code]).toEqual([404, 2001]);
    }
  });

  it.each([
    [{ query: '' }, 'query'],
    [{ query: 7 }, 'query'],
    [{ retrieval_setting: { top_k: 0 } }, 'top_k'],
    [{ retrieval_setting: undefined }, 'retrieval_setting'],
    [
      {
        metadata_condition: {
          conditions: [{ name: 'a', comparison_operator: 'contains', value: 'b' }],
        },
      },
      'comparison_operator',
    ],
    [{ more: 1 }, 'more'],
  ])('names what is wrong with %j', async (more, field) => {
    const { status, body } = await retrieve(more);
    expect(status).toBe(400);
    expect(body.error_msg).toContain(field);
  });

  it.each([
    [{ name: 'a', comparison_operator: 'not empty', value: null }, 'comparison_operator'],
    [{ name: 'a', comparison_operator: 'is', value: null }, 'value'],
    [{ name: 7, comparison_operator: 'is', value: 'b' }, 'name'],
    [{ name: ['a', 7], comparison_operator: 'is', value: 'b' }, 'name'],
    [{ name: [], comparison_operator: 'is', value: 'b' }, 'name'],
    [{ name: Array(21).fill('a'), comparison_operator: 'is', value: 'b' }, 'name'],
  ])('names what is wrong with the condition %j', async (condition, field) => {
    const { status, body } = await retrieve({ metadata_condition: { conditions: [condition] } });
    expect(status).toBe(400);
    expect(body.error_msg).toContain(field);
  });
});
