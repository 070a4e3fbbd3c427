import { GRACES } from '../components/graces.js';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { IssuedApiKey } from '../api.js';
import { Alert, Loading, plural } from '../components/basics.js';
import { ConnectWithQuestion } from '../plugins/suggested-questions/suggested-questions.js';
import { Confirm, Dialog, DialogButtons } from '../components/dialog.js';
import { Select } from '../components/field.js';
import { useIdempotencyKey } from '../idempotency.js';
import { useChange, useLoad, useShared } from '../load.js';
import { ConnectedAgents } from '../plugins/agents/connected-agents.js';
import { EditKeyDialog } from './edit-key.js';
import { PortalLinkDialog } from '../plugins/portal/portal-link.js';
import { KeyFacts, UsageFacts } from './key-facts.js';

interface Props {
  readonly id: string;
  /** The name of the knowledge base or service account that the key belongs to. */
  readonly ownerName: string;
  readonly mayChange: boolean;
  /** The knowledge base that may be taken out of the key, if the user owns it and the key opens others. */
  readonly ownedKbId?: string;
  /** Requests on the last days, oldest first. */
  readonly days?: readonly number[] | undefined;
  /** Whether programs ask with it. */
  readonly isConnected?: boolean;
  readonly onClose: () => void;
  readonly onChange: () => void;
  readonly onIssued: (key: IssuedApiKey) => void;
}

