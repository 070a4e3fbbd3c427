import type { KnowledgeBase, ServiceAccount } from '../../api.js';
import { KnowledgeBaseChoices } from '../../components/knowledge-base-choices.js';

const MANY = 3;
const ROLES = ['viewer', 'member', 'owner'] as const;

/** The roles of a service account, such as “member of Handbook, creates knowledge bases”. */
export function rolesWords(
  { kbs, all }: ServiceAccount,
  known: readonly KnowledgeBase[] | undefined,
): string {
  const roles = kbs
    .slice(0, MANY)
    .map(({ kb_id, role }) => `${role} of ${known?.find(({ id }) => id === kb_id)?.name ?? kb_id}`);
  if (kbs.length > MANY) roles.push(`${kbs.length - MANY} more`);
  if (all) roles.push('creates knowledge bases');
  return roles.length === 0 ? 'none' : roles.join(', ');
}

/** A role in each of the knowledge bases that the user owns. */
export function RolesField(props: { kbs: readonly KnowledgeBase[]; given: ServiceAccount['kbs'] }) {
  const owned = props.kbs.filter(({ role }) => role === 'owner');
  return (
    <KnowledgeBaseChoices
      legend="Knowledge bases"
      kbs={owned}
      {...(owned.length === 0 && { hint: 'You own none.' })}
      control={({ id }) => (
        <select name={id}>
          <option value="">no access</option>
          {ROLES.map((role) => (
            <option
              key={role}
              value={role}
              selected={props.given.some((each) => each.kb_id === id && each.role === role)}
            >
              {role}
            </option>
          ))}
        </select>
      )}
    />
  );
}

/** Reads the roles from the fields, sorted by id as the service returns them. */
export const readRoles = (fields: Record<string, string>): ServiceAccount['kbs'] =>
  Object.entries(fields)
    .flatMap(([name, value]) => {
      const role = ROLES.find((each) => each === value);
      return name.startsWith('kb_') && role ? [{ kb_id: name, role }] : [];
    })
    .sort((one, other) => (one.kb_id < other.kb_id ? -1 : 1));
