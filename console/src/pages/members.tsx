import { useState } from 'preact/hooks';
import type { Member } from '../api.js';
import { Alert, Badge, Time } from '../components/basics.js';
import { Confirm } from '../components/dialog.js';
import { readFields, Input, Select } from '../components/field.js';
import { PageHeader } from '../components/page-header.js';
import { Table } from '../components/table.js';
import { useChange, useShared } from '../load.js';
import { usePagedRows } from '../paging.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { Link } from '../routing.js';
import { LeaveKnowledgeBase } from './leave.js';

type Role = Member['role'];

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'A viewer reads everything'],
  ['member', 'a member also changes documents, keys and settings'],
  ['owner', 'an owner also changes members, and may delete the knowledge base'],
];

const SERVICE_ACCOUNT = /^sa_[0-9a-z]{26}$/;

export function MembersPage() {
  const { kb, isOwner } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [removing, setRemoving] = useState<string>();
  const rows = usePagedRows<Member>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/members', { path: { kb_id: kb.id }, query, signal }),
    `members ${kb.id}`,
  );
  const change = async (userId: string, role: Role) => {
    await api.put('/api/v1/kbs/{kb_id}/members/{user_id}', {
      path: { kb_id: kb.id, user_id: userId },
      body: { role },
    });
    notify(`${userId} is ${role} now.`);
    rows.reload();
  };
  const put = useChange(change);
  const add = useChange(change);
  return (
    <>
      <PageHeader title="Members" lead="Who may see this knowledge base, and change it." />
      <Table
        caption="Members"
        rows={rows}
        getKey={({ user_id }) => user_id}
        empty={null}
        columns={[
          { name: 'User', cell: ({ user_id }) => <MemberName id={user_id} /> },
          {
            name: 'Role',
            cell: ({ user_id, role }) =>
              isOwner ? (
                <select
                  aria-label={`Role of ${user_id}`}
                  value={role}
                  onChange={(event) => {
                    const select = event.currentTarget;
                    void put.run(user_id, select.value as Role).then((isDone) => {
                      // If the change is refused, such as for the last owner, the old role is shown again.
                      if (!isDone) select.value = role;
                    });
                  }}
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
          { name: 'Since', kind: 'short', cell: ({ created_at }) => <Time at={created_at} /> },
          {
            name: 'Actions',
            kind: 'actions',
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
            const { user_id = '', role = 'member' } = readFields(form);
            void add.run(user_id, role as Role).then((isDone) => {
              if (isDone) form.reset();
            });
          }}
        >
          <h2>Add a member</h2>
          <Input
            label="User or group"
            name="user_id"
            required
            pattern="[!-~]{1,255}|group:.{1,255}"
            hint={
              <>
                As the identity provider names them: <code>anna</code>, or for a group{' '}
                <code>group:support</code>
              </>
            }
            error={add.error}
          />
          <Select
            label="Role"
            name="role"
            initial="member"
            hint={ROLES.map(([, words]) => words).join('; ')}
          >
            {ROLES.map(([value]) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </Select>
          <Alert error={add.error} />
          <button class="primary" disabled={add.busy}>
            Add
          </button>
        </form>
      ) : (
        <p class="quiet">Owners change members.</p>
      )}
      <LeaveKnowledgeBase />
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
          <p>They lose access to {kb.name}. Keys that they created keep working.</p>
        </Confirm>
      )}
    </>
  );
}

/** A user, a group of the identity provider, or a service account. */
function MemberName({ id }: { id: string }) {
  const hasAccounts = useShared().isRunning('service-accounts');
  if (id.startsWith('group:')) {
    return (
      <>
        {id.slice('group:'.length)} <Badge kind="">group</Badge>
      </>
    );
  }
  if (!SERVICE_ACCOUNT.test(id)) return <>{id}</>;
  return (
    <>
      {hasAccounts ? <Link href={`/service-accounts/${id}`}>{id}</Link> : id}{' '}
      <Badge kind="">service account</Badge>
    </>
  );
}
