import type { Document } from '../api.js';
import { Alert } from '../components/basics.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import {
  findChanges,
  localTime,
  readFields,
  Input,
  parseJson,
  TextArea,
} from '../components/field.js';
import { useChange, useShared } from '../load.js';

/** Changes the title, ids, metadata and validity of a document; its text comes from its file. */
export function EditDocumentDialog(props: {
  document: Document;
  onClose: () => void;
  onChanged: () => void;
}) {
  const { document } = props;
  const { api, notify } = useShared();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const { title = '', external_id = null, source_url = null, metadata = '{}' } = fields;
    const { valid_from, valid_until, supersedes = null } = fields;
    const body = findChanges(
      {
        title,
        external_id,
        source_url,
        metadata: parseJson(metadata, 'The metadata') as Record<string, unknown>,
        valid_from: toInstant(valid_from, document.valid_from),
        valid_until: toInstant(valid_until, document.valid_until),
        supersedes,
      },
      document,
    );
    if (Object.keys(body).length > 0) {
      await api.patch('/api/v1/documents/{document_id}', {
        path: { document_id: document.id },
        body,
      });
      notify('The document is changed.');
      props.onChanged();
    }
    props.onClose();
  });
  return (
    <Dialog title="Change the document" onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(readFields(event.currentTarget));
        }}
      >
        <Input
          label="Title"
          name="title"
          required
          maxLength={500}
          autofocus
          defaultValue={document.title}
          error={error}
          hint="Questions search it too"
        />
        <Input
          label="External id"
          name="external_id"
          maxLength={255}
          defaultValue={document.external_id ?? ''}
          error={error}
        />
        <Input
          label="Source URL"
          name="source_url"
          type="url"
          defaultValue={document.source_url ?? ''}
          error={error}
        />
        <TextArea
          label="Metadata"
          name="metadata"
          defaultValue={
            Object.keys(document.metadata).length === 0 ? '' : JSON.stringify(document.metadata)
          }
          error={error}
          hint={
            <>
              As JSON, such as <code>{'{"department":"support"}'}</code>; filters look at it
            </>
          }
        />
        <Input
          label="Valid from"
          name="valid_from"
          type="datetime-local"
          defaultValue={localTime(document.valid_from)}
          error={error}
          hint="In your time zone; before, no answer uses it"
        />
        <Input
          label="Valid until"
          name="valid_until"
          type="datetime-local"
          defaultValue={localTime(document.valid_until)}
          error={error}
          hint="From then on, no answer uses it"
        />
        <Input
          label="Takes the place of"
          name="supersedes"
          placeholder="doc_…"
          defaultValue={document.supersedes ?? ''}
          error={error}
          hint="The id of an older document, which answers then leave out"
        />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Save" busy={busy} />
      </form>
    </Dialog>
  );
}

/** A moment as the field has it, which leaves out seconds: what was not changed stays as it was. */
function toInstant(field: string | undefined, before: string | null): string | null {
  if (field === undefined) return null;
  return field === localTime(before) ? before : new Date(field).toISOString();
}
