import { describe, expect, it } from '@jest/globals';
import { GROUP, USER } from './scim-attributes.js';
import { Problem } from '../../platform/problems/problem.js';
import { ScimProblem } from './scim-error.js';
import { applyPatch } from './scim-patch.js';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const BOB = {
  ...{ id: 'usr_1', userName: 'bob@example.org', externalId: null, active: true },
  emails: [
    { type: 'work', value: 'bob@example.org', primary: true },
    { type: 'home', value: 'bob@example.net' },
  ],
};
const TEAM = { id: 'grp_1', displayName: 'Team', externalId: null };

const patchUser = (...Operations: object[]) => applyPatch(USER, BOB, { Operations }).resource;
const patchGroup = (...Operations: object[]) => applyPatch(GROUP, TEAM, { Operations });

/** @returns that one is inactive, in objects of the schema within each other */
const nested = (levels: number, schema: string): object =>
  Array.from({ length: levels }).reduce<object>((inner) => ({ [schema]: inner }), {
    active: false,
  });

/** @returns `scimType` of RFC 7644 */
function refusalOf(patch: () => unknown): string {
  try {
    patch();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error instanceof ScimProblem ? error.scimType : 'invalidValue';
  }
  return 'none';
}

describe('a person is deactivated', () => {
  it.each<[object]>([
    [{ op: 'replace', path: 'active', value: false }],
    [{ op: 'Replace', path: 'Active', value: false }],
    [{ op: 'add', path: 'active', value: false }],
    [{ op: 'replace', path: `${CORE}:User:active`, value: false }],
    [{ op: 'replace', path: `${CORE}:user:ACTIVE`, value: false }],
    [{ op: 'replace', path: `${CORE}:User`, value: { active: false } }],
    [{ op: 'replace', value: { active: false } }],
    [{ op: 'ADD', value: { aCTIVE: false } }],
    [{ op: 'replace', value: { [`${CORE}:User`]: { active: false } } }],
    [{ op: 'replace', value: { [`${CORE}:User`.toUpperCase()]: { Active: false } } }],
    [{ op: 'replace', value: { [`${CORE}:User:active`]: false } }],
    [{ op: 'replace', value: { schemas: [`${CORE}:User`], id: 'usr_1', active: false } }],
    [{ op: 'remove', path: 'active' }],
    [{ op: 'remove', path: `${CORE}:User:active` }],
  ])('by %j', (operation) => {
    expect(patchUser(operation)['active']).toBe(false);
  });

  it.each<[object, string]>([
    [{ op: 'replace', value: [{ active: false }] }, 'invalidValue'],
    [{ op: 'replace', value: false }, 'invalidValue'],
    [{ op: 'replace' }, 'invalidValue'],
    [{ op: 'replace', path: 'active' }, 'invalidValue'],
    [{ op: 'replace', value: { [`${CORE}:User`]: [{ active: false }] } }, 'invalidValue'],
    [{ op: 'replace', path: `${CORE}:User`, value: [{ active: false }] }, 'invalidValue'],
    [{ op: 'replace', value: { attributes: { active: false } } }, 'invalidPath'],
    [{ op: 'replace', value: { [`${CORE}:Person`]: { active: false } } }, 'invalidPath'],
    [{ op: 'replace', value: { 'urn:example': { active: false } } }, 'invalidPath'],
    [{ op: 'replace', path: 'active.value', value: false }, 'invalidPath'],
    [{ op: 'replace', path: 'active[value eq "true"]', value: false }, 'invalidPath'],
    [{ op: 'replace', path: '/active', value: false }, 'invalidPath'],
    [{ op: 'replace', path: ' active', value: false }, 'invalidPath'],
    [{ op: 'replace', path: '', value: { active: false } }, 'invalidPath'],
    [{ op: 'replace', path: ['active'], value: false }, 'invalidPath'],
    [{ op: 'replace', path: 'enabled', value: false }, 'invalidPath'],
    [{ op: 'delete', path: 'active' }, 'invalidValue'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'remove', value: { active: true } }, 'noTarget'],
    [{ op: 'Remove', path: null, value: { emails: BOB.emails } }, 'noTarget'],
    [{ op: 'remove', value: [{ value: 'bob@example.org' }] }, 'noTarget'],
    [{ op: 'remove', path: `${CORE}:User` }, 'noTarget'],
    [{ op: 'remove', path: `${CORE}:User`, value: { active: true } }, 'noTarget'],
    [{ op: 'replace', value: nested(2, `${CORE}:User`) }, 'invalidValue'],
    [{ op: 'replace', value: nested(2, `${CORE}:User:${CORE}:User`) }, 'invalidValue'],
    [{ op: 'remove', path: 'groups[value eq "grp_1"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members' }, 'invalidPath'],
    [{ op: 'replace', value: { id: 'usr_2', active: false } }, 'invalidPath'],
    [{ op: 'replace', path: 'meta.version', value: '1' }, 'invalidPath'],
  ])('by nothing that is refused: %j', (operation, scimType) => {
    expect(refusalOf(() => patchUser(operation))).toBe(scimType);
  });
});

