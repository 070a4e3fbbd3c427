import { describe, expect, it } from '@jest/globals';
import { demandOf, storageOf } from './demand.mjs';
import { sizeOf } from './deployments.mjs';
import { BUSY, busyAt, limitsOf } from './limits.mjs';
import type { Costs } from './measure.mjs';

const cost = { serviceCpuMs: 2, databaseCpuMs: 1, walBytes: 500, statements: 5 };
const kinds = ['document', 'query', 'queryWithRedis', 'chat', 'refusedKey', 'list', 'report'];
const recorded = { conversations: 0.5, messages: 2, usage_records: 1 };
const size = { bytes: 300_000, rows: 1000 };
const COSTS: Costs = {
  machine: { processor: 'one', node: 'v24', at: '2026-01-01', source: 'none' },
  document: { chunks: 10, bytesOfText: 6000 },
  requests: Object.fromEntries(kinds.map((name) => [name, { ...cost, rows: recorded }])),
  idle: { ...cost, serviceCpuMs: 0, databaseCpuMs: 0, rows: {} },
  tables: Object.fromEntries(
    ['documents', 'chunks', 'messages', 'usage_records'].map((table) => [table, size]),
  ),
};
const load = (factor: number) => ({
  knowledgeBases: 1000 * factor,
  requestsPerSecond: 1000 * factor,
  hasRedis: true,
});

describe('the size of a deployment', () => {
  it('follows from the costs of its requests', () => {
    const { serviceCores, databaseCores } = demandOf(COSTS, load(1));
    // And some documents.
    expect(serviceCores).toBeCloseTo(2, 1);
    expect(databaseCores).toBeCloseTo(1, 1);
    expect(sizeOf(COSTS, load(1), 0.5)).toMatchObject({ processes: 5, machines: 2, databases: 1 });
  });

  it('grows with the load', () => {
    const [one, ten] = [1, 10].map((factor) => ({
      demand: demandOf(COSTS, load(factor)),
      storage: storageOf(COSTS, load(factor)),
    }));
    expect(ten?.demand.databaseCores).toBeCloseTo(10 * Number(one?.demand.databaseCores), 6);
    one?.storage.forEach(({ bytes }, index) => {
      expect(ten?.storage[index]?.bytes).toBeCloseTo(10 * bytes, -3);
    });
  });

  it('a limit is reached where its resource is busy', () => {
    for (const limit of limitsOf(COSTS)) {
      const at = busyAt(limit);
      if (Number.isFinite(at)) expect(limit.utilisation(at)).toBeGreaterThanOrEqual(BUSY);
      if (Number.isFinite(at)) expect(limit.utilisation(at * 0.9)).toBeLessThan(BUSY);
    }
  });
});
