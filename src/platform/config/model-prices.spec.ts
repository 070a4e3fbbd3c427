import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parsePrices } from './model-prices.js';

const LIST = '{"m": {"input": 1.25, "output": 10}, "free": {"input": 0, "output": 0}}';

describe(parsePrices, () => {
  it('reads a list, or a file with it, and shows it as JSON', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'prices-')), 'prices.json');
    writeFileSync(file, LIST);
    for (const prices of [parsePrices(LIST), parsePrices(file)]) {
      expect(prices?.get('m')).toEqual({ input: 1.25, output: 10 });
      expect(prices?.get('toString')).toBeUndefined();
      expect(JSON.parse(String(prices))).toEqual(JSON.parse(LIST));
    }
  });

  it.each([
    ...['{', '[]', '/no/such/file', '{"m": 1}', '{"m": null}', '{"m": {"input": 1}}'],
    ...['{"m": {"input": -1, "output": 1}}', '{"m": {"input": 1e9, "output": 1}}'],
    ...['{"m": {"input": "1", "output": 1}}', '{"m": {"input": 1, "output": 1, "cached": 1}}'],
  ])('takes nothing else: %s', (value) => {
    expect(parsePrices(value)).toBeUndefined();
  });
});
