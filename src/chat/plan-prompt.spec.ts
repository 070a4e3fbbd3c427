import { describe, expect, it } from '@jest/globals';
import { MAX_SEARCHES, readPlan } from './plan-prompt.js';

describe('readPlan', () => {
  it.each([
    ['alone', '{"searches": ["price of A", "price of B"]}'],
    ['in a code block', '```json\n{\n  "searches": ["price of A",\n "price of B"]\n}\n```'],
    [
      'behind a thought',
      'Think {of it}. {"searches": []} {"searches":["price of A","price of B"]}',
    ],
    ['before a remark', '{"searches": ["price of A", "price of B"]} That is {all}.'],
  ])('reads a plan that stands %s', (_, reply) => {
    expect(readPlan(reply, [])).toEqual(['price of A', 'price of B']);
  });

  it.each([
    ['', []],
    ['price of A', []],
    ['{"searches": {"a": 1}}', []],
    ['{"searches": null}', []],
    ['{"searches": [true, 7, "", "…"]}', []],
    ['{"search": ["price of A"]}', []],
    ['{'.repeat(20_000), []],
    ['{}'.repeat(10_000), []],
  ])('finds no plan in %.30j', (reply, expected) => {
    expect(readPlan(reply, [])).toEqual(expected);
  });

  it('leaves out what was searched for, and what stands twice', () => {
    const reply = JSON.stringify({ searches: ['Price of a ', ' price of B', 'PRICE OF B'] });
    expect(readPlan(reply, ['price of A'])).toEqual(['price of B']);
  });

  it('takes no more, and no longer texts, than a search may have', () => {
    const searches = Array.from({ length: 9 }, (_, number) => `${number} 😀`.repeat(200));
    const plan = readPlan(JSON.stringify({ searches }), []);
    expect(plan).toHaveLength(MAX_SEARCHES);
    for (const text of plan) {
      expect(text.length).toBeLessThanOrEqual(300);
      expect(text.isWellFormed()).toBe(true);
    }
    expect(readPlan('{"searches": ["a\\u0000b\\ud83d"]}', [])).toEqual(['a b\ufffd']);
  });
});
