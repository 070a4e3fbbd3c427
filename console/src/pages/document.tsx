import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useHashLocation } from '../routing.js';
import { useReplaceFile } from '../replace-file.js';
import { type Chunk, isNotFound } from '../api.js';
import { Alert, Empty, Loading, number, plural } from '../components/basics.js';
import { Confirm } from '../components/dialog.js';
import { useIsEmbedding } from '../components/meaning.js';
import { DownloadButton } from '../components/download-button.js';
import { RichText } from '../components/rich-text.js';
import { PageHeader } from '../components/page-header.js';
import { More } from '../components/table.js';
import { useChange, useLoad, usePolling, useRows, useShared } from '../load.js';
import { VersionList } from '../plugins/document-versions/version-list.js';
import { DocumentAccess } from './document-access.js';
import { DocumentFacts, describePlace } from './document-facts.js';
import { DeletedWith } from './documents.js';
import { EditDocumentDialog } from './edit-document.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

/** The most passages that are loaded to find the one that a link leads to. */
const LOOKED_THROUGH = 5000;
const EMBEDDING_POLL_MS = 5000;

/** A document and its passages. */
export function DocumentPage({ id }: { id: string }) {
  const { kb, mayChange, reload: reloadKnowledgeBase } = useKnowledgeBase();
  const [, go] = useLocation();
  const [asking, setAsking] = useState<'change' | 'delete'>();
  const { api, notify, isRunning } = useShared();
  const path = { document_id: id };
  const loaded = useLoad(
    (api, signal) => api.get('/api/v1/documents/{document_id}', { path, signal }),
    id,
  );
  const document = loaded.value;
  const isWorking = document?.status === 'pending' || document?.status === 'processing';
  const isEmbedding = useIsEmbedding();
  usePolling(loaded, isWorking);
  usePolling(loaded, document !== undefined && isEmbedding(document), EMBEDDING_POLL_MS);
  const chunks = useRows<Chunk>(
    (api, query, signal) =>
      api.get('/api/v1/documents/{document_id}/chunks', { path, query, signal }),
    `chunks ${id} ${document?.indexed_at ?? ''}`,
  );
  const target = useHashLocation();
  const reached = useRef('');
  useEffect(() => {
    if (target === '' || reached.current === target || !chunks.value) return;
    const element = window.document.getElementById(target);
    if (element) {
      reached.current = target;
      element.scrollIntoView({ block: 'center' });
    } else if (chunks.value.length < LOOKED_THROUGH) chunks.more();
  }, [target, chunks.value]);
  const reindex = useChange(async () => {
    await api.post('/api/v1/documents/{document_id}/reindex', { path });
    notify('The document is read again. Its passages serve meanwhile.');
    loaded.reload();
  });
  const replace = useReplaceFile(loaded.reload);
  const close = () => {
    setAsking(undefined);
  };
  if (!document) return <Loading error={loaded.error} />;
  const isClosed = isNotFound(chunks.error);
  return (
    <>
      <PageHeader
        title={document.title}
        up={{ href: `/kbs/${kb.id}/documents`, label: 'Documents' }}
      >
        <>
          {!isClosed && isRunning('originals') && <DownloadButton document={document} />}
          {mayChange && (
            <>
              <button
                type="button"
                disabled={reindex.busy || isWorking}
                onClick={() => void reindex.run()}
              >
                Read again
              </button>
              {document.source_id === null && (
                <button
                  type="button"
                  disabled={replace.busy || isWorking}
                  onClick={() => void replace.run(document)}
                >
                  Replace file…
                </button>
              )}
              <button
                type="button"
                onClick={() => {
                  setAsking('change');
                }}
              >
                Change…
              </button>
              <button
                type="button"
                class="danger"
                onClick={() => {
                  setAsking('delete');
                }}
              >
                Delete…
              </button>
            </>
          )}
        </>
      </PageHeader>
      <DocumentFacts document={document} />
      {document.warnings.length > 0 && (
        <section class="alert" aria-label="Warnings">
          <p>It was not read completely, or may have mistakes:</p>
          <ul>
            {document.warnings.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </section>
      )}
      <Alert error={reindex.error ?? replace.error} />
      {mayChange && (
        <DocumentAccess
          document={document}
          onChanged={() => {
            loaded.reload();
            chunks.reload();
          }}
        />
      )}
      {isRunning('document-versions') && (
        <VersionList documentId={id} version={document.version} onRestored={loaded.reload} />
      )}
      <h2>{plural(document.chunk_count, 'passage')}</h2>
      {isClosed && <Empty title="Its rule does not let you read them" />}
      {!chunks.value && !isClosed && <Loading error={chunks.error} />}
      {chunks.value?.length === 0 && (
        <Empty title={isWorking ? 'It is being read' : 'It has no passages'} />
      )}
      <ol class="passages" start={0}>
        {chunks.value?.map((chunk) => (
          <li key={chunk.id} id={chunk.id} class={chunk.id === target ? 'target' : ''}>
            <p class="quiet">
              {number(chunk.index + 1)}
              {chunk.heading !== null && ` · ${chunk.heading}`}
              {chunk.locator !== null && ` · ${describePlace(chunk.locator)}`}
            </p>
            <div class="passage">
              <RichText text={chunk.text} />
            </div>
          </li>
        ))}
      </ol>
      {chunks.value && chunks.value.length > 0 && <More rows={chunks} />}
      {asking === 'change' && (
        <EditDocumentDialog document={document} onClose={close} onChanged={loaded.reload} />
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete “${document.title}”?`}
          action="Delete document"
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/documents/{document_id}', { path });
            notify('The document is deleted.');
            reloadKnowledgeBase();
            go(`/kbs/${kb.id}/documents`);
          }}
        >
          <DeletedWith passages={document.chunk_count} />
        </Confirm>
      )}
    </>
  );
}
