import { Link } from '../routing.js';
import type { Document } from '../api.js';
import { Time } from '../components/basics.js';

const isOver = (at: string) => Date.parse(at) <= Date.now();

/** Describes when answers use a document; nothing if they always do. */
export function Validity({ document }: { document: Document }) {
  const { kb_id, valid_from: from, valid_until: until, superseded_at: taken } = document;
  const toDocument = (id: string, words: string) => (
    <Link href={`/kbs/${kb_id}/documents/${id}`}>{words}</Link>
  );
  return (
    <>
      {from !== null && !isOver(from) && (
        <div>
          Valid from <Time at={from} />
        </div>
      )}
      {until !== null && (
        <div class={isOver(until) ? 'wrong' : ''}>
          {isOver(until) ? 'Not valid since' : 'Valid until'} <Time at={until} />
        </div>
      )}
      {document.superseded_by !== null && taken !== null && (
        <div class={isOver(taken) ? 'wrong' : ''}>
          {isOver(taken) ? 'Superseded by' : 'Will be superseded by'}{' '}
          {toDocument(document.superseded_by, 'a newer document')}, <Time at={taken} />
        </div>
      )}
      {document.supersedes !== null && (
        <div>Takes the place of {toDocument(document.supersedes, 'an older document')}</div>
      )}
    </>
  );
}

/** Whether there is anything to say about when answers use a document. */
export const hasValidity = (document: Document): boolean =>
  [document.valid_from, document.valid_until, document.superseded_by, document.supersedes].some(
    (value) => value !== null,
  );
