import { useRef } from 'preact/hooks';
import type { ConnectedSource } from '../../api.js';
import { plural } from '../../components/basics.js';
import { Confirm } from '../../components/dialog.js';
import { Select } from '../../components/field.js';
import { useLoad, useShared } from '../../load.js';

/** Ends a source, and keeps or deletes its documents. */
export function EndSourceDialog(props: {
  source: ConnectedSource;
  onClose: () => void;
  onEnded: () => void;
}) {
  const { id, name, kb_id } = props.source;
  const { api } = useShared();
  const choice = useRef<HTMLDivElement>(null);
  const documents = useLoad(
    (api, signal) =>
      api.get('/api/v1/kbs/{kb_id}/documents', {
        ...{ path: { kb_id }, query: { source_id: id, limit: 1 }, signal },
      }),
    `documents of ${id}`,
  );
  return (
    <Confirm
      title={`End “${name}”?`}
      action="End the source"
      onClose={props.onClose}
      onConfirm={async () => {
        const keeps = choice.current?.querySelector('select')?.value !== 'delete';
        await api.delete('/api/v1/sources/{source_id}', {
          path: { source_id: id },
          query: { documents: keeps ? 'keep' : 'delete' },
        });
        props.onEnded();
      }}
    >
      <p>It is not read any more, and its credentials are deleted. This cannot be undone.</p>
      <div ref={choice}>
        <Select
          label={
            documents.value?.total === undefined
              ? 'Its documents'
              : `Its ${plural(documents.value.total, 'document')}`
          }
          name="documents"
        >
          <option value="keep">stay, as if they had been uploaded</option>
          <option value="delete">are deleted with it</option>
        </Select>
      </div>
    </Confirm>
  );
}
