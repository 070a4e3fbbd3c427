import { Link } from '../routing.js';
import type { Document } from '../api.js';
import { Day } from '../components/basics.js';

const isOver = (at: string) => Date.parse(at) <= Date.now();

/**
 * Describes when answers use a document; nothing if they always do.
 *
 * @param hasLinks whether other documents are linked; in a row of a list, only its own is
 */
export function Validity(props: { document: Document; hasLinks?: boolean }) {
  const { document, hasLinks = false } = props;
  const { kb_id, valid_from: from, valid_until: until, superseded_at: taken } = document;
  const toDocument = (id: string, words: string) =>
    hasLinks ? <Link href={`/kbs/${kb_id}/documents/${id}`}>{words}</Link> : words;
  return (
    <>
      {from !== null && !isOver(from) && (
        <div>
          Valid from <Day at={from} />
        </div>
      )}
      {until !== null && (
        <div class={isOver(until) ? 'wrong' : ''}>
          {isOver(until) ? 'Not valid since' : 'Valid until'} <Day at={until} />
        </div>
      )}
      {document.superseded_by !== null && taken !== null && (
        <div class={isOver(taken) ? 'wrong' : ''}>
          {isOver(taken) ? 'Superseded by' : 'To be superseded by'}{' '}
          {toDocument(document.superseded_by, 'a newer document')} on <Day at={taken} />
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
