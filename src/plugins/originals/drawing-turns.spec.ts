import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DrawingTurns } from './drawing-turns.js';

describe(DrawingTurns.name, () => {
  it('draws one page of a credential at a time, and two in all', async () => {
    const turns = new DrawingTurns();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const draw = (owner: string) =>
      turns.run(owner, () => {
        begun.push(owner);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = [draw('alice'), draw('alice'), draw('bob'), draw('carol')];
    await immediate();
    expect(begun).toEqual(['alice', 'bob']);
    ends[1]?.();
    await all[2];
    await immediate();
    expect(begun).toEqual(['alice', 'bob', 'carol']);
    ends[0]?.();
    await all[0];
    await immediate();
    expect(begun).toEqual(['alice', 'bob', 'carol', 'alice']);
    for (const end of ends) end();
    await Promise.all(all);
  });

  it('lets a credential that asks for more at once wait, and goes on after a failure', async () => {
    const turns = new DrawingTurns();
    const failing = turns.run('alice', () => Promise.reject(new Error('damaged')));
    const waiting = [turns.run('alice', () => Promise.resolve(1))];
    waiting.push(turns.run('alice', () => Promise.resolve(2)));
    await expect(turns.run('alice', () => Promise.resolve(3))).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '1' },
    });
    await expect(failing).rejects.toThrow('damaged');
    expect(await Promise.all(waiting)).toEqual([1, 2]);
  });
});
