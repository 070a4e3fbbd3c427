import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  atOnce,
  type AuditEvent,
  Client,
  outcome,
  type Page,
} from '../support/client.js';
import { deliveriesOf } from '../support/change-subjects.js';
import { figure } from '../support/figure.js';
import { type Caller, type Change, MEMBER_CHANGES } from '../support/member-changes.js';
import { documentedOperations } from '../support/operations.js';
import { repetitions } from '../support/repetitions.js';
import { Service } from '../support/service.js';

/**
 * Calls of a round, at most as many as a knowledge base may have webhooks: a part of them begins before
 * the removal, the last one after its answer.
 */
const CALLS = 8;
/** For each way to lose the right; the removal begins after ever more calls. */
const ROUNDS = repetitions(4, CALLS);

/** What the calls of a round change: one for each, or all the same one. */
interface Subjects {
  readonly kbId: string;
  readonly ids: readonly string[];
}

/** Needs a round of its own for each call; see the last test. */
const DELETION = 'DELETE /kbs/{kb_id}';
/** Changes no knowledge base that is there. */
const CREATION = 'POST /kbs';

describe('a member who is removed while they change something', () => {
  let service: Service;
  let alice: Client;
  let bob: Client;

  beforeAll(async () => {
    service = await Service.start({
      LOG_LEVEL: 'warn',
      MAX_PARALLEL_UPLOADS_PER_USER: `${CALLS}`,
      WEBHOOK_ALLOW_PRIVATE: 'yes',
    });
    alice = new Client(service, 'alice');
    bob = new Client(service, 'bob');
  });

  afterAll(() => service.stop());

  const all = async <T>(path: string): Promise<T[]> => {
    const rows: T[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body }: Answer<Page<T>> = await alice.get<Page<T>>(`${path}?limit=100${more}`);
      rows.push(...body.data);
      cursor = body.next_cursor;
    }
    return rows;
  };

  const eventsOf = async (kbId: string) =>
    (await all<AuditEvent>(`/kbs/${kbId}/audit-events`)).filter(({ actor }) => actor === 'bob');

  /** What there is, but for what goes on in the background. */
  async function contentsOf(kbId: string): Promise<unknown> {
    const documents = await all<Record<string, unknown>>(`/kbs/${kbId}/documents`);
    const sources = await all<{ id: string; name: string }>(`/kbs/${kbId}/sources`);
    const evaluations = await all<{ id: string }>(`/kbs/${kbId}/evaluations`);
    return {
      kb: (({ name, description }) => ({ name, description }))(
        (await alice.get<{ name: string; description: string }>(`/kbs/${kbId}`)).body,
      ),
      members: await all(`/kbs/${kbId}/members`),
      keys: await all(`/kbs/${kbId}/api-keys`),
      documents: documents.map(({ id, title, sha256 }) => ({ id, title, sha256 })),
      settings: (await alice.get(`/kbs/${kbId}/settings`)).body,
      conversations: await all(`/kbs/${kbId}/conversations`),
      webhooks: await all(`/kbs/${kbId}/webhooks`),
      deliveries: (await deliveriesOf(alice, kbId)).map(({ id }) => id),
      evaluations: evaluations.map(({ id }) => id),
      trustedIssuers: await all(`/kbs/${kbId}/trusted-issuers`),
      curatedAnswers: await all(`/kbs/${kbId}/curated-answers`),
      accessSets: await all(`/kbs/${kbId}/access-sets`),
      sources: sources.map(({ id, name }) => ({ id, name })),
      events: (await eventsOf(kbId)).map(({ id }) => id),
    };
  }

  async function prepare(change: Change): Promise<Subjects> {
    const { id: kbId } = await alice.createKnowledgeBase();
    const ids = await atOnce(CALLS, (index) =>
      change.prepare ? change.prepare(alice, kbId, index) : Promise.resolve(''),
    );
    const role = change.ownersOnly === true ? 'owner' : 'member';
    await alice.call('PUT', `/kbs/${kbId}/members/bob`, { role });
    return { kbId, ids };
  }

  /**
   * Begins all calls, the last one after the answer to the end of Bob’s right, which begins after `at`
   * of them; in every other round one of those has been answered by then.
   */
  async function round(change: Change, at: number, end: 'removal' | 'demotion') {
    const { kbId, ids } = await prepare(change);
    const statesOf = async () => {
      const { stateOf } = change;
      return stateOf ? Promise.all(ids.map((id) => stateOf(alice, kbId, id))) : [];
    };
    const states = await statesOf();
    const calls: Promise<{ index: number; requestId: string; result: string }>[] = [];
    const begin = (index: number) => {
      const requestId = `bob-${kbId}-${index}`;
      const caller: Caller = (method, path, body, headers) =>
        bob.call(method, path, body, { ...headers, 'x-request-id': requestId });
      const answer = change.call(caller, kbId, ids[index] ?? '', index);
      calls.push(answer.then((given) => ({ index, requestId, result: outcome(given) })));
    };
    for (let index = 0; index < at; index++) begin(index);
    if (at % 2 === 1) await Promise.race(calls);
    const ending =
      end === 'removal'
        ? alice.call('DELETE', `/kbs/${kbId}/members/bob`)
        : alice.call('PUT', `/kbs/${kbId}/members/bob`, { role: 'member' });
    for (let index = at; index < CALLS - 1; index++) begin(index);
    expect(outcome(await ending)).toBe('200');
    const answeredAt = new Date().toISOString();
    const before = await contentsOf(kbId);
    begin(CALLS - 1);
    const answers = await Promise.all(calls);
    expect(await contentsOf(kbId)).toEqual(before);
    const statesAfter = await statesOf();

    const events = await eventsOf(kbId);
    expect(events.filter(({ created_at }) => created_at > answeredAt)).toEqual([]);
    const changed = new Set(events.map(({ request_id }) => request_id));
    const refused = answers.filter(({ result }) => !/^2/.test(result));
    expect(refused.filter(({ requestId }) => changed.has(requestId))).toEqual([]);
    for (const { index } of refused) expect(statesAfter[index]).toEqual(states[index]);
    const refusal = end === 'removal' ? '404 not_found' : '403 owner_required';
    // A user tests two connections at once.
    const judged = refused.filter(({ result }) => result !== '429 rate_limited');
    expect(judged.map(({ result }) => result)).toEqual(judged.map(() => refusal));
    expect(answers.at(-1)?.result).toBe(refusal);
    return { made: answers.length - refused.length, refused: refused.length };
  }

  it('is tried with every operation that changes a knowledge base', async () => {
    const changing = (await documentedOperations(service)).filter(
      // A service account has a rule of its own: to own all that it opens.
      // Who was removed may be invited again.
      ({ method, managed, path }) =>
        managed &&
        method !== 'GET' &&
        !path.includes('/service-accounts/{') &&
        !/invitations\/(?:preview|accept)$/.test(path),
    );
    const names = changing.map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);
    const tried = [...MEMBER_CHANGES.map(({ operation }) => operation), CREATION, DELETION];
    expect([...new Set(tried)].sort()).toEqual(names.sort());
  });

  it.each(
    MEMBER_CHANGES.map((change) => [`${change.operation} ${change.what ?? ''}`, change] as const),
  )('changes nothing afterwards, and nothing by what is refused: %s', async (name, change) => {
    const total = { made: 0, refused: 0 };
    for (let count = 0; count < ROUNDS; count++) {
      // Odd in every other round, whose removal waits for an answer.
      const at = Math.floor((CALLS * count) / ROUNDS) + (ROUNDS < CALLS ? count % 2 : 0);
      const { made, refused } = await round(change, at, 'removal');
      total.made += made;
      total.refused += refused;
      if (change.ownersOnly === true) await round(change, at, 'demotion');
    }
    figure(`${name}: ${total.made} made, ${total.refused} refused`);
    expect(Math.min(total.made, total.refused)).toBeGreaterThan(0);
  });

  it(`changes nothing afterwards, and nothing by what is refused: ${DELETION}`, async () => {
    const tally: Record<string, number> = {};
    for (let count = 0; count < 4 * ROUNDS; count++) {
      const { id: kbId } = await alice.createKnowledgeBase();
      await alice.call('PUT', `/kbs/${kbId}/members/bob`, { role: 'owner' });
      const remove = () => alice.call('DELETE', `/kbs/${kbId}/members/bob`);
      const first = count % 2 === 0 ? remove() : undefined;
      const deleting = bob.call('DELETE', `/kbs/${kbId}`);
      const removing = first ?? remove();
      const removal = outcome(await removing);
      const before = outcome(await alice.get(`/kbs/${kbId}`));
      const deletion = outcome(await deleting);
      expect(outcome(await alice.get(`/kbs/${kbId}`))).toBe(before);
      const told = `${removal}, then ${deletion}: ${before}`;
      tally[told] = (tally[told] ?? 0) + 1;
    }
    figure(JSON.stringify(tally));
    const possible = [
      '200, then 404 not_found: 200',
      '200, then 200: 404 not_found',
      '404 not_found, then 200: 404 not_found',
    ];
    expect(possible).toEqual(expect.arrayContaining(Object.keys(tally)));
  });
});
