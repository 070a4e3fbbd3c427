import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Answer, Client, type IssuedApiKey, type KnowledgeBase } from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const RUNS = repetitions(4, 60);
const STEPS = 14;

const ROLES = ['none', 'viewer', 'member', 'owner'] as const;
type Role = (typeof ROLES)[number];
const SCOPES = ['keys:read', 'keys:write', 'settings:write', 'members:write'];
const PEOPLE = ['maker', 'colleague'] as const;
type Person = (typeof PEOPLE)[number];

/** What a key may open in a knowledge base, and what it needs for it. */
const DOORS = [
  { method: 'GET', path: '/api-keys', scopes: ['keys:read', 'keys:write'], role: 'viewer' },
  {
    method: 'PATCH',
    path: '/settings',
    body: { top_k: 7 },
    scopes: ['settings:write'],
    role: 'member',
  },
  {
    method: 'PUT',
    path: '/members/carol',
    body: { role: 'viewer' },
    scopes: ['members:write'],
    role: 'owner',
  },
] as const;

interface Key {
  readonly secret: string;
  readonly id: string;
  readonly scopes: readonly string[];
  readonly active: boolean;
}

/**
 * The oracle: who has which role, and which keys there are. A key opens what its scopes name, in the role
 * of its account; a role is given by an owner of that knowledge base who is in charge of the account.
 */
class Oracle {
  /** The role of each person in both knowledge bases. */
  readonly people: Record<Person, [Role, Role]> = {
    maker: ['owner', 'owner'],
    colleague: ['owner', 'owner'],
  };
  account: [Role, Role] = ['none', 'none'];
  keys: Key[] = [];

  owns = (person: Person, kb: number): boolean => this.people[person][kb] === 'owner';

  isInCharge(person: Person): boolean {
    const kbs = [0, 1].filter((kb) => this.account[kb] !== 'none');
    return kbs.length === 0 ? person === 'maker' : kbs.every((kb) => this.owns(person, kb));
  }

  mayGive = (person: Person, roles: readonly Role[]): boolean =>
    this.isInCharge(person) &&
    [0, 1].every((kb) => roles[kb] === this.account[kb] || this.owns(person, kb));

  opens = (key: Key, door: (typeof DOORS)[number], kb: number): boolean =>
    key.active &&
    door.scopes.some((scope) => key.scopes.includes(scope)) &&
    ROLES.indexOf(this.account[kb] ?? 'none') >= ROLES.indexOf(door.role);
}

const role = fc.constantFrom(...ROLES);
const step = fc.record({
  kind: fc.constantFrom(
    ...(['role of the maker', 'roles of the account', 'account leaves', 'new key'] as const),
    ...(['rotate itself', 'rotate', 'revoke', 'widen itself'] as const),
  ),
  person: fc.constantFrom(...PEOPLE),
  kb: fc.constantFrom(0, 1),
  role,
  roles: fc.tuple(role, role),
  scopes: fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 }),
  key: fc.nat(20),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

