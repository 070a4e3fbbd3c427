import { useState } from 'preact/hooks';
import type { CreatedInvitation, Invitation } from '../../api.js';
import {
  Alert,
  Badge,
  CopyButton,
  number,
  plural,
  RowAction,
  Time,
} from '../../components/basics.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { Input, readFields } from '../../components/field.js';
import { RoleField, ROLES } from '../../components/role-field.js';
import { Table } from '../../components/table.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useChange, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { useDialogInAddress } from '../../search-params.js';

const STATES: Record<Invitation['state'], string> = {
  open: 'ready',
  used: '',
  expired: '',
  withdrawn: 'failed',
};

export function InviteButton() {
  const [, setInviting] = useDialogInAddress('invite');
  return (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setInviting(true);
      }}
    >
      Invite by a link
    </button>
  );
}

/** The invitations of a knowledge base, for its owners. */
export function Invitations() {
  const { kb } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [isInviting, setInviting] = useDialogInAddress('invite');
  const [created, setCreated] = useState<CreatedInvitation>();
  const rows = usePagedRows<Invitation>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/invitations', { path: { kb_id: kb.id }, query, signal }),
    `invitations ${kb.id}`,
    'invitation_',
  );
  const withdraw = useChange(async ({ id }: Invitation) => {
    await api.delete('/api/v1/invitations/{invitation_id}', { path: { invitation_id: id } });
    notify('The invitation is withdrawn. Its link opens nothing any more.');
    rows.reload();
  });
  return (
    <>
      {rows.value && rows.value.length > 0 && <h2>Invitations</h2>}
      <Table
        caption="Invitations"
        rows={rows}
        getKey={({ id }) => id}
        empty={null}
        columns={[
          { name: 'Role', cell: ({ role }) => role },
          {
            name: 'State',
            kind: 'short',
            cell: ({ state }) => <Badge kind={STATES[state]}>{state}</Badge>,
          },
          {
            name: 'Accepted',
            kind: 'short',
            cell: (each) => `${number(each.uses)} of ${number(each.max_uses)}`,
          },
          { name: 'Made by', cell: (each) => each.created_by },
          { name: 'Expires', kind: 'short', cell: (each) => <Time at={each.expires_at} /> },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (each) =>
              each.state === 'open' && (
                <RowAction onPress={() => void withdraw.run(each)}>Withdraw</RowAction>
              ),
          },
        ]}
      />
      <Alert error={withdraw.error} />
      {isInviting && (
        <InviteDialog
          onClose={() => {
            setInviting(false);
          }}
          onCreated={(invitation) => {
            setInviting(false);
            setCreated(invitation);
            rows.reload();
          }}
        />
      )}
      {created && (
        <LinkDialog
          invitation={created}
          onClose={() => {
            setCreated(undefined);
          }}
        />
      )}
    </>
  );
}

function InviteDialog(props: {
  onClose: () => void;
  onCreated: (invitation: CreatedInvitation) => void;
}) {
  const { kb } = useKnowledgeBase();
  const { api } = useShared();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const role = ROLES.map(([name]) => name).find((name) => name === fields['role']) ?? 'member';
    props.onCreated(
      await api.post('/api/v1/kbs/{kb_id}/invitations', {
        path: { kb_id: kb.id },
        body: {
          role,
          valid_days: Number(fields['valid_days'] ?? 7),
          max_uses: Number(fields['max_uses'] ?? 1),
        },
      }),
    );
  });
  return (
    <Dialog title="Invite by a link" onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(readFields(event.currentTarget));
        }}
      >
        <p>Whoever has the link signs in and becomes a member. Send it to nobody else.</p>
        <RoleField />
        <div class="columns">
          <Input
            label="Valid for days"
            name="valid_days"
            type="number"
            min={1}
            max={30}
            step="1"
            placeholder="7"
            hint="At most 30. Empty: 7."
            error={error}
          />
          <Input
            label="People"
            name="max_uses"
            type="number"
            min={1}
            max={100}
            step="1"
            placeholder="1"
            hint="How many may accept it. Empty: one."
            error={error}
          />
        </div>
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Create link" busy={busy} />
      </form>
    </Dialog>
  );
}

function LinkDialog(props: { invitation: CreatedInvitation; onClose: () => void }) {
  const { url, role, max_uses: people, expires_at } = props.invitation;
  return (
    <Dialog title="The link of the invitation" onClose={props.onClose} persistent>
      <p>
        <strong>It is shown this once.</strong> Copy it now.
      </p>
      <p>
        <code class="secret">{url}</code>
      </p>
      <p>
        <CopyButton text={url} />
      </p>
      <p>
        For {plural(people, 'person', 'people')} with the role {role}. It ends{' '}
        <Time at={expires_at} />; you can withdraw it before.
      </p>
      <menu>
        <button type="button" class="primary" onClick={props.onClose}>
          I have stored it
        </button>
      </menu>
    </Dialog>
  );
}
