import { describe, expect, it } from '@jest/globals';
import type { FoundPassage } from '@latchkey/ranking/search-index';
import { WorkerUnavailableError } from '../platform/jobs/worker-errors.js';
import { Problem } from '../platform/problems/problem.js';
import { AnswerGenerator, type ModelAnswer, type PlanRequest } from './answer-generator.js';
import { FurtherSearch } from './further-search.js';
import { TokenTally } from './token-tally.js';

const USAGE = { promptTokens: 40, completionTokens: 5 };
const signal = new AbortController().signal;
const TIME = { wholeMs: 10_000_000, deadline: Infinity };

/** Plans these searches, one list for each round. */
class ScriptedGenerator extends AnswerGenerator {
  readonly asked: PlanRequest[] = [];

  constructor(private readonly rounds: readonly (readonly string[])[]) {
    super();
  }

  override chooseModel = (): string => 'scripted';

  override generate(): ModelAnswer {
    throw new Error('No answer is asked for');
  }

  override plan(request: PlanRequest) {
    this.asked.push(request);
    const searches = this.rounds[this.asked.length - 1] ?? [];
    return {
      model: 'scripted',
      expected: { promptTokens: 100, completionTokens: 10 },
      pieces: async function* () {
        yield await Promise.resolve(JSON.stringify({ searches }));
        yield { finishReason: 'stop' as const, usage: USAGE };
      },
    };
  }
}

const toPassage = (passageId: string, text = passageId) =>
  ({ passageId, documentId: `doc of ${passageId}`, text }) as FoundPassage;
const toResult = (passages: FoundPassage[], partial = false) => ({ passages, partial, terms: [] });

/** @param index the passages of each text, best first */
function createSearch(
  plans: readonly (readonly string[])[],
  index: Record<string, FoundPassage[]>,
  { rounds = 3, partial = false, fails = false } = {},
) {
  const generator = new ScriptedGenerator(plans);
  const search = (text: string) =>
    fails
      ? Promise.reject(new Problem('knowledge_base_busy'))
      : Promise.resolve(toResult(index[text] ?? [], partial));
  const first = toResult(index['question'] ?? []);
  const request = { question: 'question', history: [], temperature: null, model: null };
  const further = new FurtherSearch(generator, search, first, request, rounds, ['question']);
  return { generator, further };
}

const toIds = ({ found }: FurtherSearch) => found.passages.map(({ passageId }) => passageId);
const mayContinue = (further: FurtherSearch, left = 10_000_000) =>
  further.mayContinue({ wholeMs: 10_000_000, deadline: performance.now() + left });

describe(FurtherSearch.name, () => {
  it('finds the passages of all searches once, the best of each first', async () => {
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => toPassage(id)) as [
      ...[FoundPassage, FoundPassage, FoundPassage, FoundPassage, FoundPassage],
    ];
    const index = { question: [a, b], one: [b, c, d], two: [a, e, c] };
    const { further, generator } = createSearch([['one', 'two']], index);
    const tally = new TokenTally();
    const step = await further.searchAgain(tally, signal, TIME);
    expect(step).toEqual({ searches: ['one', 'two'], passages: 3 });
    expect(toIds(further)).toEqual(['a', 'c', 'e', 'b', 'd']);
    await further.searchAgain(tally, signal, TIME);
    expect(generator.asked.at(-1)).toMatchObject({
      searched: ['question', 'one', 'two'],
      passages: [a, c, e, b, d],
    });
    expect(tally.reported).toEqual({ promptTokens: 80, completionTokens: 10 });
  });

  it('adds a limited amount of text in a round, and drops nothing that was found', async () => {
    const long = (id: string) => toPassage(id, 'x'.repeat(5000));
    const question = [toPassage('a')];
    const one = Array.from({ length: 9 }, (_, n) => long(`one ${n}`));
    const { further } = createSearch([['one'], ['two']], { question, one, two: one });
    const tally = new TokenTally();
    // 3000 tokens are 12,000 characters.
    expect((await further.searchAgain(tally, signal, TIME)).passages).toBe(3);
    const ids = toIds(further);
    expect((await further.searchAgain(tally, signal, TIME)).passages).toBe(3);
    expect(toIds(further)).toEqual(expect.arrayContaining(ids));
    expect(toIds(further)).toHaveLength(7);
  });

  it('goes on until nothing is missing, for as many rounds as it may', async () => {
    const { further } = createSearch([['one'], []], {});
    expect(mayContinue(further)).toBe(true);
    await further.searchAgain(new TokenTally(), signal, TIME);
    expect(mayContinue(further)).toBe(true);
    await further.searchAgain(new TokenTally(), signal, TIME);
    expect(mayContinue(further)).toBe(false);
    const { further: other } = createSearch([['one']], {}, { rounds: 1 });
    await other.searchAgain(new TokenTally(), signal, TIME);
    expect(mayContinue(other)).toBe(false);
  });

  it('leaves half of the time for the answer', () => {
    const { further } = createSearch([], {});
    expect(mayContinue(further, 5_100_000)).toBe(true);
    expect(mayContinue(further, 4_900_000)).toBe(false);
  });

  it('expects all its rounds, with the passages that they may add', () => {
    const { further } = createSearch([], {}, { rounds: 3 });
    // Three plans, of which the second has 3000 tokens more and the third 6000; the answer 9000.
    expect(further.addExpected({ promptTokens: 1000, completionTokens: 50 })).toEqual({
      promptTokens: 1000 + 3 * 100 + 18_000,
      completionTokens: 50 + 3 * 10,
    });
  });

  it('ends with what was found if a plan or a search fails, and not if the client has left', async () => {
    const { further, generator } = createSearch([['one']], { question: [toPassage('a')] });
    generator.plan = () => {
      throw new Problem('model_timeout');
    };
    const tally = new TokenTally();
    expect(await further.searchAgain(tally, signal, TIME)).toEqual({ searches: [], passages: 0 });
    expect([mayContinue(further), further.isPartial, toIds(further)]).toEqual([false, true, ['a']]);
    const { further: other } = createSearch([['one']], {}, { fails: true });
    await other.searchAgain(tally, signal, TIME);
    expect([mayContinue(other), tally.reported]).toEqual([false, USAGE]);
    const { further: left } = createSearch([['one']], {}, { fails: true });
    await expect(left.searchAgain(tally, AbortSignal.abort(), TIME)).rejects.toThrow();
    const { further: third, generator: broken } = createSearch([['one']], {});
    broken.plan = () => {
      throw new WorkerUnavailableError('Search', 500);
    };
    await third.searchAgain(tally, signal, TIME);
    expect([mayContinue(third), third.isPartial]).toEqual([false, true]);
  });

  it('tells whether a search reached its time limit', async () => {
    const { further } = createSearch([['one']], {}, { partial: true });
    expect(further.isPartial).toBe(false);
    await further.searchAgain(new TokenTally(), signal, TIME);
    expect(further.isPartial).toBe(true);
  });
});
