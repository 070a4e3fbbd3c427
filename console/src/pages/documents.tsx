import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { readersWords } from '../access-words.js';
import { describeUnreadable } from '../document-problems.js';
import { useReplaceFile } from '../replace-file.js';
import { actOnMany, unlessGone } from '../act-on-many.js';
import type { AccessSet, ConnectedSource, Document } from '../api.js';
import {
  Alert,
  Badge,
  bytes,
  Empty,
  number,
  plural,
  RowAction,
  Time,
} from '../components/basics.js';
import { ConfirmMany } from '../components/confirm-many.js';
import { Meaning, MeaningProgress, useIsEmbedding } from '../components/meaning.js';
import { PageHeader } from '../components/page-header.js';
import { SearchFilter } from '../components/search-filter.js';
import { Table } from '../components/table.js';
import { useChange, useLoad, usePolling, useShared } from '../load.js';
import { usePagedRows } from '../paging.js';
import { useDialogInAddress, useFilter } from '../search-params.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { SourceLink } from '../components/source-link.js';
import { hasValidity, Validity } from './document-validity.js';
import { TextDialog } from './new-text.js';
import { Uploads } from './uploads.js';

const POLL_MS = 1500;
const EMBEDDING_POLL_MS = 5000;
const STATES = ['pending', 'processing', 'ready', 'failed'] as const;

const STATE_WORDS: Record<Document['status'], string> = {
  pending: 'waiting',
  processing: 'being read',
  ready: 'ready',
  failed: 'failed',
};

