import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useKnowledgeBases } from '../all-knowledge-bases.js';
import type { IssuedApiKey } from '../api.js';
import { Alert, CopyButton } from '../components/basics.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import { readFields, Input, Select } from '../components/field.js';
import {
  readCommonFields,
  KeyFields,
  readKeyFields,
  ManagementKeyFields,
  readManagementScopes,
} from '../components/key-fields.js';
import { KnowledgeBaseChoices } from '../components/knowledge-base-choices.js';
import { useIdempotencyKey } from '../idempotency.js';
import { useChange, useShared } from '../load.js';

export function IssueDialog(props: {
  kbId: string;
  onClose: () => void;
  onIssued: (key: IssuedApiKey) => void;
}) {
  const { api } = useShared();
  const idempotencyKey = useIdempotencyKey();
  const [environment, setEnvironment] = useState('live');
  const [others, setOthers] = useState<readonly string[]>([]);
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const { name = '', environment } = readFields(form);
    const { scopes, filter, ...limits } = readKeyFields(form);
    const given = Object.entries(limits).filter(([, value]) => value !== null);
    const key = {
      name,
      environment: environment === 'test' ? ('test' as const) : ('live' as const),
      ...Object.fromEntries(given),
    };
    const opened = { scopes, ...(filter && { filter }) };
    const headers = idempotencyKey({ key, opened, others });
    props.onIssued(
      others.length === 0
        ? await api.post('/api/v1/kbs/{kb_id}/api-keys', {
            path: { kb_id: props.kbId },
            body: { ...key, ...opened },
            headers,
          })
        : await api.post('/api/v1/api-keys', {
            body: {
              ...key,
              kbs: [
                { kb_id: props.kbId, ...opened },
                ...others.map((id) => ({ kb_id: id, scopes })),
              ],
            },
            headers,
          }),
    );
  });
  return (
    <Dialog title="Create API key" onClose={props.onClose} side>
      <form
        onChange={(event) => {
          setOthers(new FormData(event.currentTarget).getAll('kbs').map(String));
        }}
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
        <Select
          label="Environment"
          name="environment"
          onChange={(event) => {
            setEnvironment(event.currentTarget.value);
          }}
          hint="Part of the key; analytics can be filtered by it"
        >
          <option value="live">live</option>
          <option value="test">test</option>
        </Select>
        <KeyFields environment={environment} kbs={[props.kbId, ...others]} error={error} />
        <OtherKnowledgeBases kbId={props.kbId} />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Create" busy={busy} />
      </form>
    </Dialog>
  );
}

/** The other knowledge bases that the key opens. */
function OtherKnowledgeBases({ kbId }: { kbId: string }) {
  const kbs = useKnowledgeBases().value?.filter(({ id, role }) => id !== kbId && role !== 'viewer');
  if (!kbs || kbs.length === 0) return null;
  return (
    <details>
      <summary>Other knowledge bases</summary>
      <KnowledgeBaseChoices
        legend="It also opens"
        hint="With the same scopes, and without the filter. The settings and limits of this knowledge base hold"
        kbs={kbs}
        control={({ id }) => <input type="checkbox" name="kbs" value={id} />}
      />
    </details>
  );
}

/** Creates a key of a service account. */
export function IssueManagementKeyDialog(props: {
  accountId: string;
  onClose: () => void;
  onIssued: (key: IssuedApiKey) => void;
}) {
  const { api } = useShared();
  const idempotencyKey = useIdempotencyKey();
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const fields = readFields(form);
    const { expires_at, allowed_ips } = readCommonFields(fields);
    const body = {
      name: fields['name'] ?? '',
      scopes: readManagementScopes(form),
      expires_at,
      allowed_ips,
    };
    const headers = idempotencyKey(body);
    const path = { sa_id: props.accountId };
    props.onIssued(
      await api.post('/api/v1/service-accounts/{sa_id}/api-keys', { path, body, headers }),
    );
  });
  return (
    <Dialog title="Create key" onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <Input label="Name" name="name" required maxLength={100} autofocus error={error} />
        <ManagementKeyFields error={error} />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Create" busy={busy} />
      </form>
    </Dialog>
  );
}

/** Shows a secret once: Escape does not close it, leaving asks first, and the page keeps nothing of it. */
export function SecretDialog(props: {
  title: string;
  secret: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  useEffect(() => {
    const remind = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    addEventListener('beforeunload', remind);
    return () => {
      removeEventListener('beforeunload', remind);
    };
  }, []);
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
