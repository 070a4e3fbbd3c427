import type { ApiKey } from '../../api-keys/api-key.entity.js';
import type { TrustedIssuer } from '../trusted-issuers/trusted-issuer.entity.js';
import type { DirectoryGroup } from './directory-group.entity.js';
import type { DirectoryUser } from './directory-user.entity.js';
import { GROUP_SCHEMA, KEYS_SCHEMA, USER_SCHEMA } from './scim-attributes.js';
import type { Resource } from './scim-fields.js';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const toMeta = (
  resourceType: 'User' | 'Group',
  { id, createdAt, updatedAt }: DirectoryUser | DirectoryGroup,
) => ({
  resourceType,
  created: createdAt.toISOString(),
  lastModified: updatedAt.toISOString(),
  location: `/scim/v2/${resourceType}s/${id}`,
});

export interface MadeByUser {
  readonly keys: readonly ApiKey[];
  /** Each is loaded with its key. */
  readonly trusts: readonly TrustedIssuer[];
}

/** @param made undefined if it was not looked up */
export const toUserResource = (user: DirectoryUser, made?: MadeByUser): Resource => ({
  schemas: [USER_SCHEMA, ...(made ? [KEYS_SCHEMA] : [])],
  id: user.id,
  ...user.profile,
  userName: user.userName,
  ...(user.externalId !== null && { externalId: user.externalId }),
  active: user.active,
  ...(made && {
    [KEYS_SCHEMA]: {
      apiKeys: made.keys.map(({ id, ownerId, name, prefix }) => ({
        ...{ id, kb_id: ownerId, name, prefix },
      })),
      trustedIssuers: made.trusts.map(({ id, issuer, apiKey }) => ({
        ...{ id, kb_id: apiKey.ownerId, issuer },
      })),
    },
  }),
  meta: toMeta('User', user),
});

export interface GroupMember {
  readonly userId: string;
  readonly userName: string;
}

/** @param members undefined if they were not asked for */
export const toGroupResource = (
  group: DirectoryGroup,
  members?: readonly GroupMember[],
): Resource => ({
  schemas: [GROUP_SCHEMA],
  id: group.id,
  displayName: group.displayName,
  ...(group.externalId !== null && { externalId: group.externalId }),
  ...(members && {
    members: members.map(({ userId, userName }) => ({
      ...{ value: userId, $ref: `/scim/v2/Users/${userId}`, display: userName, type: 'User' },
    })),
  }),
  meta: toMeta('Group', group),
});

export const listResponse = (
  resources: readonly Resource[],
  total: number,
  skip: number,
): Resource => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex: skip + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});
