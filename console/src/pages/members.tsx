import { useState } from 'preact/hooks';
import type { Member } from '../api.js';
import { Alert, Time } from '../components/basics.js';
import { Confirm } from '../components/dialog.js';
import { fieldsOf, Input, Select } from '../components/field.js';
import { Table } from '../components/table.js';
import { useChange, useRows, useShared } from '../load.js';
import { useKnowledgeBase } from './knowledge-base.js';

type Role = Member['role'];

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'viewer – reads everything'],
  ['member', 'member – also changes documents, keys and settings'],
  ['owner', 'owner – also changes members, and may delete the knowledge base'],
];

export function MembersPage() {
  const { kb, isOwner } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [removing, setRemoving] = useState<string>();
  const rows = useRows<Member>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/members', { path: { kb_id: kb.id }, query, signal }),
    `members ${kb.id}`,
  );
  const put = useChange(async (userId: string, role: Role) => {
    await api.put('/api/v1/kbs/{kb_id}/members/{user_id}', {
      path: { kb_id: kb.id, user_id: userId },
      body: { role },
    });
    notify(`${userId} is ${role} now.`);
    rows.reload();
  });
  return (
    <>
      <Table
        caption="Members"
        rows={rows}
        keyOf={({ user_id }) => user_id}
        empty={null}
        columns={[
          { name: 'User', cell: ({ user_id }) => user_id },
          {
            name: 'Role',
            cell: ({ user_id, role }) =>
              isOwner ? (
                <select
                  aria-label={`Role of ${user_id}`}
                  value={role}
                  onChange={(event) => void put.run(user_id, event.currentTarget.value as Role)}
                >
                  {ROLES.map(([value]) => (
                    <option key={value} value={value}>
                      {value}
                    </option>
                  ))}
                </select>
              ) : (
                role
              ),
          },
          { name: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
          {
            name: 'Actions',
            cell: ({ user_id }) =>
              isOwner && (
                <button
                  type="button"
                  class="link"
                  aria-label={`Remove ${user_id}`}
                  onClick={() => {
                    setRemoving(user_id);
                  }}
                >
                  Remove
                </button>
              ),
          },
        ]}
      />
      <Alert error={put.error} />
      {isOwner ? (
        <form
          class="narrow"
          onSubmit={(event) => {
            event.preventDefault();
            const form = event.currentTarget;
            const { user_id = '', role = 'member' } = fieldsOf(form);
            void put.run(user_id, role as Role).then(() => {
              form.reset();
            });
          }}
        >
          <h2>Add a member</h2>
          <Input label="User id" name="user_id" required pattern="[!-~]{1,255}" error={put.error} />
          <Select label="Role" name="role" defaultValue="member">
            {ROLES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
          <button class="primary" disabled={put.busy}>
            Add
          </button>
        </form>
      ) : (
        <p class="quiet">Owners change members.</p>
      )}
      {removing !== undefined && (
        <Confirm
          title={`Remove ${removing}?`}
          action="Remove member"
          onClose={() => {
            setRemoving(undefined);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/kbs/{kb_id}/members/{user_id}', {
              path: { kb_id: kb.id, user_id: removing },
            });
            notify(`${removing} is removed.`);
            rows.reload();
          }}
        >
          <p>They cannot see {kb.name} any more. Keys that they have issued go on.</p>
        </Confirm>
      )}
    </>
  );
}
