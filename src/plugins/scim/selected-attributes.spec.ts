import { describe, expect, it } from '@jest/globals';
import { hasAttribute, selectAttributes } from './selected-attributes.js';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const BOB = {
  ...{ schemas: [USER, ENTERPRISE], id: 'usr_1', userName: 'bob', active: true },
  name: { givenName: 'Bob', familyName: 'Miller' },
  emails: [
    { value: 'bob@x.org', type: 'work' },
    { value: 'b@x.org', type: 'home' },
  ],
  [ENTERPRISE]: { department: 'Sales', manager: { value: 'usr_2', displayName: 'Eve' } },
  meta: { resourceType: 'User' },
};
const ALWAYS = { schemas: BOB.schemas, id: 'usr_1' };
const only = (...attributes: string[]) => selectAttributes(BOB, { attributes });
const without = (...excludedAttributes: string[]) => selectAttributes(BOB, { excludedAttributes });

describe(selectAttributes.name, () => {
  it.each([
    [['userName'], { userName: 'bob' }],
    [['USERNAME', 'id'], { userName: 'bob' }],
    [[`${USER}:userName`], { userName: 'bob' }],
    [['name.givenName'], { name: { givenName: 'Bob' } }],
    [['name.givenName', 'name'], { name: BOB.name }],
    [['name', 'name.givenName'], { name: BOB.name }],
    [['emails.VALUE'], { emails: [{ value: 'bob@x.org' }, { value: 'b@x.org' }] }],
    [[ENTERPRISE], { [ENTERPRISE]: BOB[ENTERPRISE] }],
    [[`${ENTERPRISE}:department`], { [ENTERPRISE]: { department: 'Sales' } }],
    [
      [`${ENTERPRISE.toUpperCase()}:manager.value`],
      { [ENTERPRISE]: { manager: { value: 'usr_2' } } },
    ],
    [['meta.resourceType'], { meta: { resourceType: 'User' } }],
    [['nickName', 'name.middleName', 'userName.part'], {}],
    [['a b', 'userName[', `${USER}:${USER}:userName`], {}],
  ])('answers only %j, with what is always answered', (attributes, expected) => {
    expect(only(...attributes)).toEqual({ ...ALWAYS, ...expected });
  });

  it.each([
    [['emails', 'name', ENTERPRISE, 'meta', 'active'], { ...ALWAYS, userName: 'bob' }],
    [['id', 'schemas', 'nickName', 'userName.part'], BOB],
    [['a b', 'userName[', `${USER}:${USER}:userName`], BOB],
    [['name.familyName'], { ...BOB, name: { givenName: 'Bob' } }],
    [['name.familyName', 'name.givenName'], { ...BOB, name: undefined }],
    [['emails.type'], { ...BOB, emails: [{ value: 'bob@x.org' }, { value: 'b@x.org' }] }],
    [
      [`${ENTERPRISE}:manager`, `${USER}:emails`],
      { ...BOB, emails: undefined, [ENTERPRISE]: { department: 'Sales' } },
    ],
  ])('leaves out %j, but what is always answered', (excluded, expected) => {
    expect(without(...excluded)).toEqual(expected);
  });

  it('answers all without a selection, and by the name of the schema', () => {
    expect(selectAttributes(BOB, {})).toEqual(BOB);
    expect(only()).toEqual(BOB);
    expect(only(USER)).toEqual(BOB);
    expect(without(USER)).toEqual(ALWAYS);
  });

  it('reads what a query has: names with commas between them', () => {
    const query = { attributes: ' userName ,name.givenName,', excludedAttributes: '' };
    const expected = { ...ALWAYS, userName: 'bob', name: { givenName: 'Bob' } };
    expect(selectAttributes(BOB, query)).toEqual(expected);
    const repeated = { attributes: ['userName', 'active,emails'], excludedAttributes: 'emails' };
    expect(selectAttributes(BOB, repeated)).toEqual({ ...ALWAYS, userName: 'bob', active: true });
  });

  it('selects in each resource of a list', () => {
    const list = { totalResults: 1, Resources: [BOB] };
    expect(selectAttributes(list, { attributes: 'userName' })).toEqual({
      ...{ totalResults: 1, Resources: [{ ...ALWAYS, userName: 'bob' }] },
    });
  });

  it.each([
    { attributes: 5 },
    { attributes: [{}] },
    { attributes: Array.from({ length: 501 }, (_, n) => `a${n}`) },
  ])('refuses what names no attributes: %j', (asked) => {
    expect(() => selectAttributes(BOB, asked)).toThrow();
  });
});

describe(hasAttribute.name, () => {
  it.each([
    [{}, true],
    [{ attributes: 'displayName' }, false],
    [{ attributes: 'displayName,Members' }, true],
    [{ attributes: 'members.value' }, true],
    [{ excludedAttributes: 'MEMBERS' }, false],
    [{ excludedAttributes: 'urn:ietf:params:scim:schemas:core:2.0:Group:members' }, false],
    [{ excludedAttributes: 'members.display' }, true],
    [{ excludedAttributes: ['externalId', 'members'] }, false],
  ])('tells whether %j leaves members', (asked, expected) => {
    expect(hasAttribute('members', asked)).toBe(expected);
  });
});
