import type { Filter } from '@latchkey/client';
import type { ComponentChildren } from 'preact';
import type { IssuedApiKey } from '../api.js';
import { Alert, CopyButton } from '../components/basics.js';
import { Dialog } from '../components/dialog.js';
import { fieldsOf, Input, Select, TextArea } from '../components/field.js';
import { useChange, useShared } from '../load.js';

const SCOPES = [
  ['query', 'find passages', true],
  ['chat', 'ask for answers', true],
  ['feedback', 'rate answers', true],
  ['documents:read', 'read documents', false],
  ['documents:write', 'add and delete documents', false],
] as const;

type Scope = (typeof SCOPES)[number][0];

export function IssueDialog(props: {
  kbId: string;
  onClose: () => void;
  onIssued: (key: IssuedApiKey) => void;
}) {
  const { api } = useShared();
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const fields = fieldsOf(form);
    const { name = '', environment, description, expires_at, rate_limit_per_minute } = fields;
    const scopes = new FormData(form).getAll('scopes') as Scope[];
    const { filter, allowed_ips } = fields;
    props.onIssued(
      await api.post('/api/v1/kbs/{kb_id}/api-keys', {
        path: { kb_id: props.kbId },
        body: {
          name,
          environment: environment === 'test' ? 'test' : 'live',
          scopes,
          ...(description !== undefined && { description }),
          ...(expires_at !== undefined && { expires_at: new Date(expires_at).toISOString() }),
          ...(rate_limit_per_minute !== undefined && {
            rate_limit_per_minute: Number(rate_limit_per_minute),
          }),
          ...(allowed_ips !== undefined && { allowed_ips: allowed_ips.split(/[\s,]+/) }),
          ...(filter !== undefined && { filter: JSON.parse(filter) as Filter }),
        },
      }),
    );
  });
  return (
    <Dialog title="New API key" onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <Input
          label="Name"
          name="name"
          required
          maxLength={100}
          autofocus
          error={error}
          hint="Of the program that will use it"
        />
        <Select label="Environment" name="environment">
          <option value="live">live</option>
          <option value="test">test</option>
        </Select>
        <fieldset>
          <legend>It may</legend>
          {SCOPES.map(([scope, words, isDefault]) => (
            <label key={scope} class="check">
              <input type="checkbox" name="scopes" value={scope} defaultChecked={isDefault} />{' '}
              {words}
            </label>
          ))}
        </fieldset>
        <Input
          label="Ends"
          name="expires_at"
          type="datetime-local"
          error={error}
          hint="Never, if left empty"
        />
        <details>
          <summary>More limits</summary>
          <Input
            label="Requests a minute"
            name="rate_limit_per_minute"
            type="number"
            min={1}
            max={1_000_000}
            error={error}
          />
          <Input
            label="Addresses"
            name="allowed_ips"
            error={error}
            hint="Such as 203.0.113.0/24, with spaces between them"
          />
          <TextArea
            label="Filter"
            name="filter"
            error={error}
            hint={
              <>
                Only documents whose metadata fits, as JSON, such as{' '}
                <code>{'{"type":"eq","key":"department","value":"support"}'}</code>
              </>
            }
          />
          <Input label="Description" name="description" maxLength={1000} error={error} />
        </details>
        <Alert error={error} />
        <menu>
          <button type="button" onClick={props.onClose}>
            Cancel
          </button>
          <button class="primary" disabled={busy}>
            Issue key
          </button>
        </menu>
      </form>
    </Dialog>
  );
}

/** The only sight of a secret: Escape does not close it, and nothing of it stays in the page. */
export function SecretDialog(props: {
  title: string;
  secret: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose} persistent>
      <p>
        <strong>It is shown this once.</strong> Copy it now.
      </p>
      <p>
        <code class="secret">{props.secret}</code>
      </p>
      <p>
        <CopyButton text={props.secret} />
      </p>
      {props.children}
      <menu>
        <button type="button" class="primary" onClick={props.onClose}>
          I have stored it
        </button>
      </menu>
    </Dialog>
  );
}
