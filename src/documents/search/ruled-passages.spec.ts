import { describe, expect, it } from '@jest/globals';
import { RuledPassages } from './ruled-passages.js';

const row = (number: number, setId: string | null, tokens = 10, isClosed = false) => ({
  ...{ number, setId, tokens, isClosed },
  language: number % 2 === 0 ? 'en' : 'de',
});
const seen = (passages: RuledPassages, ...setIds: (string | null)[]) => {
  const { numbers, statistics } = passages.selectReadable(setIds);
  const shown = [1, 2, 3, 4, 5].filter((number) => numbers.has(number));
  expect([...numbers]).toEqual(shown);
  return { numbers: shown, ...statistics };
};

describe(RuledPassages.name, () => {
  it('shows those of the sets that are named, and counts them', () => {
    const passages = new RuledPassages();
    passages.add([row(1, 'a'), row(2, 'b'), row(3, null), row(4, 'b', 30)]);
    expect(seen(passages, 'b', 'unknown')).toEqual({
      ...{ numbers: [2, 4], passages: 2, tokens: 40, languages: ['en'] },
    });
    expect(seen(passages, 'a', null)).toMatchObject({ numbers: [1, 3], languages: ['de'] });
    expect(seen(passages)).toMatchObject({ numbers: [], passages: 0 });
  });

  it('shows nobody those that are closed', () => {
    const passages = new RuledPassages();
    passages.add([row(1, 'a'), row(2, 'a', 10, true), row(3, null, 10, true)]);
    expect(seen(passages, 'a', null)).toMatchObject({ numbers: [1], passages: 1, tokens: 10 });
  });

  it('counts each once, by the rule that it got last', () => {
    const passages = new RuledPassages();
    passages.add([row(1, 'a'), row(2, 'a')]);
    passages.add([row(2, 'b'), row(1, 'a')]);
    expect(seen(passages, 'a')).toMatchObject({ numbers: [1], passages: 1, tokens: 10 });
    expect(seen(passages, 'b')).toMatchObject({ numbers: [2], passages: 1, tokens: 10 });
  });

  it('tells a search that passages were removed or got another rule since it began', () => {
    const passages = new RuledPassages();
    passages.add([row(1, 'a'), row(2, 'a')]);
    const changed = (change: () => void) => {
      const wereRemoved = passages.watchRemovals();
      expect(wereRemoved()).toBe(false);
      change();
      return wereRemoved();
    };
    expect(
      changed(() => {
        passages.add([row(3, 'b'), row(1, 'a')]);
      }),
    ).toBe(false);
    expect(
      changed(() => {
        passages.add([row(1, 'new')]);
      }),
    ).toBe(true);
    expect(
      changed(() => {
        passages.remove([[2, 'en', 10]]);
      }),
    ).toBe(true);
    expect(
      changed(() => {
        passages.remove([]);
      }),
    ).toBe(false);
  });

  it('forgets those that are removed, once', () => {
    const passages = new RuledPassages();
    passages.add([row(1, 'a'), row(2, 'a'), row(3, 'a', 7)]);
    passages.remove([[2, 'en', 10]]);
    passages.remove([
      [2, 'en', 10],
      [4, 'en', 10],
    ]);
    expect(seen(passages, 'a')).toMatchObject({
      ...{ numbers: [1, 3], passages: 2, tokens: 17, languages: ['de'] },
    });
  });

  it('counts what its sets take, as long as they have passages', () => {
    const passages = new RuledPassages();
    const rows = (setOf: (number: number) => string) =>
      Array.from({ length: 1000 }, (_, number) => row(number, setOf(number)));
    passages.add(rows(() => 'a'));
    const { bytes } = passages;
    passages.add(rows(String));
    expect(passages.bytes).toBeGreaterThan(bytes + 1000 * 300);
    passages.add(rows(() => 'a'));
    expect(passages.bytes).toBe(bytes);
  });

  it('shows nobody a set that takes the place of one that he saw', () => {
    const passages = new RuledPassages();
    passages.add([row(1, 'a'), row(2, 'b')]);
    const { numbers } = passages.selectReadable(['a']);
    passages.add([row(1, 'b')]);
    passages.add([row(3, 'c')]);
    expect([1, 2, 3].filter((number) => numbers.has(number))).toEqual([]);
    expect([...numbers]).toEqual([]);
    expect(seen(passages, 'c')).toMatchObject({ numbers: [3], passages: 1 });
  });
});
