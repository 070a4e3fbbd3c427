import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { answersByWords } from './answers-by-words.js';

describe(answersByWords.name, () => {
  it('leaves turns to other work of the process', async () => {
    let isDone = false;
    let turns = 0;
    const other = async () => {
      while (!isDone) {
        await setImmediate();
        turns++;
      }
    };
    const working = other();
    const topics = Array.from({ length: 50 }, (_, n) => ({ question: `Is it open on day ${n}?` }));
    const found = await answersByWords(topics, () => Promise.resolve([]));
    isDone = true;
    await working;
    expect(found.size).toBe(50);
    expect(turns).toBeGreaterThanOrEqual(50);
  });

  it('finds the answers to the whole, or else the last where each question has one', async () => {
    const [open, far, dear] = [
      'When does the shop open?',
      'Where is the car park?',
      'How much is a ticket?',
    ];
    const answers: Record<string, string[]> = { [open]: ['a'], [far]: ['b', 'c'] };
    const messages = [open, `${open} ${far}`, `${open} ${dear}`, dear];
    const topics = messages.map((question) => ({ question }));
    const found = await answersByWords(topics, ({ asked }) =>
      Promise.resolve(answers[asked] ?? []),
    );
    expect([...found.values()]).toEqual([['a'], ['b', 'c'], [], []]);
  });
});
