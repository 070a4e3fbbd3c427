import { beforeAll, describe, expect, it } from '@jest/globals';
import { atOnce, Client, outcome, outcomes } from './support/client.js';
import { figure } from './support/figure.js';
import { HEAVY_QUESTION, heavyToRead, PASSAGES_TO_READ } from './support/heavy-questions.js';
import { eventually } from './support/service.js';
import { newUserId, sharedService, type SharedService } from './support/shared-service.js';

const HEAVY_CHATS = 16;

describe('answers without a model', () => {
  let service: SharedService;

  beforeAll(async () => {
    service = await sharedService();
  });

  it('are made in turns of knowledge bases, however many one has asked for', async () => {
    const mallory = await heavyToRead(new Client(service, newUserId('mallory')));
    const owner = new Client(service, newUserId('alice'));
    const { id } = await owner.createKnowledgeBase();
    await owner.addDocument(id, { title: 'Returns', text: 'An order may be returned.' });
    const { api_key: alice } = await owner.createApiKey(id);
    const partner = new Client(service);

    let answered = 0;
    const heavy = atOnce(HEAVY_CHATS, async () => {
      const answer = await partner.chat(mallory, HEAVY_QUESTION, { top_k: PASSAGES_TO_READ });
      answered++;
      return answer;
    });
    await eventually(() => answered > 0);
    const begun = answered;
    expect(outcome(await partner.chat(alice, 'May an order be returned?'))).toBe('200');
    const between = answered - begun;
    figure(`${between} of ${HEAVY_CHATS - begun} heavy answers came first`);
    // Those that a busy machine keeps waiting for ten seconds are told to come back.
    const outcomesOfHeavy = Object.keys(outcomes(await heavy));
    expect(['200', '429 knowledge_base_busy']).toEqual(expect.arrayContaining(outcomesOfHeavy));
    expect(between).toBeLessThan((HEAVY_CHATS - begun) / 2);
  });
});
