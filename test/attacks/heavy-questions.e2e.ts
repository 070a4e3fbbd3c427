import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ATTACK_TEST_MS, expectUnnoticed } from '../support/attack.js';
import { atOnce, Client } from '../support/client.js';
import {
  askUntil,
  HEAVY_QUESTION,
  heavyToRead,
  heavyToSearch,
  PASSAGES_TO_READ,
  UNMATCHED_FILTER,
} from '../support/heavy-questions.js';
import { Service } from '../support/service.js';

const DOCUMENTS = 20;
const PASSAGES = 1000;
const LEAVE_AFTER_MS = 300;
const FILLING_MS = 600_000;

describe('heavy questions to a large knowledge base', () => {
  let service: Service;
  let secret: string;
  let reading: string;

  beforeAll(async () => {
    service = await Service.start({ LOG_LEVEL: 'error' });
    const mallory = new Client(service, 'mallory');
    secret = await heavyToSearch(mallory, DOCUMENTS, PASSAGES);
    reading = await heavyToRead(mallory);
  }, FILLING_MS);

  afterAll(() => service.stop());

  const ask = (signal: AbortSignal, more: object) =>
    askUntil(signal, `${service.url}/api/v1/query`, {
      ...{ api_key: secret, message: HEAVY_QUESTION, ...more },
    });

  it(
    'delay nobody when their clients disconnect',
    () =>
      expectUnnoticed(service, 'four heavy questions, their clients gone after 0.3 s', (signal) =>
        atOnce(4, () => {
          const leaving = AbortSignal.any([signal, AbortSignal.timeout(LEAVE_AFTER_MS)]);
          return ask(leaving, { filter: UNMATCHED_FILTER });
        }),
      ),
    ATTACK_TEST_MS,
  );

  it.each([
    ['with a filter', { filter: UNMATCHED_FILTER }],
    ['without a filter', { top_k: 50 }],
  ])(
    'delay nobody, twelve at once, and are answered: %s',
    async (kind, more) => {
      const statuses = new Set<number | undefined>();
      await expectUnnoticed(service, `twelve heavy questions at once ${kind}`, async (signal) => {
        for (const status of await atOnce(12, () => ask(signal, more))) statuses.add(status);
      });
      statuses.delete(undefined);
      expect([...statuses]).toEqual([200]);
    },
    ATTACK_TEST_MS,
  );

  it(
    'delay nobody when their passages take long to read',
    () =>
      expectUnnoticed(service, 'twelve /chat at once over passages heavy to read', (signal) =>
        atOnce(12, () =>
          askUntil(signal, `${service.url}/api/v1/chat`, {
            ...{ api_key: reading, message: HEAVY_QUESTION, top_k: PASSAGES_TO_READ },
          }),
        ),
      ),
    ATTACK_TEST_MS,
  );
});
