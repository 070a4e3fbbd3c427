import fc from 'fast-check';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Page, type QueryAnswer } from '../support/client.js';
import { Doors, documentsOf, type Told } from '../support/doors.js';
import { furnish } from '../support/furnish.js';
import { repetitions } from '../support/repetitions.js';
import { newUserId } from '../support/shared-service.js';

const ROUNDS = repetitions(3, 100);
const QUESTION = 'Which lamp is described?';
const GROUPS = ['staff', 'Vertrieb, Süd', '法務'];
const USERS = ['anna', 'bert'];
const TEXTS = [
  'The green lamp hangs above the kitchen table.',
  'A copper lamp burns whale oil in the lighthouse.',
  'Miners wore a carbide lamp on their helmets.',
  'Every bicycle needs a lamp at night by law.',
  'The desk lamp folds and takes halogen bulbs.',
  'Surgeons work below a lamp without shadows.',
];

interface Asked {
  /** The documents found by each way that names all of them. */
  readonly found: Record<string, string[]>;
  /** Answers, which name the best of them only. */
  readonly answers: readonly Told[];
}

interface Rule {
  readonly allow: string[];
  readonly deny: string[];
}

const entry = fc.constantFrom(
  'everyone',
  ...USERS.map((user) => `user:${user}`),
  ...GROUPS.map((group) => `group:${group}`),
);
const rule: fc.Arbitrary<Rule> = fc.record({
  allow: fc.uniqueArray(entry, { maxLength: 3 }),
  deny: fc.uniqueArray(entry, { maxLength: 1 }),
});
/** What one document refers to: nothing, one of two sets, or a rule of its own. */
const reference = fc.oneof(fc.constant(null), fc.constantFrom(0, 1), rule);
type Reference = Rule | number | null;

/** The rules as the contract has them. */
function mayRead(
  reference: Reference,
  sets: readonly Rule[],
  isClosed: boolean,
  principals: readonly string[],
): boolean {
  if (reference === null) return !isClosed;
  const { allow, deny } = typeof reference === 'number' ? (sets[reference] ?? NOBODY) : reference;
  const isTheirs = (one: string) => one === 'everyone' || principals.includes(one);
  return allow.some(isTheirs) && !deny.some(isTheirs);
}
const NOBODY: Rule = { allow: [], deny: [] };

describe('rules of documents, by every way in', () => {
  let alice: Client;
  let kbId: string;
  let documentIds: string[];
  let setIds: string[];
  /** What each asker reads as, and what they are told by the ways in. */
  const askers: { principals: string[]; ask: () => Promise<Asked> }[] = [];

  beforeAll(async () => {
    const furnished = await furnish();
    const { service } = furnished;
    ({ alice, kbId } = furnished);
    documentIds = [];
    for (const [index, text] of TEXTS.entries()) {
      documentIds.push((await alice.addDocument(kbId, { title: `Lamp ${index}`, text })).id);
    }
    setIds = [(await alice.createAccessSet(kbId)).id, (await alice.createAccessSet(kbId)).id];
    const byCredential = (principals: string[], secret: string) => {
      const doors = new Doors(service, kbId, secret);
      const ask = async () => {
        const answer = await doors.ask(QUESTION, undefined);
        const other = await doors.askWithoutFilter(QUESTION);
        const listed = await alice.call<Page<{ id: string }>>(
          ...(['GET', '/ingest/documents?limit=100', undefined] as const),
          { authorization: `Bearer ${secret}` },
        );
        const found = {
          ...(await doors.search(QUESTION, undefined)),
          dify: await doors.retrieve(QUESTION, { logical_operator: 'and', conditions: [] }),
          ...(listed.status === 200 && { ingest: listed.body.data.map(({ id }) => id).sort() }),
        };
        return { found, answers: Object.values({ ...answer.told, ...other }) };
      };
      askers.push({ principals, ask });
    };
    const scopes = ['query', 'chat', 'feedback', 'documents:read'];
    const plain = await alice.createApiKey(kbId, { scopes });
    byCredential([], plain.api_key);
    const principals = ['group:staff', 'user:bert'];
    byCredential(principals, (await alice.createApiKey(kbId, { scopes, principals })).api_key);
    for (const groups of [[], ['Vertrieb, Süd', '法務']]) {
      const { body } = await alice.post<{ client_token: string }>(
        '/client-tokens',
        { end_user_id: 'anna', groups },
        { authorization: `Bearer ${plain.api_key}` },
      );
      byCredential(['user:anna', ...groups.map((one) => `group:${one}`)], body.client_token);
    }
    for (const role of ['member', 'viewer']) {
      const id = newUserId(role);
      const user = new Client(service, id, ['法務']);
      await alice.call('PUT', `/kbs/${kbId}/members/${id}`, { role });
      const ask = async () => {
        const asked = { message: QUESTION, top_k: 50 };
        const query = await user.post<QueryAnswer>(`/kbs/${kbId}/query`, asked);
        const chunks = await Promise.all(
          documentIds.map(async (one) => {
            const { status } = await user.get(`/documents/${one}/chunks`);
            return status === 200 ? [one] : [];
          }),
        );
        const { body } = await user.get<Page<{ id: string }>>(`/kbs/${kbId}/documents?limit=100`);
        const listed = body.data.map((one) => one.id).sort();
        if (role === 'member') expect(listed).toEqual([...documentIds].sort());
        const found = {
          playground: documentsOf(query.body.results),
          chunks: chunks.flat().sort(),
          ...(role === 'viewer' && { list: listed }),
        };
        return { found, answers: [] };
      };
      askers.push({ principals: [`user:${id}`, 'group:法務'], ask });
    }
  });

  it('open to each exactly what they may read', async () => {
    const state = fc.record({
      references: fc.array(reference, { minLength: TEXTS.length, maxLength: TEXTS.length }),
      sets: fc.tuple(rule, rule),
      isClosed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(state, async ({ references, sets, isClosed }) => {
        await alice.set(kbId, { default_access: isClosed ? 'closed' : 'members' });
        for (const [index, id] of setIds.entries()) {
          await alice.call('PATCH', `/access-sets/${id}`, sets[index]);
        }
        for (const [index, id] of documentIds.entries()) {
          const one = references[index] ?? null;
          const fields = typeof one === 'number' ? { access_set: setIds[one] } : { access: one };
          expect((await alice.call('PATCH', `/documents/${id}`, fields)).status).toBe(200);
        }
        for (const [index, { principals, ask }] of askers.entries()) {
          const readable = documentIds.filter((_, document) =>
            mayRead(references[document] ?? null, sets, isClosed, principals),
          );
          const { found, answers } = await ask();
          for (const [door, ids] of Object.entries(found)) {
            expect([index, door, ids]).toEqual([index, door, readable.sort()]);
          }
          const closed = documentIds.filter((id) => !readable.includes(id));
          for (const { text, sources } of answers) {
            expect(documentsOf(sources).filter((id) => closed.includes(id))).toEqual([]);
            for (const id of closed) expect(text).not.toContain(TEXTS[documentIds.indexOf(id)]);
          }
        }
      }),
      { numRuns: ROUNDS, endOnFailure: true },
    );
  });
});
