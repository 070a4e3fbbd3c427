import { useState } from 'preact/hooks';
import type { Member } from '../api.js';
import { Alert, Badge, RowAction, Time } from '../components/basics.js';
import { Confirm, Dialog, DialogButtons } from '../components/dialog.js';
import { Input, readFields } from '../components/field.js';
import { PageHeader } from '../components/page-header.js';
import { type Role, RoleField, ROLES } from '../components/role-field.js';
import { Table } from '../components/table.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { useChange, useShared } from '../load.js';
import { usePagedRows } from '../paging.js';
import { InviteButton, Invitations } from '../plugins/invitations/invitations.js';
import { Link } from '../routing.js';
import { useDialogInAddress } from '../search-params.js';
import { LeaveKnowledgeBase } from './leave.js';

const SERVICE_ACCOUNT = /^sa_[0-9a-z]{26}$/;

export function MembersPage() {
  const { kb, isOwner, reload } = useKnowledgeBase();
  const { api, notify, isRunning, user } = useShared();
  const [isLeaving, setLeaving] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const hasInvitations = isOwner && isRunning('invitations');
  const [isAdding, setAdding] = useDialogInAddress('add');
  const rows = usePagedRows<Member>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/members', { path: { kb_id: kb.id }, query, signal }),
    `members ${kb.id}`,
  );
  const put = (userId: string, role: Role) =>
    api.put('/api/v1/kbs/{kb_id}/members/{user_id}', {
      path: { kb_id: kb.id, user_id: userId },
      body: { role },
    });
  const change = useChange(async (userId: string, role: Role, before: Role) => {
    await put(userId, role);
    notify(`${userId} is ${role} now.`, { undo: () => put(userId, before) });
    rows.reload();
    if (userId === user) reload();
  });
  const remove = useChange(async ({ user_id: userId, role }: Member) => {
    await api.delete('/api/v1/kbs/{kb_id}/members/{user_id}', {
      path: { kb_id: kb.id, user_id: userId },
    });
    notify(`${userId} is removed. Keys that they created keep working.`, {
      // A service account gets its roles elsewhere, and who has left cannot add themselves.
      ...(!SERVICE_ACCOUNT.test(userId) && userId !== user && { undo: () => put(userId, role) }),
    });
    rows.reload();
  });
  return (
    <>
      <PageHeader title="Members" lead="Who may see this knowledge base, and change it.">
        {isOwner && (
          <button
            type="button"
            onClick={() => {
              setAdding(true);
            }}
          >
            Add a member
          </button>
        )}
        {hasInvitations && <InviteButton />}
      </PageHeader>
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
                    void change.run(user_id, select.value as Role, role).then((isDone) => {
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
            cell: (member) =>
              isOwner && (
                <RowAction
                  label={`Remove ${member.user_id}`}
                  onPress={() => {
                    // Who removes themselves cannot undo it; behind a gateway only it knows who that is.
                    if (member.user_id === user) setLeaving(true);
                    else if (user === undefined) setRemoving(member);
                    else void remove.run(member);
                  }}
                >
                  Remove
                </RowAction>
              ),
          },
        ]}
      />
      <Alert error={change.error ?? remove.error} />
      {hasInvitations && <Invitations />}
      {!isOwner && <p class="quiet">Owners change members.</p>}
      {removing && (
        <Confirm
          title={`Remove ${removing.user_id}?`}
          action="Remove member"
          onClose={() => {
            setRemoving(undefined);
          }}
          onConfirm={async () => {
            await remove.run(removing);
          }}
        >
          <p>They lose access to {kb.name}. Keys that they created keep working.</p>
        </Confirm>
      )}
      <LeaveKnowledgeBase isAsked={isLeaving} onAsk={setLeaving} />
      {isAdding && isOwner && (
        <AddMember
          onClose={() => {
            setAdding(false);
          }}
          onAdded={(userId, role) => {
            setAdding(false);
            notify(`${userId} is ${role} now.`);
            rows.reload();
          }}
        />
      )}
    </>
  );
}

/** Adds somebody whose id is known. */
function AddMember(props: { onClose: () => void; onAdded: (userId: string, role: Role) => void }) {
  const { kb } = useKnowledgeBase();
  const { api } = useShared();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const { user_id: userId = '' } = fields;
    const role = ROLES.map(([name]) => name).find((name) => name === fields['role']) ?? 'member';
    await api.put('/api/v1/kbs/{kb_id}/members/{user_id}', {
      path: { kb_id: kb.id, user_id: userId },
      body: { role },
    });
    props.onAdded(userId, role);
  });
  return (
    <Dialog title="Add a member" onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(readFields(event.currentTarget));
        }}
      >
        <Input
          label="User or group"
          name="user_id"
          required
          autofocus
          pattern="[!-~]{1,255}|group:.{1,255}"
          hint={
            <>
              As the identity provider names them: <code>anna</code>, or for a group{' '}
              <code>group:support</code>
            </>
          }
          error={error}
        />
        <RoleField />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Add" busy={busy} />
      </form>
    </Dialog>
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
