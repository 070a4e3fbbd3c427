import { useState } from 'preact/hooks';
import type { ApiKey, IssuedApiKey } from '../api.js';
import { Alert, Loading, plural, Time } from '../components/basics.js';
import { Confirm, Dialog } from '../components/dialog.js';
import { Sparkline } from '../components/chart.js';
import { fieldsOf, Input, Select } from '../components/field.js';
import { useChange, useLoad, useShared } from '../load.js';
import { useKnowledgeBase } from './knowledge-base.js';
import { KeyState } from './keys.js';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
  readonly onChange: () => void;
  readonly onIssued: (key: IssuedApiKey) => void;
}

const GRACES = [
  [0, 'at once'],
  [3600, 'in an hour'],
  [86_400, 'in a day'],
  [604_800, 'in a week'],
  [2_592_000, 'in 30 days'],
] as const;

/** A key: what uses it, and how to replace or stop it. */
export function KeyDialog(props: Props) {
  const { api, notify } = useShared();
  const { kb, mayChange } = useKnowledgeBase();
  const [asking, setAsking] = useState<'revoke' | 'delete'>();
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
  const rename = useChange(async (name: string) => {
    await api.patch('/api/v1/api-keys/{key_id}', { path, body: { name } });
    notify('The name is changed.');
    changed();
  });
  const rotate = useChange(async (seconds: number) => {
    const body = { grace_period_seconds: seconds };
    props.onIssued(await api.post('/api/v1/api-keys/{key_id}/rotate', { path, body }));
  });
  const { value: apiKey } = key;
  if (!apiKey) {
    return (
      <Dialog title="API key" onClose={props.onClose}>
        <Loading error={key.error} />
      </Dialog>
    );
  }
  const breaks = usage.value && (
    <p>
      {usage.value.safe_to_revoke
        ? 'Nothing has used it in the last 24 hours.'
        : `It answered ${plural(usage.value.requests_24h, 'request')} in the last 24 hours; they will be refused.`}
    </p>
  );
  return (
    <Dialog title={apiKey.name} onClose={props.onClose}>
      <Facts apiKey={apiKey} />
      {usage.value && (
        <dl class="facts">
          <dt>Requests</dt>
          <dd>
            {plural(usage.value.requests_24h, 'request')} in 24 hours,{' '}
            {plural(usage.value.requests_30d, 'request')} in 30 days
            <Sparkline
              values={[usage.value.requests_30d / 30, usage.value.requests_24h]}
              label="Requests a day over the month, and today"
            />
          </dd>
          <dt>From</dt>
          <dd>
            {usage.value.last_ip ?? 'nowhere'}
            {usage.value.distinct_ips_24h > 1 &&
              ` and ${plural(usage.value.distinct_ips_24h - 1, 'other address', 'other addresses')}`}
          </dd>
          {usage.value.refused_uses_since_revoked > 0 && (
            <>
              <dt class="wrong">Tried after it was revoked</dt>
              <dd>
                {plural(usage.value.refused_uses_since_revoked, 'time')}, last{' '}
                <Time at={usage.value.last_refused_at} /> from {usage.value.last_refused_ip}
              </dd>
            </>
          )}
        </dl>
      )}
      {mayChange && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void rename.run(fieldsOf(event.currentTarget)['name'] ?? '');
          }}
        >
          <Input
            label="Name"
            name="name"
            required
            maxLength={100}
            defaultValue={apiKey.name}
            error={rename.error}
          />
          <button disabled={rename.busy}>Rename</button>
        </form>
      )}
      {mayChange && apiKey.active && apiKey.rotated_to === null && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void rotate.run(Number(fieldsOf(event.currentTarget)['grace']));
          }}
        >
          <Select label="Replace it by a new key; this one stops" name="grace" defaultValue="86400">
            {GRACES.map(([seconds, words]) => (
              <option key={seconds} value={seconds}>
                {words}
              </option>
            ))}
          </Select>
          <button disabled={rotate.busy}>Rotate</button>
        </form>
      )}
      <Alert error={rename.error ?? rotate.error} />
      <menu>
        {mayChange && apiKey.state === 'active' && (
          <button
            type="button"
            class="danger"
            onClick={() => {
              setAsking('revoke');
            }}
          >
            Revoke…
          </button>
        )}
        {mayChange && (
          <button
            type="button"
            class="danger"
            onClick={() => {
              setAsking('delete');
            }}
          >
            Delete…
          </button>
        )}
        <button type="button" onClick={props.onClose}>
          Close
        </button>
      </menu>
      {asking === 'revoke' && (
        <Confirm
          title={`Revoke ${apiKey.name}?`}
          action="Revoke key"
          onClose={() => {
            setAsking(undefined);
          }}
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
          onClose={() => {
            setAsking(undefined);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/api-keys/{key_id}', { path });
            notify('The key is deleted.');
            props.onChange();
            props.onClose();
          }}
        >
          {breaks}
          <p>It leaves the list of {kb.name}. To see who still tries it, revoke it instead.</p>
        </Confirm>
      )}
    </Dialog>
  );
}

function Facts({ apiKey }: { apiKey: ApiKey }) {
  return (
    <dl class="facts">
      <dt>Prefix</dt>
      <dd>
        <code>{apiKey.prefix}…</code> <KeyState apiKey={apiKey} />
      </dd>
      <dt>May</dt>
      <dd>{apiKey.scopes.join(', ')}</dd>
      {apiKey.filter !== null && (
        <>
          <dt>Only documents</dt>
          <dd>
            <code>{JSON.stringify(apiKey.filter)}</code>
          </dd>
        </>
      )}
      <dt>Made</dt>
      <dd>
        <Time at={apiKey.created_at} /> by {apiKey.created_by}
      </dd>
      <dt>Last use</dt>
      <dd>
        <Time at={apiKey.last_used_at} />
      </dd>
      <dt>Ends</dt>
      <dd>
        <Time at={apiKey.expires_at} />
      </dd>
    </dl>
  );
}
