import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { figure } from '../support/figure.js';
import { repetitions } from '../support/repetitions.js';
import { newUserId, sharedService } from '../support/shared-service.js';

const QUESTION = 'How much does the director earn?';
const TEXT = 'The director earns nine thousand euros a month.';
const STAFF = { allow: ['group:staff'] };
const OTHERS = { allow: ['group:others'] };
/** Rounds of each of the four ways, which run in parallel. */
const ROUNDS_OF_WAY = repetitions(3, 500);

/** A way to close a document to a key, and back. */
interface Way {
  readonly name: string;
  readonly secret: string;
  readonly documentId: string;
  readonly set: (isOpen: boolean) => Promise<string>;
}

describe('a rule that changes while documents are asked for', () => {
  let alice: Client;
  const ways: Way[] = [];

  beforeAll(async () => {
    alice = new Client(await sharedService(), newUserId('alice'));
    const way = async (
      name: string,
      fields: (kbId: string) => Promise<object>,
      setOf: (ids: {
        kbId: string;
        documentId: string;
        keyId: string;
        fields: object;
      }) => Way['set'],
    ) => {
      const { id: kbId } = await alice.createKnowledgeBase();
      const more = { principals: ['group:staff'], rate_limit_per_minute: 1_000_000 };
      const { id: keyId, api_key: secret } = await alice.createApiKey(kbId, more);
      const given = await fields(kbId);
      const { id: documentId } = await alice.addDocument(kbId, {
        ...{ title: 'Salaries', text: TEXT, ...given },
      });
      const set = setOf({ kbId, documentId, keyId, fields: given });
      ways.push({ name, secret, documentId, set });
    };
    const patch = async (path: string, body: object) =>
      outcome(await alice.call('PATCH', path, body));
    const ruled = () => Promise.resolve({ access: STAFF });
    await way(
      'its own rule',
      ruled,
      ({ documentId }) =>
        (isOpen) =>
          patch(`/documents/${documentId}`, { access: isOpen ? STAFF : OTHERS }),
    );
    await way(
      'its set',
      async (kbId) => ({ access_set: (await alice.createAccessSet(kbId)).id }),
      ({ fields }) =>
        (isOpen) =>
          patch(
            `/access-sets/${String(fields['access_set' as keyof object])}`,
            isOpen ? STAFF : OTHERS,
          ),
    );
    await way(
      'the default',
      () => Promise.resolve({}),
      ({ kbId }) =>
        (isOpen) =>
          patch(`/kbs/${kbId}/settings`, { default_access: isOpen ? 'members' : 'closed' }),
    );
    await way(
      'the groups of the key',
      ruled,
      ({ keyId }) =>
        (isOpen) =>
          patch(`/api-keys/${keyId}`, { principals: isOpen ? STAFF.allow : OTHERS.allow }),
    );
  });

  /** @returns how many requests found the document before it was closed */
  async function closeAgainAndAgain({ name, secret, documentId, set }: Way, late: string[]) {
    let foundBefore = 0;
    for (let round = 0; round < ROUNDS_OF_WAY; round++) {
      const finds = async () => {
        const answer =
          round % 3 === 0
            ? await alice.chat(secret, QUESTION)
            : await alice.query(secret, QUESTION);
        expect(outcome(answer)).toMatch(/^(?:200|409 access_changed)$/);
        return answer.text.includes(documentId);
      };
      const before = [finds(), finds()];
      if (round % 2 === 1) await Promise.race(before);
      const closing = set(false);
      const meanwhile = [finds(), finds()];
      expect(await closing).toBe('200');
      const after = [finds(), finds()];
      foundBefore += (await Promise.all(before)).filter(Boolean).length;
      await Promise.all(meanwhile);
      if ((await Promise.all(after)).some(Boolean)) late.push(`${round} ${name}`);
      expect(await set(true)).toBe('200');
      if (!(await finds())) late.push(`${round} ${name}, opened`);
    }
    return foundBefore;
  }

  it(
    'is obeyed by each request after the answer to the change',
    async () => {
      const late: string[] = [];
      const found = await Promise.all(ways.map((way) => closeAgainAndAgain(way, late)));
      figure(
        `${late.length} late of ${ways.length * ROUNDS_OF_WAY}, ${found.join(', ')} found before`,
      );
      expect(late).toEqual([]);
      for (const count of found) expect(count).toBeGreaterThan(ROUNDS_OF_WAY / 4);
    },
    300_000 + 2000 * ROUNDS_OF_WAY,
  );
});
