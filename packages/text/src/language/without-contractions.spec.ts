import { describe, expect, it } from '@jest/globals';
import { withoutContractions } from './without-contractions.js';

describe(withoutContractions, () => {
  it.each([
    ["What's the weather?", 'What the weather?'],
    ['Who’ll pay if it doesn’t arrive?', 'Who pay if it does arrive?'],
    ["I can't log in", 'I   log in'],
    ["the buyer's invoice", 'the buyer invoice'],
    ["O'Brien, l'eau, aujourd'hui, rock'n'roll", "O'Brien, l'eau, aujourd'hui, rock'n'roll"],
    ["sizes 'S' and 'M'", "sizes 'S' and 'M'"],
  ])('%s', (question, expected) => {
    expect(withoutContractions(question)).toBe(expected);
  });
});
