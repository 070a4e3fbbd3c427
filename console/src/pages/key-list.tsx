import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey, IssuedApiKey } from '../api.js';
import { unlessGone } from '../act-on-many.js';
import { plural, Time } from '../components/basics.js';
import { ConnectWithQuestion } from '../plugins/suggested-questions/suggested-questions.js';
import { ConfirmMany } from '../components/confirm-many.js';
import { type Column, Table } from '../components/table.js';
import type { PagedRows } from '../paging.js';
import { useShared } from '../load.js';
import { useDialogInAddress, useSearchParams } from '../search-params.js';
import { SecretDialog } from './issue-key.js';
import { KeyDialog } from './key.js';

/** The callbacks of a dialog that creates a key. */
export interface Issuing {
  readonly onClose: () => void;
  readonly onIssued: (key: IssuedApiKey) => void;
}

interface Ending {
  readonly how: 'revoke' | 'delete';
  readonly keys: readonly ApiKey[];
}

/** The keys of a knowledge base or of a service account, with the dialogs that create, show and change them. */
export function KeyList(props: {
  caption: string;
  rows: PagedRows<ApiKey>;
  ownerName: string;
  mayChange: boolean;
  /** The knowledge base that may be taken out of a key, if the user owns it. */
  ownedKbId?: string | undefined;
  /** The label of the button that creates a key. */
  newKey: string;
  issueDialog: (issuing: Issuing) => ComponentChildren;
  /** The content above the table; `empty` replaces a table without keys. */
  heading: (issue: ComponentChildren) => ComponentChildren;
  empty: (issue: ComponentChildren) => ComponentChildren;
  state: (key: ApiKey) => ComponentChildren;
  getDays?: (id: string) => readonly number[] | undefined;
  /** An additional column. */
  column?: Column<ApiKey>;
  /** Whether programs ask with these keys; then it shows how to connect. */
  isConnected?: boolean;
  /** Where to keep the secret. */
  advice: ComponentChildren;
}) {
  const { rows } = props;
  const [{ key: opened }, open] = useSearchParams(['key']);
  const [issuing, setIssuing] = useDialogInAddress('new');
  const [issued, setIssued] = useState<IssuedApiKey>();
  const [ending, setEnding] = useState<Ending>();
  const close = () => {
    if (issuing) setIssuing(false);
    if (opened !== undefined) open({});
  };
  const show = (key: IssuedApiKey) => {
    close();
    setIssued(key);
    rows.reload();
  };
  const issue = props.mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setIssuing(true);
      }}
    >
      {props.newKey}
    </button>
  );
  return (
    <>
      {props.heading(issue)}
      <Table
        caption={props.caption}
        rows={rows}
        getKey={({ id }) => id}
        empty={props.empty(issue)}
        selection={
          props.mayChange
            ? {
                getName: ({ name }) => name,
                actions: (keys) => (
                  <>
                    {keys.some(({ state }) => state === 'active') && (
                      <button
                        type="button"
                        class="danger"
                        onClick={() => {
                          setEnding({ how: 'revoke', keys });
                        }}
                      >
                        Revoke…
                      </button>
                    )}
                    <button
                      type="button"
                      class="danger"
                      onClick={() => {
                        setEnding({ how: 'delete', keys });
                      }}
                    >
                      Delete…
                    </button>
                  </>
                ),
              }
            : undefined
        }
        columns={[
          {
            name: 'Name',
            sortBy: ({ name }) => name,
            cell: ({ id, name }) => (
              <button
                type="button"
                class="link"
                onClick={() => {
                  open({ key: id });
                }}
              >
                {name}
              </button>
            ),
          },
          { name: 'Prefix', kind: 'short', cell: ({ prefix }) => <code>{prefix}…</code> },
          {
            name: 'State',
            kind: 'short',
            sortBy: ({ active }) => (active ? 0 : 1),
            cell: props.state,
          },
          { name: 'Scopes', cell: ({ scopes }) => <code>{scopes.join(' ')}</code> },
          ...(props.column ? [props.column] : []),
          {
            name: 'Last used',
            kind: 'short',
            sortBy: ({ last_used_at }) => last_used_at,
            cell: (key) => <Time at={key.last_used_at} />,
          },
          {
            name: 'Expires',
            kind: 'short',
            sortBy: ({ expires_at }) => expires_at,
            cell: (key) => <Time at={key.expires_at} />,
          },
        ]}
      />
      {issuing && props.mayChange && props.issueDialog({ onClose: close, onIssued: show })}
      {opened !== undefined && (
        <KeyDialog
          id={opened}
          ownerName={props.ownerName}
          mayChange={props.mayChange}
          {...(props.ownedKbId !== undefined && { ownedKbId: props.ownedKbId })}
          isConnected={props.isConnected === true}
          days={props.getDays?.(opened)}
          onClose={close}
          onChange={rows.reload}
          onIssued={show}
        />
      )}
      {ending && (
        <EndKeys
          {...ending}
          onClose={() => {
            setEnding(undefined);
          }}
          onEnded={rows.reload}
        />
      )}
      {issued && (
        <SecretDialog
          title={`The secret of ${issued.name}`}
          secret={issued.api_key}
          onClose={() => {
            setIssued(undefined);
          }}
        >
          <p>{props.advice}</p>
          {props.isConnected === true && <ConnectWithQuestion secret={issued.api_key} />}
        </SecretDialog>
      )}
    </>
  );
}

/** Revokes or deletes several keys at once. */
function EndKeys(props: Ending & { onClose: () => void; onEnded: () => void }) {
  const { api } = useShared();
  const isRevoked = props.how === 'revoke';
  const action = (keys: readonly ApiKey[]) =>
    `${isRevoked ? 'Revoke' : 'Delete'} ${plural(keys.length, 'key')}`;
  return (
    <ConfirmMany
      rows={isRevoked ? props.keys.filter(({ state }) => state === 'active') : props.keys}
      title={(keys) => `${action(keys)}?`}
      action={action}
      act={({ id }) => {
        const path = { key_id: id };
        return isRevoked
          ? api.patch('/api/v1/api-keys/{key_id}/revoke', { path })
          : api.delete('/api/v1/api-keys/{key_id}', { path }).catch(unlessGone);
      }}
      said={(count) => `${plural(count, 'key')} ${isRevoked ? 'revoked' : 'deleted'}.`}
      onEnded={props.onEnded}
      onClose={props.onClose}
    >
      {(keys) => (
        <>
          <p>
            Every request with {keys.length === 1 ? 'it' : 'one of them'} is refused from then on.
            This cannot be undone.
          </p>
          <ul>
            {keys.map(({ id, name, prefix }) => (
              <li key={id}>
                <span dir="auto">{name}</span> <code class="quiet">{prefix}…</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmMany>
  );
}
