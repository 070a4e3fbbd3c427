import { Link, useLocation } from 'wouter-preact';
import type { KnowledgeBase } from '../api.js';
import { Alert, Empty, Loading, plural, Time } from '../components/basics.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import { readFields, Input, TextArea } from '../components/field.js';
import { PageHeader } from '../components/page-header.js';
import { More } from '../components/table.js';
import { useIdempotencyKey } from '../idempotency.js';
import { useDialogInAddress } from '../search-params.js';
import { useTitle } from '../title.js';
import { useChange, useRows, useShared } from '../load.js';

export function KnowledgeBasesPage() {
  useTitle('Knowledge bases');
  const [creating, setCreating] = useDialogInAddress('new');
  const rows = useRows<KnowledgeBase>(
    (api, query, signal) => api.get('/api/v1/kbs', { query, signal }),
    'kbs',
  );
  const { api } = useShared();
  const [, go] = useLocation();
  const sample = useChange(async () => {
    const { createSample } = await import('../sample.js');
    go(`/kbs/${await createSample(api)}/overview`);
  });
  const create = (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setCreating(true);
      }}
    >
      Create knowledge base
    </button>
  );
  return (
    <>
      <PageHeader title="Knowledge bases">
        {rows.value && rows.value.length > 0 && create}
      </PageHeader>
      {!rows.value && <Loading error={rows.error} />}
      {rows.value?.length === 0 && (
        <Empty title="Begin with a knowledge base">
          <p>It holds documents. Ask it here, or from your own program with an API key.</p>
          <div class="actions">
            <button type="button" disabled={sample.busy} onClick={() => void sample.run()}>
              {sample.busy ? 'Creating the sample…' : 'Try a sample'}
            </button>
            {create}
          </div>
          <Alert error={sample.error} />
        </Empty>
      )}
      {rows.value && rows.value.length > 0 && (
        <>
          <ul class="cards">
            {rows.value.map((kb) => (
              <li key={kb.id}>
                <Link href={`/kbs/${kb.id}/overview`}>
                  <h2 dir="auto">{kb.name}</h2>
                </Link>
                <p class="clamped" dir="auto">
                  {kb.description}
                </p>
                <p class="quiet">
                  {plural(kb.document_count, 'document')} · {kb.role} · <Time at={kb.updated_at} />
                </p>
              </li>
            ))}
          </ul>
          <More rows={rows} />
        </>
      )}
      {creating && (
        <CreateDialog
          onClose={() => {
            setCreating(false);
          }}
        />
      )}
    </>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const { api } = useShared();
  const [, go] = useLocation();
  const idempotencyKey = useIdempotencyKey();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const { name = '', description } = fields;
    const body = { name, ...(description !== undefined && { description }) };
    const { id } = await api.post('/api/v1/kbs', { body, headers: idempotencyKey(body) });
    onClose();
    go(`/kbs/${id}/documents`, { replace: true });
  });
  return (
    <Dialog title="Create knowledge base" onClose={onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(readFields(event.currentTarget));
        }}
      >
        <Input label="Name" name="name" required maxLength={100} autofocus error={error} />
        <TextArea label="Description" name="description" maxLength={1000} error={error} />
        <Alert error={error} />
        <DialogButtons onClose={onClose} action="Create" busy={busy} />
      </form>
    </Dialog>
  );
}
