import { Alert } from '../components/basics.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import { readFields, Input, Select, TextArea } from '../components/field.js';
import { useChange, useShared } from '../load.js';

type MimeType = 'text/plain' | 'text/markdown' | 'text/html';

/** Adds a document that is typed or pasted. */
export function TextDialog(props: { kbId: string; onClose: () => void; onAdded: () => void }) {
  const { api, notify } = useShared();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const { title = '', text = '', mime_type = 'text/plain', source_url } = fields;
    await api.post('/api/v1/kbs/{kb_id}/documents', {
      path: { kb_id: props.kbId },
      body: {
        title,
        text,
        mime_type: mime_type as MimeType,
        ...(source_url !== undefined && { source_url }),
      },
    });
    notify('The document is added.');
    props.onAdded();
    props.onClose();
  });
  return (
    <Dialog title="Write a text" onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(readFields(event.currentTarget));
        }}
      >
        <Input label="Title" name="title" required autofocus error={error} />
        <TextArea label="Text" name="text" required rows={10} error={error} />
        <Select label="Format" name="mime_type">
          <option value="text/plain">Plain text</option>
          <option value="text/markdown">Markdown</option>
          <option value="text/html">HTML</option>
        </Select>
        <Input label="Source URL" name="source_url" type="url" error={error} />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Add document" busy={busy} />
      </form>
    </Dialog>
  );
}
