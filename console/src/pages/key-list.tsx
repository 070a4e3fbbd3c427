import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey, IssuedApiKey } from '../api.js';
import { Time } from '../components/basics.js';
import { scopeWords } from '../components/scopes.js';
import { type Column, Table } from '../components/table.js';
import type { PagedRows } from '../paging.js';
import { useSearchParams } from '../search-params.js';
import { SecretDialog } from './issue-key.js';
import { KeyDialog } from './key.js';

/** How a dialog that makes a key ends. */
export interface Issuing {
  readonly onClose: () => void;
  readonly onIssued: (key: IssuedApiKey) => void;
}

/** The keys of a knowledge base or of a service account, with the dialogs that make, show and change them. */
export function KeyList(props: {
  caption: string;
  rows: PagedRows<ApiKey>;
  ownerName: string;
  mayChange: boolean;
  /** Of an owner: the knowledge base that may be taken out of a key. */
  ownedKbId?: string | undefined;
  /** What the button says that makes one. */
  newKey: string;
  issueDialog: (issuing: Issuing) => ComponentChildren;
  /** What stands above the table, and in its place where there is no key. */
  heading: (issue: ComponentChildren) => ComponentChildren;
  empty: (issue: ComponentChildren) => ComponentChildren;
  state: (key: ApiKey) => ComponentChildren;
  daysOf?: (id: string) => readonly number[] | undefined;
  /** Beside those that all keys have. */
  column?: Column<ApiKey>;
  /** Where to keep the secret. */
  advice: ComponentChildren;
}) {
  const { rows } = props;
  const [{ key: opened }, open] = useSearchParams(['key']);
  const [issuing, setIssuing] = useState(false);
  const [issued, setIssued] = useState<IssuedApiKey>();
  const close = () => {
    setIssuing(false);
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
        keyOf={({ id }) => id}
        empty={props.empty(issue)}
        columns={[
          {
            name: 'Name',
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
          { name: 'State', kind: 'short', cell: props.state },
          { name: 'Scopes', cell: scopeWords },
          ...(props.column ? [props.column] : []),
          { name: 'Last used', kind: 'short', cell: (key) => <Time at={key.last_used_at} /> },
          { name: 'Expires', kind: 'short', cell: (key) => <Time at={key.expires_at} /> },
        ]}
      />
      {issuing && props.issueDialog({ onClose: close, onIssued: show })}
      {opened !== undefined && (
        <KeyDialog
          id={opened}
          ownerName={props.ownerName}
          mayChange={props.mayChange}
          {...(props.ownedKbId !== undefined && { ownedKbId: props.ownedKbId })}
          days={props.daysOf?.(opened)}
          onClose={close}
          onChange={rows.reload}
          onIssued={show}
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
        </SecretDialog>
      )}
    </>
  );
}