/** A key with its use, and actions to replace or stop it. */
export function KeyDialog(props: Props) {
  const { api, notify, isRunning } = useShared();
  const { ownerName, mayChange, ownedKbId } = props;
  const [asking, setAsking] = useState<
    'change' | 'rotate' | 'portal' | 'take out' | 'revoke' | 'delete'
  >();
  const close = () => {
    setAsking(undefined);
  };
  const path = { key_id: props.id };
  const key = useLoad(
    (api, signal) => api.get('/api/v1/api-keys/{key_id}', { path, signal }),
    `key ${props.id}`,
  );
  const usage = useLoad(
    (api, signal) => api.get('/api/v1/api-keys/{key_id}/usage', { path, signal }),
    `usage ${props.id}`,
  );
  const changed = () => {
    key.reload();
    usage.reload();
    props.onChange();
  };
  const { value: apiKey } = key;
  if (!apiKey) {
    return (
      <Dialog title="API key" onClose={props.onClose} side>
        <Loading error={key.error} />
      </Dialog>
    );
  }
  const breaks = usage.value && (
    <p>
      {usage.value.safe_to_revoke
        ? 'Nothing has used it in the last 24 hours.'
        : `It answered ${plural(usage.value.requests_24h, 'request')} in the last 24 hours, the last from ${usage.value.last_ip ?? 'an unknown address'}. Whatever sends them is refused from then on.`}
    </p>
  );
  const actions = [
    ['change', 'Change…', mayChange && apiKey.state === 'active'],
    ['rotate', 'Rotate…', mayChange && apiKey.active && apiKey.rotated_to === null],
    [
      'portal',
      'Portal link…',
      mayChange && apiKey.active && apiKey.service_account_id === null && isRunning('portal'),
    ],
    ['take out', 'Take out…', ownedKbId !== undefined && apiKey.kbs.length > 1],
    ['revoke', 'Revoke…', mayChange && apiKey.state === 'active'],
    ['delete', 'Delete…', mayChange],
  ] as const;
  return (
    <Dialog title={apiKey.name} onClose={props.onClose} side>
      <KeyFacts apiKey={apiKey} />
      {usage.value && <UsageFacts usage={usage.value} days={props.days} />}
      {props.isConnected === true && apiKey.active && (
        <>
          {isRunning('agents') && <ConnectedAgents apiKey={apiKey} mayChange={mayChange} />}
          {apiKey.sender_constraint === null && <ConnectWithQuestion />}
        </>
      )}
      <menu>
        {actions.map(
          ([action, label, isPossible]) =>
            isPossible && (
              <button
                key={action}
                type="button"
                class={action === 'revoke' || action === 'delete' ? 'danger' : ''}
                onClick={() => {
                  setAsking(action);
                }}
              >
                {label}
              </button>
            ),
        )}
      </menu>
      {asking === 'change' && <EditKeyDialog apiKey={apiKey} onClose={close} onChanged={changed} />}
      {asking === 'rotate' && (
        <RotateDialog
          id={props.id}
          name={apiKey.name}
          breaks={breaks}
          onClose={close}
          onIssued={props.onIssued}
        />
      )}
      {asking === 'portal' && <PortalLinkDialog apiKey={apiKey} onClose={close} />}
      {asking === 'take out' && ownedKbId !== undefined && (
        <Confirm
          title={`Take ${ownerName} out of ${apiKey.name}?`}
          action="Take out"
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/kbs/{kb_id}/api-keys/{key_id}', {
              path: { kb_id: ownedKbId, ...path },
            });
            notify(`The key no longer opens ${ownerName}.`);
            props.onChange();
            props.onClose();
          }}
        >
          <p>From the next request on, it opens its other knowledge bases only.</p>
        </Confirm>
      )}
      {asking === 'revoke' && (
        <Confirm
          title={`Revoke ${apiKey.name}?`}
          action="Revoke key"
          onClose={close}
          onConfirm={async () => {
            await api.patch('/api/v1/api-keys/{key_id}/revoke', { path });
            notify('The key is revoked. Every request with it is refused from now on.');
            changed();
          }}
        >
          {breaks}
          <p>A revoked key cannot be made valid again.</p>
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete ${apiKey.name}?`}
          action="Delete key"
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/api-keys/{key_id}', { path });
            notify('The key is deleted.');
            props.onChange();
            props.onClose();
          }}
        >
          {breaks}
          <p>It leaves the list of {ownerName}. To see who still tries it, revoke it instead.</p>
        </Confirm>
      )}
    </Dialog>
  );
}

const DAY_SECONDS = 86_400;

function RotateDialog(props: {
  id: string;
  name: string;
  /** A warning about requests that the end of the old key breaks. */
  breaks: ComponentChildren;
  onClose: () => void;
  onIssued: (key: IssuedApiKey) => void;
}) {
  const { api } = useShared();
  const idempotencyKey = useIdempotencyKey();
  const [grace, setGrace] = useState(DAY_SECONDS);
  const { run, busy, error } = useChange(async (seconds: number) => {
    const body = { grace_period_seconds: seconds };
    const path = { key_id: props.id };
    const headers = idempotencyKey(body);
    props.onIssued(await api.post('/api/v1/api-keys/{key_id}/rotate', { path, body, headers }));
  });
  return (
    <Dialog title={`Rotate ${props.name}`} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(grace);
        }}
      >
        <p>
          A new key takes over its name and limits. Both work until the old one stops, so that the
          program can be given the new one meanwhile. Agents that are connected to the old one stop
          with it, and are connected to the new one by their users.
        </p>
        <label class="check">
          <input
            type="checkbox"
            onChange={(event) => {
              setGrace(event.currentTarget.checked ? 0 : DAY_SECONDS);
            }}
          />
          <span>
            Compromised
            <small class="quiet">
              Somebody else may have the key. The old one stops at once, unless you choose
              otherwise.
            </small>
          </span>
        </label>
        <Select
          label="The old key stops"
          name="grace"
          value={String(grace)}
          onChange={(event) => {
            setGrace(Number(event.currentTarget.value));
          }}
        >
          {GRACES.map(([seconds, words]) => (
            <option key={seconds} value={seconds}>
              {words}
            </option>
          ))}
        </Select>
        {props.breaks}
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Rotate key" busy={busy} />
      </form>
    </Dialog>
  );
}
