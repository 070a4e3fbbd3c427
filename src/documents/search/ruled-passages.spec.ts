import { describe, expect, it } from '@jest/globals';
import { RuledPassages } from './ruled-passages.js';

const row = (number: number, setId: string | null, tokens: number | null = 10) => ({
  ...{ number, setId, tokens },
  language: number % 2 === 0 ? 'en' : 'de',
});
const seen = (passages: RuledPassages, ...setIds: (string | null)[]) => {
  const { numbers, statistics } = passages.of(setIds);
  return { numbers: [1, 2, 3, 4, 5].filter((number) => numbers.has(number)), ...statistics };
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

  it('counts each once, when the index has it', () => {
    const passages = new RuledPassages();
    const whole = { passages: 3, tokens: 30, languages: ['en'] };
    expect(passages.add([row(1, 'a'), row(2, 'a', null), row(3, 'a')])).toBe(2);
    expect(passages.isComplete(whole)).toBe(false);
    expect(passages.add([row(2, 'a'), row(3, 'a')])).toBeUndefined();
    expect(passages.isComplete(whole)).toBe(true);
    expect(seen(passages, 'a')).toMatchObject({ numbers: [1, 2, 3], passages: 3, tokens: 30 });
  });
});
