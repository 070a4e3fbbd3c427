import { describe, expect, it } from '@jest/globals';
import { ConnectionTests } from './connection-tests.js';

describe(ConnectionTests, () => {
  it('lets a user test two connections at once, and all users eight', async () => {
    const tests = new ConnectionTests();
    const ends: (() => void)[] = [];
    const test = (userId: string) =>
      tests.run(userId, () => new Promise<void>((resolve) => ends.push(resolve)));
    const running = ['a', 'a', 'b', 'b', 'c', 'c', 'd'].map(test);
    const refused = { code: 'rate_limited', headers: { 'retry-after': '1' } };
    await expect(test('a')).rejects.toMatchObject(refused);
    running.push(test('d'));
    await expect(test('e')).rejects.toMatchObject({ code: 'worker_unavailable' });
    ends[0]?.();
    await running[0];
    running.push(test('a'));
    for (const end of ends) end();
    await Promise.all(running);
  });

  it('goes on after a test that fails', async () => {
    const tests = new ConnectionTests();
    const fail = () => tests.run('a', () => Promise.reject(new Error('refused')));
    for (let count = 0; count < 3; count++) await expect(fail()).rejects.toThrow('refused');
  });
});
