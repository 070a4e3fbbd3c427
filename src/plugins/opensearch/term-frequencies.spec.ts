import { describe, expect, it } from '@jest/globals';
import { createFrequencyReader, writeFrequencies } from './term-frequencies.js';

describe(createFrequencyReader.name, () => {
  it('reads how often each term was written, and 0 for others', () => {
    const stored = writeFrequencies(['bicycl', 'and', '自行', 'x'], [3, 1, 70_000, 2]);
    const read = createFrequencyReader(['x', 'unknown', '自行', 'bicycl', 'and']);
    expect([...read(stored)]).toEqual([2, 0, 255, 3, 1]);
    expect([...read('')]).toEqual([0, 0, 0, 0, 0]);
  });
});
