import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withChecksum } from '../support/api-key-secret.js';
import { Client, outcome } from '../support/client.js';
import { Service } from '../support/service.js';

const SAMPLES = 200;
const MARGIN_MS = 5;
/** A busy machine can disturb one measurement; what betrays a key shows in each. */
const MEASUREMENTS = 4;

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

describe('API keys that are refused', () => {
  let service: Service;
  let secrets: Record<string, string>;

  beforeAll(async () => {
    // At the cost of production: one compare would take 50 ms.
    service = await Service.start({ API_KEY_BCRYPT_COST: '10', LOG_LEVEL: 'warn' });
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    const key = await alice.createApiKey(id);
    const deleted = await alice.createApiKey(id);
    await alice.call('DELETE', `/api-keys/${deleted.id}`);
    secrets = {
      malformed: key.api_key.slice(0, -1),
      unknown: withChecksum(`rag_live_${'Ab3'.repeat(14)}`),
      wrong: withChecksum(key.prefix + 'z'.repeat(32)),
      deleted: deleted.api_key,
    };
  });

  afterAll(() => service.stop());

  /** How far the medians of the four kinds are apart, in milliseconds. */
  async function spread(): Promise<number> {
    const partner = new Client(service);
    const times = new Map<string, number[]>();
    const kinds = Object.entries(secrets);
    for (let sample = 0; sample < SAMPLES; sample++) {
      // What recurs here, such as collecting garbage, must not always come upon the same kind.
      kinds.push(...kinds.splice(0, 1 + (sample % 3)));
      for (const [kind, secret] of kinds) {
        const began = performance.now();
        const answer = await partner.query(secret, 'Anything?');
        times.set(kind, [...(times.get(kind) ?? []), performance.now() - began]);
        expect(outcome(answer)).toBe('401 invalid_api_key');
      }
    }
    const medians = [...times.values()].map(median);
    expect(medians).toHaveLength(4);
    return Math.max(...medians) - Math.min(...medians);
  }

  it('cannot be told apart by the time it takes', async () => {
    const spreads: number[] = [];
    while (spreads.length < MEASUREMENTS && !spreads.some((ms) => ms < MARGIN_MS)) {
      spreads.push(await spread());
    }
    expect(Math.min(...spreads)).toBeLessThan(MARGIN_MS);
  });
});
