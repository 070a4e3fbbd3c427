import type { Member } from '../api.js';
import { Select } from './field.js';

export type Role = Member['role'];

/** The roles, and what each may do. */
export const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'A viewer reads everything.'],
  ['member', 'A member also changes documents, keys and settings.'],
  ['owner', 'An owner also changes members, and may delete the knowledge base.'],
];

export const RoleField = () => (
  <Select
    label="Role"
    name="role"
    initial="member"
    hint={ROLES.map(([, words]) => words).join(' ')}
  >
    {ROLES.map(([role]) => (
      <option key={role} value={role}>
        {role}
      </option>
    ))}
  </Select>
);
