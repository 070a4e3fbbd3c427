import { beforeAll, describe, expect, it } from '@jest/globals';
import { atOnce, Client, outcomes } from '../support/client.js';
import { newUserId, type SharedService, sharedServices } from '../support/shared-service.js';

describe('a knowledge base that was never asked anything', () => {
  let a: SharedService;
  let b: SharedService;

  beforeAll(async () => {
    [a, b] = await sharedServices();
  });

  it('answers its first questions, of two processes at once', async () => {
    const alice = new Client(a, newUserId('alice'));
    const partners = [new Client(a), new Client(b)] as const;
    for (let round = 0; round < 20; round++) {
      const { id } = await alice.createKnowledgeBase();
      const { api_key: secret } = await alice.createApiKey(id);
      const ask = (n: number) => partners[n % 2 === 0 ? 0 : 1].query(secret, 'Anything?');
      expect(outcomes(await atOnce(50, ask))).toEqual({ '200': 50 });
    }
  });
});
