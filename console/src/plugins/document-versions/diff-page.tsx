import type { Chunk, PassageChange } from '../../api.js';
import { Empty, Loading, number, plural } from '../../components/basics.js';
import { PageHeader } from '../../components/page-header.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useLoad } from '../../load.js';
import { diffWords, type WordPart } from './diff-words.js';

const WORDS = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const;

/** What distinguishes a version from the current one, side by side. */
export function DiffPage({ id, version }: { id: string; version: number }) {
  const { kb } = useKnowledgeBase();
  const path = { document_id: id, version };
  const { value, error } = useLoad(
    (api, signal) =>
      api.get('/api/v1/documents/{document_id}/versions/{version}/diff', { path, signal }),
    `diff ${id} ${version}`,
  );
  const title = value ? `From version ${version} to ${value.to}` : `Version ${version}`;
  return (
    <>
      <PageHeader
        title={title}
        up={{ href: `/kbs/${kb.id}/documents/${id}`, label: 'The document' }}
      />
      {!value && <Loading error={error} />}
      {value && (
        <p>
          {plural(value.changed, 'passage')} changed, {number(value.added)} added,{' '}
          {number(value.removed)} removed, {number(value.unchanged)} the same.
        </p>
      )}
      {value?.changes.length === 0 && <Empty title="They have the same passages" />}
      <ol class="diff">
        {value?.changes.map((change) => (
          <li key={`${change.before?.id ?? ''} ${change.after?.id ?? ''}`}>
            <Change change={change} />
          </li>
        ))}
      </ol>
      {value?.truncated === true && (
        <p class="quiet">There are more differences, which are not shown.</p>
      )}
    </>
  );
}

function Change({ change: { kind, before, after } }: { change: PassageChange }) {
  const parts = diffWords(before?.text ?? '', after?.text ?? '');
  return (
    <>
      <p class="quiet">
        {WORDS[kind]} · {describe(after ?? before)}
      </p>
      <div class="sides">
        <Side label="Before" parts={before && parts.before} />
        <Side label="After" parts={after && parts.after} />
      </div>
    </>
  );
}

const describe = (passage: Chunk | null) =>
  passage ? [number(passage.index + 1), passage.heading].filter(Boolean).join(' · ') : '';

function Side({ label, parts }: { label: string; parts: readonly WordPart[] | null }) {
  return (
    <div class="passage" role="group" aria-label={label} dir="auto">
      {parts === null && <span class="quiet">–</span>}
      {parts?.map(({ kind, text }, place) => {
        if (kind === 'same') return text;
        return kind === 'removed' ? <del key={place}>{text}</del> : <ins key={place}>{text}</ins>;
      })}
    </div>
  );
}
