import { GROUP_SCHEMA, KEYS_SCHEMA, listResponse, USER_SCHEMA } from './scim-resources.js';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

export const SERVICE_PROVIDER_CONFIG = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer',
      description: 'A key of a service account with the scope members:write.',
    },
  ],
};

const resourceType = (name: 'User' | 'Group', schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  ...(name === 'User' && { schemaExtensions: [{ schema: KEYS_SCHEMA, required: false }] }),
});

const TYPES = [resourceType('User', USER_SCHEMA), resourceType('Group', GROUP_SCHEMA)];
export const RESOURCE_TYPES = listResponse(TYPES, TYPES.length, 0);

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const list = { type: 'complex', multiValued: true };

const DEFINITIONS = [
  {
    schemas: [SCHEMA],
    id: USER_SCHEMA,
    name: 'User',
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('displayName'),
      attribute('active', { type: 'boolean' }),
      attribute('name', {
        type: 'complex',
        subAttributes: ['formatted', 'givenName', 'familyName'].map((name) => attribute(name)),
      }),
      attribute('emails', {
        ...list,
        subAttributes: [attribute('value'), attribute('type'), attribute('primary')],
      }),
    ],
  },
  {
    schemas: [SCHEMA],
    id: GROUP_SCHEMA,
    name: 'Group',
    attributes: [
      attribute('displayName', { required: true, uniqueness: 'server' }),
      attribute('members', { ...list, subAttributes: [attribute('value'), attribute('display')] }),
    ],
  },
  {
    schemas: [SCHEMA],
    id: KEYS_SCHEMA,
    name: 'API keys',
    attributes: [
      attribute('apiKeys', {
        ...list,
        mutability: 'readOnly',
        subAttributes: ['id', 'kb_id', 'name', 'prefix'].map((name) => attribute(name)),
      }),
      attribute('trustedIssuers', {
        ...list,
        mutability: 'readOnly',
        subAttributes: ['id', 'kb_id', 'issuer'].map((name) => attribute(name)),
      }),
    ],
  },
];
export const SCHEMAS = listResponse(DEFINITIONS, DEFINITIONS.length, 0);
