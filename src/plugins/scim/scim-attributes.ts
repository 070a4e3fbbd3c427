export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
/** The active keys and trusted issuers that a person created, for review when the person leaves. */
export const KEYS_SCHEMA = 'urn:latchkey:params:scim:schemas:extension:api-keys:2.0:User';

/**
 * The form of an attribute: a `value` that the service interprets, a `text`, an `object` of sub-attributes,
 * a `list` of objects, or the `members` of a group. An `own` attribute is set by the service: a request may
 * repeat it but not change it. A `secret` is accepted but not stored.
 */
export type AttributeForm = 'value' | 'text' | 'object' | 'list' | 'members' | 'own' | 'secret';

const TEXTS = ['displayName', 'nickName', 'profileUrl', 'title', 'userType'];
const LANGUAGES = ['preferredLanguage', 'locale', 'timezone'];
const CONTACTS = ['emails', 'phoneNumbers', 'ims', 'photos', 'addresses'];
const GRANTS = ['entitlements', 'roles', 'x509Certificates'];

const withForm = (form: AttributeForm, names: readonly string[]) =>
  names.map((name): [string, AttributeForm] => [name, form]);

/** Attributes of a user that are stored as they are sent. */
export const KEPT: ReadonlyMap<string, AttributeForm> = new Map([
  ...withForm('text', [...TEXTS, ...LANGUAGES]),
  ...withForm('object', ['name']),
  ...withForm('list', [...CONTACTS, ...GRANTS]),
]);

/** The attributes of a resource type; a PATCH is interpreted by them. */
export interface ResourceSchema {
  readonly id: string;
  readonly attributes: ReadonlyMap<string, AttributeForm>;
  /** Whether attributes of other schemas are stored. */
  readonly isExtensible: boolean;
}

const COMMON: [string, AttributeForm][] = [
  ['id', 'own'],
  ['schemas', 'own'],
  ['externalId', 'value'],
];

export const USER: ResourceSchema = {
  id: USER_SCHEMA,
  attributes: new Map([
    ...COMMON,
    ['userName', 'value'],
    ['active', 'value'],
    ['password', 'secret'],
    ...KEPT,
  ]),
  isExtensible: true,
};

export const GROUP: ResourceSchema = {
  id: GROUP_SCHEMA,
  attributes: new Map([...COMMON, ['displayName', 'value'], ['members', 'members']]),
  isExtensible: false,
};

const OF_MESSAGES = [
  ...['Operations', 'op', 'path', 'value'],
  ...['attributes', 'excludedAttributes', 'filter', 'startIndex', 'count'],
];
const SUB_ATTRIBUTES = [
  ...['value', 'display', 'type', 'primary'],
  ...['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'],
  ...['streetAddress', 'locality', 'region', 'postalCode', 'country'],
];
const NAMES = new Map(
  [...USER.attributes.keys(), ...GROUP.attributes.keys(), ...OF_MESSAGES, ...SUB_ATTRIBUTES].map(
    (name) => [name.toLowerCase(), name],
  ),
);

/** Names are case-insensitive. */
export const usualName = (name: string): string => NAMES.get(name.toLowerCase()) ?? name;
