import { useEffect } from 'preact/hooks';
import { Link, useHashLocation } from '../routing.js';
import type { Chunk } from '../api.js';
import { bytes, Empty, Loading, number, plural, Time } from '../components/basics.js';
import { More } from '../components/table.js';
import { useChange, useLoad, usePolling, useRows, useShared } from '../load.js';
import { State } from './documents.js';
import { useKnowledgeBase } from './knowledge-base.js';

/** A document, and the passages as which it was read. */
export function DocumentPage({ id }: { id: string }) {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const path = { document_id: id };
  const loaded = useLoad(
    (api, signal) => api.get('/api/v1/documents/{document_id}', { path, signal }),
    id,
  );
  const document = loaded.value;
  const isWorking = document?.status === 'pending' || document?.status === 'processing';
  usePolling(loaded, isWorking);
  const chunks = useRows<Chunk>(
    (api, query, signal) =>
      api.get('/api/v1/documents/{document_id}/chunks', { path, query, signal }),
    `chunks ${id} ${document?.indexed_at ?? ''}`,
  );
  const target = useHashLocation();
  useEffect(() => {
    if (target !== '') window.document.getElementById(target)?.scrollIntoView({ block: 'center' });
  }, [target, chunks.value]);
  const reindex = useChange(async () => {
    await api.post('/api/v1/documents/{document_id}/reindex', { path });
    notify('The document is read again. Its passages serve meanwhile.');
    loaded.reload();
  });
  if (!document) return <Loading error={loaded.error} />;
  return (
    <>
      <p class="crumbs">
        <Link href={`/kbs/${kb.id}/documents`}>Documents</Link>
      </p>
      <div class="heading">
        <h2>{document.title}</h2>
        {mayChange && (
          <button
            type="button"
            disabled={reindex.busy || isWorking}
            onClick={() => void reindex.run()}
          >
            Read again
          </button>
        )}
      </div>
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <State document={document} />
        </dd>
        <dt>Read</dt>
        <dd>
          <Time at={document.indexed_at} none="not yet" />
        </dd>
        <dt>Kind</dt>
        <dd>
          {document.mime_type}, {bytes(document.size_bytes)}
          {document.language !== null && `, ${languageName(document.language)}`}
        </dd>
        {document.external_id !== null && (
          <>
            <dt>Your id</dt>
            <dd>
              <code>{document.external_id}</code>
            </dd>
          </>
        )}
        {document.source_url !== null && (
          <>
            <dt>Source</dt>
            <dd>
              <SourceLink url={document.source_url} />
            </dd>
          </>
        )}
        {Object.keys(document.metadata).length > 0 && (
          <>
            <dt>Metadata</dt>
            <dd>
              <code>{JSON.stringify(document.metadata)}</code>
            </dd>
          </>
        )}
      </dl>
      {document.warnings.length > 0 && (
        <section class="alert" aria-label="Left out">
          <p>Some of it was left out:</p>
          <ul>
            {document.warnings.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </section>
      )}
      <h3>{plural(document.chunk_count, 'passage')}</h3>
      {!chunks.value && <Loading error={chunks.error} />}
      {chunks.value?.length === 0 && (
        <Empty title={isWorking ? 'It is being read' : 'It has no passages'} />
      )}
      <ol class="passages" start={0}>
        {chunks.value?.map((chunk) => (
          <li key={chunk.id} id={chunk.id} class={chunk.id === target ? 'target' : ''}>
            <p class="quiet">
              {number(chunk.index + 1)}
              {chunk.heading !== null && ` · ${chunk.heading}`}
              {chunk.locator !== null && ` · ${place(chunk.locator)}`}
            </p>
            <p class="passage">{chunk.text}</p>
          </li>
        ))}
      </ol>
      {chunks.value && chunks.value.length > 0 && <More rows={chunks} />}
    </>
  );
}

/** Only addresses of the web: a `javascript:` address would run. */
export function SourceLink({ url }: { url: string }) {
  return /^https?:/i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  ) : (
    <code>{url}</code>
  );
}

/** As “page 3”, or “row 12 of Prices”. */
export function place({ page, slide, sheet, row, chapter }: NonNullable<Chunk['locator']>): string {
  if (page !== undefined) return `page ${page}`;
  if (slide !== undefined) return `slide ${slide}`;
  if (sheet !== undefined) return `row ${row ?? 1} of ${sheet}`;
  return chapter ?? '';
}

function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