it.each([`${CORE}:User`, `${CORE}:User:${CORE}:User`])(
  'objects of %s are not read without end',
  (schema) => {
    for (const path of [undefined, `${CORE}:User`]) {
      const operation = { op: 'replace', path, value: nested(15_000, schema) };
      expect(refusalOf(() => patchUser(operation))).toBe('invalidValue');
    }
  },
);

describe('members are taken out of a group', () => {
  it.each<[object, object]>([
    [{ op: 'remove', path: 'members' }, { ids: 'all' }],
    [{ op: 'Remove', path: 'Members' }, { ids: 'all' }],
    [{ op: 'remove', path: `${CORE}:Group:members` }, { ids: 'all' }],
    [{ op: 'remove', path: 'members[value eq "usr_1"]' }, { ids: ['usr_1'] }],
    [{ op: 'remove', path: 'members[VALUE EQ "usr_1"]' }, { ids: ['usr_1'] }],
    [{ op: 'remove', path: `${CORE}:Group:members[value eq "usr_1"]` }, { ids: ['usr_1'] }],
    [{ op: 'remove', path: 'members', value: [{ value: 'usr_1' }] }, { ids: ['usr_1'] }],
    [{ op: 'remove', path: 'members', value: { Value: 'usr_1' } }, { ids: ['usr_1'] }],
    [
      { op: 'replace', path: 'members', value: [] },
      { kind: 'replace', ids: [] },
    ],
    [
      { op: 'replace', value: { [`${CORE}:Group`]: { members: [] } } },
      { kind: 'replace', ids: [] },
    ],
  ])('by %j', (operation, change) => {
    expect(patchGroup(operation).members).toEqual([{ kind: 'remove', ...change }]);
  });

  it.each<[object, string]>([
    [{ op: 'remove', path: 'members.value' }, 'invalidPath'],
    [{ op: 'remove', path: 'members.value', value: 'usr_1' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[type eq "User"].value' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[type eq "User"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[display eq "bob"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value eq "usr_1"].value' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value eq "usr_1" or value eq "usr_2"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value eq "usr_1" and type eq "User"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value ne "usr_1"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value eq usr_1]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[not (value eq "usr_1")]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value eq "usr_1"' }, 'invalidPath'],
    [{ op: 'remove', path: 'members', value: ['usr_1'] }, 'invalidValue'],
    [{ op: 'remove', path: 'members', value: [[{ value: 'usr_1' }]] }, 'invalidValue'],
    [{ op: 'remove', path: 'members', value: [{ $ref: 'Users/usr_1' }] }, 'invalidValue'],
    [{ op: 'replace', path: 'members' }, 'invalidValue'],
    [{ op: 'replace', value: { 'members.value': [] } }, 'invalidPath'],
    [{ op: 'replace', value: { [`${CORE}:User`]: { active: false } } }, 'invalidPath'],
    [{ op: 'replace', path: `${ENTERPRISE}:department`, value: 'Sales' }, 'invalidPath'],
    [{ op: 'remove', path: 'users' }, 'invalidPath'],
    [{ op: 'remove', value: { members: [{ value: 'usr_1' }] } }, 'noTarget'],
    [{ op: 'remove', value: { [`${CORE}:Group`]: { members: [] } } }, 'noTarget'],
  ])('by nothing that is refused: %j', (operation, scimType) => {
    expect(refusalOf(() => patchGroup(operation))).toBe(scimType);
  });
});

describe('other attributes', () => {
  const [work, home] = BOB.emails;

  it.each<[object, object]>([
    [
      { op: 'add', path: 'emails', value: { type: 'other', value: 'x' } },
      [work, home, { type: 'other', value: 'x' }],
    ],
    [{ op: 'add', path: 'emails', value: [home] }, [work, home]],
    [{ op: 'replace', path: 'emails', value: [home] }, [home]],
    [{ op: 'remove', path: 'emails' }, []],
    [{ op: 'remove', path: 'emails[type eq "WORK"]' }, [home]],
    [{ op: 'remove', path: 'emails[type eq "work" and primary eq true]' }, [home]],
    [{ op: 'remove', path: 'emails[primary eq "True"]' }, [home]],
    [{ op: 'remove', path: 'emails', value: [{ value: 'bob@example.org' }] }, [home]],
    [{ op: 'remove', path: 'emails[value eq "a]b"]' }, [work, home]],
    [
      { op: 'replace', path: 'Emails[Type eq "home"].Value', value: 'x' },
      [work, { type: 'home', value: 'x' }],
    ],
    [
      { op: 'replace', path: 'emails[type eq "home"]', value: { Value: 'x' } },
      [work, { type: 'home', value: 'x' }],
    ],
    [
      { op: 'add', path: 'emails[type eq "other"].value', value: 'x' },
      [work, home, { type: 'other', value: 'x' }],
    ],
  ])('a list is changed: %j', (operation, emails) => {
    expect(patchUser(operation)['emails']).toEqual(emails);
  });

  it.each<[object, object]>([
    [{ op: 'replace', path: 'name.familyName', value: 'M' }, { name: { familyName: 'M' } }],
    [{ op: 'replace', value: { 'Name.FamilyName': 'M' } }, { name: { familyName: 'M' } }],
    [{ op: 'add', value: { nickName: 'Bobby' } }, { nickName: 'Bobby' }],
    [
      { op: 'add', path: `${ENTERPRISE}:department`, value: 'S' },
      { [ENTERPRISE]: { department: 'S' } },
    ],
    [
      { op: 'add', path: ENTERPRISE, value: { department: 'S' } },
      { [ENTERPRISE]: { department: 'S' } },
    ],
    [
      { op: 'add', value: { [ENTERPRISE]: { department: 'S' } } },
      { [ENTERPRISE]: { department: 'S' } },
    ],
    [
      { op: 'add', path: `${ENTERPRISE}:manager.value`, value: 'u' },
      { [ENTERPRISE]: { manager: { value: 'u' } } },
    ],
    [{ op: 'add', path: 'urn:example:tag', value: 'S' }, { 'urn:example': { tag: 'S' } }],
  ])('are kept: %j', (operation, kept) => {
    expect(patchUser(operation)).toMatchObject(kept);
  });

  it.each<[object]>([
    [{ op: 'replace', path: 'displayName', value: { text: 'Bob' } }],
    [{ op: 'replace', path: 'name', value: 'Bob' }],
    [{ op: 'replace', path: 'emails', value: [7] }],
    [{ op: 'replace', path: 'emails[type eq "work"]', value: 'x' }],
    [{ op: 'add', path: 'emails', value: Array.from({ length: 101 }, (_, index) => ({ index })) }],
  ])('must have their form: %j', (operation) => {
    expect(refusalOf(() => patchUser(operation))).toBe('invalidValue');
  });
});
