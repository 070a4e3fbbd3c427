import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { type Chunk, isNotFound } from '../../api.js';
import { Empty, Loading, number, plural, Time } from '../../components/basics.js';
import { PageHeader } from '../../components/page-header.js';
import { RichText } from '../../components/rich-text.js';
import { More } from '../../components/table.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useLoad, useRows } from '../../load.js';
import { Link, useHashLocation } from '../../routing.js';
import { RestoreDialog } from './restore.js';

/** The most passages that are loaded to find the one that a link leads to. */
const LOOKED_THROUGH = 5000;

/** A version of a document and its passages, as they were. */
export function VersionPage({ id, version }: { id: string; version: number }) {
  const { kb, mayChange } = useKnowledgeBase();
  const [, go] = useLocation();
  const [isRestoring, setRestoring] = useState(false);
  const path = { document_id: id, version };
  const key = `version ${id} ${version}`;
  const loaded = useLoad(
    (api, signal) =>
      api.get('/api/v1/documents/{document_id}/versions/{version}', {
        ...{ path, signal, query: { limit: 1 } },
      }),
    key,
  );
  const passages = useRows<Chunk>(
    (api, query, signal) =>
      api.get('/api/v1/documents/{document_id}/versions/{version}', { path, query, signal }),
    `passages of ${key}`,
  );
  const target = useHashLocation();
  const reached = useRef('');
  useEffect(() => {
    if (target === '' || reached.current === target || !passages.value) return;
    const element = document.getElementById(target);
    if (element) {
      reached.current = target;
      element.scrollIntoView({ block: 'center' });
    } else if (passages.value.length < LOOKED_THROUGH) passages.more();
  }, [target, passages.value]);
  const up = { href: `/kbs/${kb.id}/documents/${id}`, label: 'The document' };
  const shown = loaded.value;
  if (!shown) {
    if (!isNotFound(loaded.error)) return <Loading error={loaded.error} />;
    return (
      <>
        <PageHeader title={`Version ${version}`} up={up} />
        <Empty title="This version is not kept any more">
          <p>Former versions are kept as long as the settings of the knowledge base say.</p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={`${shown.title}, version ${version}`}
        lead={shown.current ? 'This is the current version.' : ''}
        up={up}
      >
        {!shown.current && (
          <>
            <Link class="button" href={`/kbs/${kb.id}/documents/${id}/versions/${version}/diff`}>
              Compare with the current version
            </Link>
            {mayChange && (
              <button
                type="button"
                onClick={() => {
                  setRestoring(true);
                }}
              >
                Restore…
              </button>
            )}
          </>
        )}
      </PageHeader>
      <dl class="facts">
        <dt>From</dt>
        <dd>
          <Time at={shown.created_at} />
        </dd>
        {shown.replaced_at !== null && (
          <>
            <dt>Replaced</dt>
            <dd>
              <Time at={shown.replaced_at} /> by <bdi>{shown.replaced_by}</bdi>
            </dd>
          </>
        )}
      </dl>
      <h2>{plural(shown.total, 'passage')}</h2>
      {!passages.value && <Loading error={passages.error} />}
      {passages.value?.length === 0 && <Empty title="It was replaced before it was read" />}
      <ol class="passages" start={0}>
        {passages.value?.map((passage) => (
          <li key={passage.id} id={passage.id} class={passage.id === target ? 'target' : ''}>
            <p class="quiet">
              {number(passage.index + 1)}
              {passage.heading !== null && ` · ${passage.heading}`}
            </p>
            <div class="passage">
              <RichText text={passage.text} />
            </div>
          </li>
        ))}
      </ol>
      {passages.value && passages.value.length > 0 && <More rows={passages} />}
      {isRestoring && (
        <RestoreDialog
          version={shown}
          onRestored={() => {
            go(up.href);
          }}
          onClose={() => {
            setRestoring(false);
          }}
        />
      )}
    </>
  );
}
