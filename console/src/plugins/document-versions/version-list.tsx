import { useState } from 'preact/hooks';
import type { DocumentVersion } from '../../api.js';
import { bytes, Empty, plural, RowAction, Time } from '../../components/basics.js';
import { Table } from '../../components/table.js';
import { usePagedRows } from '../../paging.js';
import { Link } from '../../routing.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { RestoreDialog } from './restore.js';

/** The former versions of a document; nothing if there are none. */
export function VersionList(props: {
  documentId: string;
  version: number;
  onRestored: () => void;
}) {
  const { documentId, version, onRestored } = props;
  const { kb, mayChange } = useKnowledgeBase();
  const [restoring, setRestoring] = useState<DocumentVersion>();
  const path = { document_id: documentId };
  const rows = usePagedRows<DocumentVersion>(
    (api, query, signal) =>
      api.get('/api/v1/documents/{document_id}/versions', { path, query, signal }),
    `versions ${documentId} ${version}`,
    'versions_',
  );
  // Most documents have none, and a rule may close them.
  if (!rows.value || (rows.value.length === 0 && rows.page === 1)) return null;
  const to = (row: DocumentVersion) =>
    `/kbs/${kb.id}/documents/${documentId}/versions/${row.version}`;
  return (
    <section aria-label="Versions">
      <h2>{plural(rows.total ?? 0, 'former version')}</h2>
      <Table
        caption="Former versions"
        rows={rows}
        getKey={(row) => String(row.version)}
        columns={[
          {
            name: 'Version',
            kind: 'short',
            cell: (row) => <Link href={to(row)}>Version {row.version}</Link>,
          },
          { name: 'Title', cell: (row) => <bdi>{row.title}</bdi> },
          { name: 'From', kind: 'short', cell: (row) => <Time at={row.created_at} /> },
          { name: 'Replaced', kind: 'short', cell: (row) => <Time at={row.replaced_at} /> },
          { name: 'By', cell: (row) => <bdi>{row.replaced_by}</bdi> },
          { name: 'Size', kind: 'short', cell: (row) => bytes(row.size_bytes) },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (row) => (
              <>
                <Link href={`${to(row)}/diff`} aria-label={`Compare version ${row.version}`}>
                  Compare
                </Link>{' '}
                {mayChange && (
                  <RowAction
                    label={`Restore version ${row.version}`}
                    onPress={() => {
                      setRestoring(row);
                    }}
                  >
                    Restore…
                  </RowAction>
                )}
              </>
            ),
          },
        ]}
        empty={<Empty title="There are no more" />}
      />
      {restoring && (
        <RestoreDialog
          version={restoring}
          onRestored={onRestored}
          onClose={() => {
            setRestoring(undefined);
          }}
        />
      )}
    </section>
  );
}
