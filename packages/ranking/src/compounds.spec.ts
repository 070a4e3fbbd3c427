import { describe, expect, it } from '@jest/globals';
import { splitCompounds } from './compounds.js';
import { stem } from '@latchkey/text/tokenize';

/** An index that has words in some passages. */
const indexWith = (known: Record<string, number>) => ({
  frequencies: (stems: readonly string[]) =>
    new Map(
      Object.entries(known)
        .map(([word, frequency]) => [stem(word, 'de'), frequency] as const)
        .filter(([one]) => stems.includes(one)),
    ),
});

describe(splitCompounds.name, () => {
  it('takes a word apart into two that the index has', async () => {
    const index = indexWith({ eisenbahn: 3, strecke: 5 });
    const parts = await splitCompounds(index, ['eisenbahnstrecken', 'eisenbahnbrucke'], ['de']);
    expect([...parts.keys()]).toEqual(['eisenbahnstrecken']);
    expect(parts.get('eisenbahnstrecken')).toEqual([
      { stem: stem('eisenbahn', 'de'), frequency: 3 },
      { stem: stem('strecken', 'de'), frequency: 5 },
    ]);
  });

  it('takes the rarest parts where there are several ways', async () => {
    const index = indexWith({ haus: 50, hausboot: 2, bootsteg: 2, steg: 9 });
    const parts = await splitCompounds(index, ['hausbootsteg'], ['de']);
    expect(parts.get('hausbootsteg')?.map(({ frequency }) => frequency)).toEqual([2, 9]);
  });

  it('takes a code apart into its letters and digits', async () => {
    const index = indexWith({ kx: 2, 100: 7 });
    const parts = await splitCompounds(index, ['kx100', 'kx200'], ['de']);
    expect([...parts]).toEqual([
      [
        'kx100',
        [
          { stem: 'kx', frequency: 2 },
          { stem: '100', frequency: 7 },
        ],
      ],
    ]);
  });

  it('takes no word apart in other ways, or into parts that are too short', async () => {
    const index = indexWith({ see: 1, weg: 1, abc1: 1, defg: 1 });
    expect(await splitCompounds(index, ['seeweg', 'abc1defg', 'x'.repeat(500)], ['de'])).toEqual(
      new Map(),
    );
  });
});
