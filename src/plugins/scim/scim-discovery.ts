import { Problem } from '../../platform/problems/problem.js';
import { GROUP_SCHEMA, KEPT, KEYS_SCHEMA, USER_SCHEMA } from './scim-attributes.js';
import type { Resource } from './scim-fields.js';
import { listResponse } from './scim-resources.js';

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
  meta: { resourceType: 'ResourceType', location: `/scim/v2/ResourceTypes/${name}` },
});

const TYPES = [resourceType('User', USER_SCHEMA), resourceType('Group', GROUP_SCHEMA)];

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
const readOnly = { mutability: 'readOnly' };
const list = { type: 'complex', multiValued: true };

const NAME_PARTS = ['formatted', 'familyName', 'givenName', 'middleName'];
const AFFIXES = ['honorificPrefix', 'honorificSuffix'];
const ADDRESS_PARTS = ['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'];
const TYPES_OF_VALUES: Record<string, object> = {
  photos: { type: 'reference', referenceTypes: ['external'] },
  x509Certificates: { type: 'binary' },
};

function keptAttribute(name: string, form: string) {
  if (form === 'object') {
    const subAttributes = [...NAME_PARTS, ...AFFIXES].map((part) => attribute(part));
    return attribute(name, { type: 'complex', subAttributes });
  }
  if (form === 'list') {
    const values =
      name === 'addresses'
        ? ADDRESS_PARTS.map((part) => attribute(part))
        : [attribute('value', TYPES_OF_VALUES[name]), attribute('display')];
    const primary = attribute('primary', { type: 'boolean' });
    return attribute(name, { ...list, subAttributes: [...values, attribute('type'), primary] });
  }
  const isUrl = name === 'profileUrl';
  return attribute(name, isUrl ? { type: 'reference', referenceTypes: ['external'] } : {});
}

const schema = (id: string, name: string, attributes: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  ...{ id, name, attributes },
  meta: { resourceType: 'Schema', location: `/scim/v2/Schemas/${id}` },
});
const keyParts = (names: readonly string[]) => names.map((name) => attribute(name, readOnly));

const DEFINITIONS = [
  schema(USER_SCHEMA, 'User', [
    attribute('userName', { required: true, uniqueness: 'server' }),
    attribute('active', { type: 'boolean' }),
    ...[...KEPT].map(([name, form]) => keptAttribute(name, form)),
  ]),
  schema(GROUP_SCHEMA, 'Group', [
    attribute('displayName', { required: true, uniqueness: 'server' }),
    attribute('members', {
      ...list,
      subAttributes: [
        attribute('value', { mutability: 'immutable' }),
        attribute('$ref', { mutability: 'immutable', type: 'reference', referenceTypes: ['User'] }),
        attribute('display', readOnly),
        attribute('type', { ...readOnly, canonicalValues: ['User'] }),
      ],
    }),
  ]),
  schema(KEYS_SCHEMA, 'API keys', [
    attribute('apiKeys', {
      ...{ ...list, ...readOnly },
      subAttributes: keyParts(['id', 'kb_id', 'name', 'prefix']),
    }),
    attribute('trustedIssuers', {
      ...{ ...list, ...readOnly },
      subAttributes: keyParts(['id', 'kb_id', 'issuer']),
    }),
  ]),
];

export const RESOURCE_TYPES = listResponse(TYPES, TYPES.length, 0);
export const SCHEMAS = listResponse(DEFINITIONS, DEFINITIONS.length, 0);

/** @throws Problem `not_found` */
export const findResourceType = (id: string): Resource => findById(TYPES, id);

/** @throws Problem `not_found` */
export const findSchema = (id: string): Resource => findById(DEFINITIONS, id);

function findById(resources: readonly (Resource & { readonly id: string })[], id: string) {
  const found = resources.find((resource) => resource.id.toLowerCase() === id.toLowerCase());
  if (!found) throw new Problem('not_found');
  return found;
}
