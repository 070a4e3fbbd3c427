import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { furnish } from '../support/furnish.js';
import type { SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';

const QUESTION = 'How much is the monthly fee for members?';

describe('values of documents of different days', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;
  let today: string;

  beforeAll(async () => {
    ({ service, alice, partner, kbId } = await furnish());
    secret = (await alice.createApiKey(kbId)).api_key;
    await alice.set(kbId, { model: 'extractive' });
    const texts = [
      'The monthly fee for members is 30 euros.',
      'Members pay a monthly fee of 35 euros.',
    ];
    for (const [index, text] of texts.entries()) {
      const added = await alice.addDocument(kbId, { title: ['Prices', 'Questions'][index], text });
      today = added.created_at.slice(0, 10);
    }
  });

  const ask = async () => (await partner.chat(secret, QUESTION)).body.answer;

  it('are quoted with no day where the days are the same', async () => {
    const answer = await ask();
    expect(answer).toContain('35 euros');
    expect(answer).not.toContain(today);
  });

  it('are quoted with the document and the day of each', async () => {
    await sql(
      service.environment,
      `UPDATE documents SET created_at = '2025-03-01 12:00:00.000'
       WHERE kb_id = '${kbId}' AND title = 'Prices'`,
    );
    const answer = await ask();
    expect(answer).toContain(`Prices, 2025-03-01: The monthly fee for members is 30 euros.`);
    expect(answer).toContain(`Questions, ${today}: Members pay a monthly fee of 35 euros.`);
  });
});