export function DocumentsPage() {
  const { kb, mayChange, reload: reloadKnowledgeBase } = useKnowledgeBase();
  const { api, notify, isRunning } = useShared();
  const [filter, setFilter] = useFilter(['status', 'q', 'source_id', 'access_set']);
  const [writing, setWriting] = useDialogInAddress('text');
  const [areFilesAsked, askForFiles] = useDialogInAddress('files');
  const [deleting, setDeleting] = useState<readonly Document[]>([]);
  const rows = usePagedRows<Document>(
    (api, page, signal) =>
      api.get('/api/v1/kbs/{kb_id}/documents', {
        path: { kb_id: kb.id },
        query: {
          ...page,
          ...(filter.q !== undefined && { q: filter.q }),
          ...(filter.status !== undefined && { status: filter.status as Document['status'] }),
          ...(filter.source_id !== undefined && { source_id: filter.source_id }),
          ...(filter.access_set !== undefined && { access_set: filter.access_set }),
        },
        signal,
      }),
    `documents ${kb.id} ${JSON.stringify(filter)}`,
  );
  const sources = useLoad(
    async (api, signal) =>
      isRunning('sources')
        ? api.get('/api/v1/kbs/{kb_id}/sources', {
            ...{ path: { kb_id: kb.id }, query: { limit: 100 }, signal },
          })
        : undefined,
    `sources of documents ${kb.id}`,
  ).value?.data;
  const sets = useLoad(
    async (api, signal) =>
      mayChange
        ? api.get('/api/v1/kbs/{kb_id}/access-sets', {
            ...{ path: { kb_id: kb.id }, query: { limit: 100 }, signal },
          })
        : undefined,
    `access sets of documents ${kb.id}`,
  ).value?.data;
  const isWorking = rows.value?.some(
    ({ status }) => status === 'pending' || status === 'processing',
  );
  usePolling(rows, isWorking === true, POLL_MS);
  const isEmbedding = useIsEmbedding();
  usePolling(rows, rows.value?.some(isEmbedding) === true, EMBEDDING_POLL_MS);
  useEffect(reloadKnowledgeBase, [isWorking]);
  const changed = () => {
    rows.reload();
    reloadKnowledgeBase();
  };
  const retry = useChange(async (...documents: Document[]) => {
    const { error } = await actOnMany(documents, ({ id }) =>
      api.post('/api/v1/documents/{document_id}/reindex', { path: { document_id: id } }),
    );
    rows.reload();
    if (error !== undefined) throw error;
    if (documents.length > 1) notify(`${plural(documents.length, 'document')} are read again.`);
  });
  const replace = useReplaceFile(changed);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHeader title="Documents" lead="What answers are taken from." />
      {mayChange && (
        <Uploads
          kbId={kb.id}
          onChange={changed}
          onText={() => {
            setWriting(true);
          }}
          isAsked={areFilesAsked}
          onAsked={() => {
            askForFiles(false);
          }}
        />
      )}
      {(isFiltered || (rows.value?.length ?? 0) > 0) && (
        <form
          class="filters"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
          }}
        >
          <SearchFilter
            label="Search titles"
            value={filter.q}
            total={rows.isLoading ? undefined : rows.total}
            onChange={(q, options) => {
              setFilter({ ...filter, q }, options);
            }}
          />
          <select
            aria-label="State"
            value={filter.status ?? ''}
            onChange={(event) => {
              setFilter({ ...filter, status: event.currentTarget.value || undefined });
            }}
          >
            <option value="">Any state</option>
            {STATES.map((state) => (
              <option key={state} value={state}>
                {STATE_WORDS[state]}
              </option>
            ))}
          </select>
          {sources && sources.length > 0 && (
            <select
              aria-label="Source"
              value={filter.source_id ?? ''}
              onChange={(event) => {
                setFilter({ ...filter, source_id: event.currentTarget.value || undefined });
              }}
            >
              <option value="">Any source</option>
              {sources.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
          {sets && sets.length > 0 && (
            <select
              aria-label="Access set"
              value={filter.access_set ?? ''}
              onChange={(event) => {
                setFilter({ ...filter, access_set: event.currentTarget.value || undefined });
              }}
            >
              <option value="">Any access set</option>
              {sets.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </form>
      )}
      <Table
        caption="Documents"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          isFiltered ? (
            <Empty title="No document fits">
              <button
                type="button"
                onClick={() => {
                  setFilter({});
                }}
              >
                Show all
              </button>
            </Empty>
          ) : (
            <Empty title="No documents yet">
              <p>
                Drop files above, write a text, or{' '}
                <Link href={`/kbs/${kb.id}/sources`}>connect a source</Link>. Questions can be asked
                as soon as one is ready.
              </p>
            </Empty>
          )
        }
        selection={
          mayChange
            ? {
                getName: ({ title }) => title,
                actions: (chosen) => (
                  <>
                    <button
                      type="button"
                      disabled={retry.busy}
                      onClick={() => void retry.run(...chosen)}
                    >
                      Read again
                    </button>
                    <button
                      type="button"
                      class="danger"
                      onClick={() => {
                        setDeleting(chosen);
                      }}
                    >
                      Delete…
                    </button>
                  </>
                ),
              }
            : undefined
        }
        columns={[
          {
            name: 'Title',
            sortBy: ({ title }) => title,
            cell: (each) => (
              <>
                <Link href={`/kbs/${kb.id}/documents/${each.id}`}>{each.title}</Link>
                {hasValidity(each) && (
                  <div class="quiet">
                    <Validity document={each} />
                  </div>
                )}
                <Rule document={each} sets={sets} />
                <Origin document={each} source={sources?.find(({ id }) => id === each.source_id)} />
              </>
            ),
          },
          {
            name: 'State',
            sortBy: ({ status }) => STATES.indexOf(status),
            cell: (each) => <State document={each} />,
          },
          {
            name: 'Passages',
            kind: 'numeric',
            sortBy: (each) => each.chunk_count,
            cell: (each) => number(each.chunk_count),
          },
          {
            name: 'Size',
            kind: 'numeric',
            sortBy: (each) => each.size_bytes,
            cell: (each) => bytes(each.size_bytes),
          },
          {
            name: 'Added',
            kind: 'short',
            sortBy: (each) => each.created_at,
            cell: (each) => <Time at={each.created_at} />,
          },
          {
            name: 'Updated',
            kind: 'short',
            sortBy: (each) => each.updated_at,
            cell: (each) => <Time at={each.updated_at} />,
          },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (each) =>
              mayChange && (
                <>
                  {each.status === 'failed' && (
                    <RowAction
                      label={`Read again: ${each.title}`}
                      onPress={() => void retry.run(each)}
                    >
                      Read again
                    </RowAction>
                  )}
                  {each.status === 'failed' && each.source_id === null && (
                    <RowAction
                      label={`Replace file… ${each.title}`}
                      onPress={() => void replace.run(each)}
                    >
                      Replace file…
                    </RowAction>
                  )}
                  <RowAction
                    label={`Delete ${each.title}`}
                    onPress={() => {
                      setDeleting([each]);
                    }}
                  >
                    Delete
                  </RowAction>
                </>
              ),
          },
        ]}
      />
      <Meaning />
      <Alert error={retry.error ?? replace.error} />
      {writing && mayChange && (
        <TextDialog
          kbId={kb.id}
          onClose={() => {
            setWriting(false);
          }}
          onAdded={changed}
        />
      )}
      {deleting.length > 0 && (
        <DeleteDocuments
          documents={deleting}
          onClose={() => {
            setDeleting([]);
          }}
          onDeleted={changed}
        />
      )}
    </>
  );
}

function DeleteDocuments(props: {
  documents: readonly Document[];
  onClose: () => void;
  onDeleted: () => void;
}) {
  const { api } = useShared();
  return (
    <ConfirmMany
      rows={props.documents}
      title={([only, ...others]) =>
        others.length === 0
          ? `Delete “${only?.title ?? ''}”?`
          : `Delete ${plural(others.length + 1, 'document')}?`
      }
      action={({ length }) =>
        length === 1 ? 'Delete document' : `Delete ${plural(length, 'document')}`
      }
      act={({ id }) =>
        api
          .delete('/api/v1/documents/{document_id}', { path: { document_id: id } })
          .catch(unlessGone)
      }
      said={(count) =>
        count === 1 ? 'The document is deleted.' : `${plural(count, 'document')} are deleted.`
      }
      onEnded={props.onDeleted}
      onClose={props.onClose}
    >
      {(documents) => (
        <DeletedWith passages={documents.reduce((sum, each) => sum + each.chunk_count, 0)} />
      )}
    </ConfirmMany>
  );
}

/** The readers of a document that has a rule. */
function Rule(props: { document: Document; sets: readonly AccessSet[] | undefined }) {
  const { access, access_set } = props.document;
  if (access) return <div class="quiet">Read by: {readersWords(access)}</div>;
  if (typeof access_set !== 'string') return null;
  const set = props.sets?.find(({ id }) => id === access_set);
  return <div class="quiet">Read by: {set?.name ?? 'an access set'}</div>;
}

/** The source of a document that was not uploaded. */
function Origin(props: { document: Document; source: ConnectedSource | undefined }) {
  const { document, source } = props;
  if (document.source_id === null) return null;
  return (
    <div class="quiet">
      from {source?.name ?? 'a source'}
      {document.source_url !== null && (
        <>
          : <SourceLink url={document.source_url} />
        </>
      )}
    </div>
  );
}

export function DeletedWith({ passages }: { passages: number }) {
  return (
    <p>
      This removes {plural(passages, 'passage')} from search and from answers. It cannot be undone.
    </p>
  );
}

export function State({ document }: { document: Document }) {
  const { status, error } = document;
  return (
    <>
      <Badge kind={status}>{STATE_WORDS[status]}</Badge>
      <MeaningProgress document={document} />
      {error !== null && <span class="wrong">{describeUnreadable(error)}</span>}
    </>
  );
}
