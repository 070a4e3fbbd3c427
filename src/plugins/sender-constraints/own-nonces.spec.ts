import { describe, expect, it } from '@jest/globals';
import { OwnNonces } from './own-nonces.js';

const MINUTE = 60_000;

describe(OwnNonces.name, () => {
  let now = 0;
  const create = (maxUsed?: number) => new OwnNonces(() => now, maxUsed);

  it('take a proof once', () => {
    const nonces = create();
    const nonce = nonces.next;
    expect([nonces.use(nonce, 'a'), nonces.use(nonce, 'a'), nonces.use(nonce, 'b')]).toEqual([
      ...['new', 'used', 'new'],
    ]);
  });

  it('go on for a period after the next one was given, and are forgotten with their proofs', () => {
    const nonces = create();
    const first = nonces.next;
    nonces.use(first, 'a');
    now += 5 * MINUTE;
    const second = nonces.next;
    expect(second).not.toBe(first);
    expect([nonces.use(first, 'a'), nonces.use(first, 'b')]).toEqual(['used', 'new']);
    now += 5 * MINUTE;
    expect(nonces.next).not.toBe(second);
    expect([nonces.use(first, 'a'), nonces.use(first, 'c')]).toEqual(['ended', 'ended']);
    expect(nonces.use(second, 'a')).toBe('new');
  });

  it('end early where their memory is full, and admit nothing twice', () => {
    const nonces = create(4);
    const first = nonces.next;
    for (const id of ['a', 'b']) expect(nonces.use(first, id)).toBe('new');
    const second = nonces.next;
    expect(second).not.toBe(first);
    for (const id of ['c', 'd']) expect(nonces.use(first, id)).toBe('new');
    expect([nonces.use(first, 'a'), nonces.use(first, 'e')]).toEqual(['used', 'ended']);
    expect(nonces.use(second, 'e')).toBe('new');
    expect(nonces.use(first, 'a')).toBe('used');
  });

  it('are known by the process that made them, also when they have ended', () => {
    const [one, other] = [create(), create()];
    const nonce = one.next;
    now += 60 * MINUTE;
    expect([one.isOwn(nonce), other.isOwn(nonce)]).toEqual([true, false]);
    expect(other.use(nonce, 'a')).toBe('ended');
  });
});