describe('a key of a service account', () => {
  let service: SharedService;
  let program: Client;

  beforeAll(async () => {
    service = await sharedService();
    program = new Client(service);
  });

  const by = <T = unknown>(key: Key, method: string, path: string, body?: unknown) =>
    program.call<T>(method, path, body, { authorization: `Bearer ${key.secret}` });
  const succeeded = ({ status }: Answer<unknown>) => status < 400;

  async function furnish() {
    const ids = { maker: newUserId('maker'), colleague: newUserId('colleague') };
    const people = {
      maker: new Client(service, ids.maker),
      colleague: new Client(service, ids.colleague),
    };
    const kbs: KnowledgeBase[] = [];
    for (let kb = 0; kb < 2; kb++) {
      const made = await people.colleague.createKnowledgeBase();
      await people.colleague.call('PUT', `/kbs/${made.id}/members/${ids.maker}`, { role: 'owner' });
      kbs.push(made);
    }
    const { id } = await people.maker.createServiceAccount();
    const kbIds = kbs.map((kb) => kb.id);
    return { ids, people, kbIds, id, oracle: new Oracle() };
  }
  type World = Awaited<ReturnType<typeof furnish>>;

  const rolesOf = ({ kbIds }: World, roles: readonly Role[]) =>
    kbIds.flatMap((kb_id, index) => {
      const given = roles[index];
      return given === undefined || given === 'none' ? [] : [{ kb_id, role: given }];
    });

  /** @returns whether the service did it, and whether it should have */
  async function take(world: World, one: Step): Promise<[did: boolean, should: boolean]> {
    const { ids, people, kbIds, id, oracle } = world;
    const kb = kbIds[one.kb] ?? '';
    const person = people[one.person];
    const key = oracle.keys[one.key % Math.max(1, oracle.keys.length)];
    const account = `/service-accounts/${id}`;
    const replace = (answer: Answer<IssuedApiKey>, old: Key) => {
      const next = { ...old, secret: answer.body.api_key, id: answer.body.id };
      oracle.keys = [
        ...oracle.keys.filter((other) => other !== old),
        { ...old, active: false },
        next,
      ];
    };
    switch (one.kind) {
      case 'role of the maker': {
        const member = `/kbs/${kb}/members/${ids.maker}`;
        const had = oracle.people.maker[one.kb] !== 'none';
        const answer = await (one.role === 'none'
          ? people.colleague.call('DELETE', member)
          : people.colleague.call('PUT', member, { role: one.role }));
        oracle.people.maker[one.kb] = one.role;
        return [succeeded(answer), had || one.role !== 'none'];
      }
      case 'roles of the account': {
        const should = oracle.mayGive(one.person, one.roles);
        const answer = await person.call('PATCH', account, { kbs: rolesOf(world, one.roles) });
        if (should) oracle.account = one.roles;
        return [succeeded(answer), should];
      }
      case 'account leaves': {
        const should = oracle.owns(one.person, one.kb) && oracle.account[one.kb] !== 'none';
        const answer = await person.call('DELETE', `/kbs/${kb}/members/${id}`);
        if (should) oracle.account[one.kb] = 'none';
        return [succeeded(answer), should];
      }
      case 'new key': {
        const should = oracle.isInCharge(one.person);
        const body = { name: 'CI', scopes: one.scopes };
        const answer = await person.post<IssuedApiKey>(`${account}/api-keys`, body);
        const { api_key: secret, id: keyId } = answer.body;
        if (should) oracle.keys.push({ secret, id: keyId, scopes: one.scopes, active: true });
        return [succeeded(answer), should];
      }
      case 'rotate itself':
      case 'rotate': {
        if (!key) return [true, true];
        const itself = one.kind === 'rotate itself';
        const path = `/api-keys/${key.id}/rotate`;
        const body = { grace_period_seconds: 0 };
        const should =
          key.active &&
          (itself ? key.scopes.includes('keys:write') : oracle.isInCharge(one.person));
        const answer = itself
          ? await by<IssuedApiKey>(key, 'POST', path, body)
          : await person.post<IssuedApiKey>(path, body);
        if (should) replace(answer, key);
        return [succeeded(answer), should];
      }
      case 'revoke': {
        if (!key) return [true, true];
        const should = oracle.isInCharge(one.person);
        const answer = await person.call('PATCH', `/api-keys/${key.id}/revoke`);
        if (should)
          oracle.keys = oracle.keys.map((other) =>
            other === key ? { ...key, active: false } : other,
          );
        return [succeeded(answer), should];
      }
      case 'widen itself': {
        if (!key) return [true, true];
        const answers = await Promise.all([
          by(key, 'PATCH', `/api-keys/${key.id}`, { allowed_ips: null, expires_at: null }),
          by(key, 'PATCH', account, { kbs: rolesOf(world, ['owner', 'owner']) }),
          by(key, 'POST', `${account}/api-keys`, { name: 'Wider', scopes: SCOPES }),
          by(key, 'POST', '/service-accounts', { name: 'Other', all: true }),
          by(key, 'PUT', `/kbs/${kb}/members/${id}`, { role: 'owner' }),
          by(key, 'POST', '/kbs', { name: 'Own' }),
        ]);
        return [answers.some(succeeded), false];
      }
      default:
        return one.kind satisfies never;
    }
  }

  it('is never wider than who gave it its roles, nor than it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: STEPS }), async (steps) => {
        const world = await furnish();
        const { oracle, kbIds } = world;
        for (const [index, one] of steps.entries()) {
          const [did, should] = await take(world, one);
          expect([index, one.kind, did]).toEqual([index, one.kind, should]);
          for (const key of oracle.keys) {
            for (const [kb, kbId] of kbIds.entries()) {
              for (const door of DOORS) {
                const body = 'body' in door ? door.body : undefined;
                const answer = await by(key, door.method, `/kbs/${kbId}${door.path}`, body);
                const told = [index, key.id, kbId, door.path];
                expect([...told, succeeded(answer)]).toEqual([
                  ...told,
                  oracle.opens(key, door, kb),
                ]);
              }
            }
          }
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
