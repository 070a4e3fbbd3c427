import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addHistograms,
  toBucket,
  formatHistogram,
  parseHistograms,
  percentile,
} from './latency-histogram.js';

const histogramOf = (latencies: readonly number[]) =>
  latencies.reduce<ReadonlyMap<number, number>>(
    (sum, latency) => addHistograms(sum, new Map([[toBucket(latency), 1]])),
    new Map(),
  );

describe(percentile.name, () => {
  it('is right to within 10 %, whatever was measured', () => {
    const latencies = fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 1 });
    fc.assert(
      fc.property(latencies, fc.constantFrom(0.5, 0.95, 1), (measured, q) => {
        const sorted = [...measured].sort((a, b) => a - b);
        const exact = Number(sorted[Math.ceil(q * sorted.length) - 1]);
        const reported = Number(percentile(histogramOf(measured), q));
        expect(Math.abs(reported - exact)).toBeLessThanOrEqual(exact / 10);
      }),
      { numRuns: 2000 },
    );
  });

  it('is null where nothing was measured', () => {
    expect(percentile(new Map(), 0.5)).toBeNull();
  });
});

describe('the stored form', () => {
  const histograms = fc
    .array(fc.tuple(fc.nat(80), fc.integer({ min: 1, max: 1_000_000 })))
    .map((entries) => new Map(entries));

  it('is read as it was written', () => {
    expect(formatHistogram(histogramOf([3, 3, 4000]))).toBe('7:2,46:1');
    fc.assert(
      fc.property(histograms, (histogram) => {
        expect(parseHistograms(formatHistogram(histogram))).toEqual(histogram);
      }),
    );
  });

  it('is read as the sum of several, joined by commas', () => {
    fc.assert(
      fc.property(fc.array(histograms), (several) => {
        const sum = several.reduce<ReadonlyMap<number, number>>(addHistograms, new Map());
        expect(parseHistograms(several.map(formatHistogram).join())).toEqual(sum);
      }),
    );
  });
});
