/**
 * The requests of identity providers in the order in which they send them, after what they document. In
 * paths and bodies, `{user}` and `{group}` are the ids of what was created, `{userName}` and
 * `{displayName}` what the test names them.
 */
export interface ScimRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** What the answer has, among others. */
  readonly has?: object;
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const OF_MICROSOFT = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';

const filter = (condition: string) => `filter=${encodeURIComponent(condition)}`;
const patch = (path: string, Operations: object[], has: object = {}): ScimRequest => ({
  ...{ method: 'PATCH', path, status: 200, has },
  body: { schemas: [PATCH], Operations },
});

/** https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20 */
export const OKTA: readonly ScimRequest[] = [
  {
    method: 'GET',
    path: `Users?${filter('userName eq "{userName}"')}&startIndex=1&count=100`,
    status: 200,
    has: { totalResults: 0, startIndex: 1, Resources: [] },
  },
  {
    method: 'POST',
    path: 'Users',
    body: {
      schemas: [USER],
      userName: '{userName}',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: '{userName}', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    },
    status: 201,
    has: { userName: '{userName}', active: true, name: { familyName: 'User' } },
  },
  { method: 'GET', path: 'Users/{user}', status: 200, has: { id: '{user}', active: true } },
  { method: 'GET', path: 'Users?startIndex=1&count=100', status: 200, has: { totalResults: 1 } },
  {
    method: 'PUT',
    path: 'Users/{user}',
    body: {
      schemas: [USER],
      id: '{user}',
      userName: '{userName}',
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      emails: [{ primary: true, value: '{userName}', type: 'work', display: '{userName}' }],
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    },
    status: 200,
    has: { name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' } },
  },
  patch('Users/{user}', [{ op: 'replace', value: { password: 'a-new-password' } }]),
  { method: 'GET', path: 'Groups?startIndex=1&count=100', status: 200, has: { totalResults: 0 } },
  {
    method: 'POST',
    path: 'Groups',
    body: { schemas: [GROUP], displayName: 'Test SCIMv2', members: [] },
    status: 201,
    has: { displayName: 'Test SCIMv2', members: [] },
  },
  { method: 'GET', path: 'Groups/{group}', status: 200, has: { id: '{group}' } },
  patch(
    'Groups/{group}',
    [{ op: 'replace', value: { id: '{group}', displayName: '{displayName}' } }],
    { displayName: '{displayName}' },
  ),
  patch(
    'Groups/{group}',
    [{ op: 'add', path: 'members', value: [{ value: '{user}', display: '{userName}' }] }],
    { members: [{ value: '{user}' }] },
  ),
  patch('Groups/{group}', [
    { op: 'remove', path: 'members[value eq "{user}"]' },
    { op: 'add', path: 'members', value: [{ value: '{user}', display: '{userName}' }] },
  ]),
  patch(
    'Groups/{group}',
    [{ op: 'replace', path: 'members', value: [{ value: '{user}', display: '{userName}' }] }],
    { members: [{ value: '{user}' }] },
  ),
  {
    method: 'PUT',
    path: 'Groups/{group}',
    body: {
      schemas: [GROUP],
      id: '{group}',
      displayName: '{displayName}',
      members: [{ value: '{user}', display: '{userName}' }],
    },
    status: 200,
    has: { members: [{ value: '{user}' }] },
  },
];

/** https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups */
export const ENTRA: readonly ScimRequest[] = [
  {
    method: 'GET',
    path: `Users?${filter('userName eq "{userName}"')}`,
    status: 200,
    has: { totalResults: 0, Resources: [] },
  },
  {
    method: 'POST',
    path: 'Users',
    body: {
      schemas: [USER, ENTERPRISE],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: '{userName}',
      active: true,
      addresses: [{ primary: false, type: 'work', country: 'Germany' }],
      emails: [{ primary: true, type: 'work', value: '{userName}' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      [ENTERPRISE]: { department: 'Sales' },
    },
    status: 201,
    has: { userName: '{userName}', externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef' },
  },
  { method: 'GET', path: 'Users/{user}', status: 200, has: { id: '{user}' } },
  {
    method: 'GET',
    path: `Users?${filter('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')}`,
    status: 200,
    has: { totalResults: 1 },
  },
  patch(
    'Users/{user}',
    [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@example.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    ],
    {
      emails: [{ type: 'work', value: 'updated@example.com' }],
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
    },
  ),
  patch(
    'Users/{user}',
    [
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Support' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: '{user}' },
      { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'Main Street 1' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 1' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'reader' },
      { op: 'Replace', path: 'displayName', value: 'Updated' },
    ],
    { displayName: 'Updated', active: true },
  ),
  {
    method: 'GET',
    path: `Users?${filter('id eq "{user}" and manager eq "{user}"')}&attributes=id`,
    status: 200,
    has: { totalResults: 0 },
  },
  {
    method: 'GET',
    path: `Groups?excludedAttributes=members&${filter('displayName eq "{displayName}"')}`,
    status: 200,
    has: { totalResults: 0 },
  },
  {
    method: 'POST',
    path: 'Groups',
    body: {
      schemas: [GROUP, OF_MICROSOFT],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    },
    status: 201,
    has: { externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159', displayName: 'displayName' },
  },
  {
    method: 'GET',
    path: 'Groups/{group}?excludedAttributes=members',
    status: 200,
    has: { id: '{group}', displayName: 'displayName' },
  },
  patch('Groups/{group}', [{ op: 'Replace', path: 'displayName', value: '{displayName}' }]),
  patch('Groups/{group}', [
    { op: 'Add', path: 'members', value: [{ $ref: null, value: '{user}' }] },
  ]),
  {
    method: 'GET',
    path: `Groups?${filter('id eq "{group}" and members eq "{user}"')}`,
    status: 200,
    has: { totalResults: 1 },
  },
];

/** How each of them takes a user out of a group, lets a person go, and brings them back. */
export const LEAVES_GROUP = {
  Okta: patch('Groups/{group}', [{ op: 'remove', path: 'members[value eq "{user}"]' }]),
  Entra: patch('Groups/{group}', [
    { op: 'Remove', path: 'members', value: [{ $ref: null, value: '{user}' }] },
  ]),
};
export const DEACTIVATED = {
  Okta: patch('Users/{user}', [{ op: 'replace', value: { active: false } }], { active: false }),
  Entra: patch('Users/{user}', [{ op: 'Replace', path: 'active', value: 'False' }], {
    active: false,
  }),
};
export const ACTIVATED = {
  Okta: patch('Users/{user}', [{ op: 'replace', value: { active: true } }], { active: true }),
  Entra: patch('Users/{user}', [{ op: 'Replace', path: 'active', value: true }], { active: true }),
};
export const DELETED: readonly ScimRequest[] = [
  { method: 'DELETE', path: 'Users/{user}', status: 204 },
  { method: 'GET', path: 'Users/{user}', status: 404, has: { status: '404' } },
  { method: 'DELETE', path: 'Groups/{group}', status: 204 },
  { method: 'GET', path: 'Groups/{group}', status: 404, has: { status: '404' } },
];
