import type { DocumentVersion } from '../../api.js';
import { Confirm } from '../../components/dialog.js';
import { useShared } from '../../load.js';

/** Asks before a version becomes the content of its document again. */
export function RestoreDialog(props: {
  version: Pick<DocumentVersion, 'document_id' | 'version'>;
  onRestored: () => void;
  onClose: () => void;
}) {
  const { document_id, version } = props.version;
  const { api, notify } = useShared();
  return (
    <Confirm
      title={`Restore version ${version}?`}
      action={`Restore version ${version}`}
      isHarmless
      onClose={props.onClose}
      onConfirm={async () => {
        await api.post('/api/v1/documents/{document_id}/versions/{version}/restore', {
          path: { document_id, version },
        });
        notify(`Version ${version} is restored.`);
        props.onRestored();
      }}
    >
      <p>
        The document gets its content, title, metadata and validity again. What it has now is kept
        as a version. Only those can read it who can read both.
      </p>
    </Confirm>
  );
}
