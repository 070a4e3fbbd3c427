import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Problem } from '../support/client.js';
import { HOSTILE_BODIES, sendHostile } from '../support/hostile-bodies.mjs';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { SCOPES } from '../support/tenants.js';

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_ERRORS = 100;

/** How long others wait meanwhile is measured in test/timed/attacks.e2e.ts. */
describe('a body that is made to be slow', () => {
  let service: SharedService;
  let who: Parameters<typeof sendHostile>[2];

  beforeAll(async () => {
    service = await sharedService();
    const userId = newUserId('mallory');
    const mallory = new Client(service, userId);
    const { id: kbId } = await mallory.createKnowledgeBase();
    const { api_key: apiKey } = await mallory.createApiKey(kbId, { scopes: SCOPES });
    const token = await new Client(service).createClientToken(apiKey);
    who = { kbId, userId, apiKey, token: token.client_token };
  });

  it.each(HOSTILE_BODIES.map((hostile) => [hostile.name, hostile] as const))(
    'is refused in a few words: %s',
    async (_, hostile) => {
      const { status, bytes, text } = await sendHostile(service.url, hostile, who);
      // 503: this service has no keys to check GitHub's signatures with.
      expect([400, 404, 413, 503]).toContain(status);
      expect(bytes).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
      const { errors = [] } = JSON.parse(text) as Problem;
      expect(errors.length).toBeLessThanOrEqual(MAX_ERRORS);
    },
  );
});
