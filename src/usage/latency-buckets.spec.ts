import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bucketOf, percentile } from './latency-buckets.js';

const counted = (latencies: readonly number[]) => {
  const counts = new Map<number, number>();
  for (const latency of latencies) {
    counts.set(bucketOf(latency), (counts.get(bucketOf(latency)) ?? 0) + 1);
  }
  return counts;
};

describe(percentile.name, () => {
  it('is right to within 10 %, whatever was measured', () => {
    const latencies = fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 1 });
    fc.assert(
      fc.property(latencies, fc.constantFrom(0.5, 0.95, 1), (measured, q) => {
        const sorted = [...measured].sort((a, b) => a - b);
        const exact = Number(sorted[Math.ceil(q * sorted.length) - 1]);
        expect(Math.abs(Number(percentile(counted(measured), q)) - exact)).toBeLessThanOrEqual(
          exact / 10,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('is null where nothing was measured', () => {
    expect(percentile(new Map(), 0.5)).toBeNull();
  });
});
