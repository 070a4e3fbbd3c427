import { describe, expect, it } from '@jest/globals';
import { SendingCapacity } from './sending-capacity.js';
import { Webhook } from './webhook.entity.js';

const of = (userId: string, failing = false) => ({
  userId,
  webhook: Object.assign(new Webhook(), { failing }),
});

describe(SendingCapacity, () => {
  it('leaves three quarters of a process to other users', () => {
    const capacity = new SendingCapacity([]);
    expect(capacity.findLimit(of('m'))).toEqual({ limit: 'user', places: 64 });
    capacity.take(of('m'), 64);
    expect(capacity.findLimit(of('m'))).toEqual({ limit: 'user', places: 0 });
    expect(capacity.findLimit(of('n'))).toEqual({ limit: 'user', places: 64 });
  });

  it('leaves half of a process to receivers that respond', () => {
    const capacity = new SendingCapacity([]);
    capacity.take(of('m', true), 64);
    capacity.take(of('n', true), 60);
    expect(capacity.findLimit(of('o', true))).toEqual({ limit: 'failing', places: 4 });
    expect(capacity.findLimit(of('o'))).toEqual({ limit: 'user', places: 64 });
  });

  it('is full at 256 deliveries', () => {
    const capacity = new SendingCapacity([]);
    for (const user of ['m', 'n', 'o', 'p']) capacity.take(of(user), 63);
    expect(capacity.findLimit(of('q'))).toEqual({ limit: 'process', places: 4 });
    capacity.take(of('q'), 4);
    expect(capacity.isFull).toBe(true);
    expect(SendingCapacity.none.isFull).toBe(true);
  });
});
