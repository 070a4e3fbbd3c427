import { Link } from '../routing.js';
import type { Chunk, Document } from '../api.js';
import { bytes, Time } from '../components/basics.js';
import { SourceLink } from '../components/source-link.js';
import { hasValidity, Validity } from './document-validity.js';
import { State } from './documents.js';

export function DocumentFacts({ document }: { document: Document }) {
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <State document={document} />
      </dd>
      <dt>{document.status === 'processing' ? 'Read before' : 'Read'}</dt>
      <dd>
        <Time at={document.indexed_at} none="not yet" />
      </dd>
      <dt>Updated</dt>
      <dd>
        <Time at={document.updated_at} />
      </dd>
      {hasValidity(document) && (
        <>
          <dt>Validity</dt>
          <dd>
            <Validity document={document} hasLinks />
          </dd>
        </>
      )}
      <dt>Kind</dt>
      <dd>
        {document.mime_type}, {bytes(document.size_bytes)}
        {document.language !== null && `, ${getLanguageName(document.language)}`}
      </dd>
      {document.external_id !== null && (
        <>
          <dt>External id</dt>
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
      {document.source_id !== null && (
        <>
          <dt>Comes from</dt>
          <dd>
            <Link href={`/kbs/${document.kb_id}/sources/${document.source_id}`}>a source</Link>,
            synced <Time at={document.synced_at} />
          </dd>
        </>
      )}
      {Object.keys(document.metadata).length > 0 && (
        <>
          <dt>Metadata</dt>
          <dd>
            {Object.entries(document.metadata).map(([name, value]) => (
              <div key={name}>
                <span class="quiet">{name}:</span>{' '}
                <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
              </div>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

/** Describes a place in a document, such as “page 3” or “row 12 of Prices”. */
export function describePlace({
  page,
  slide,
  sheet,
  row,
  chapter,
}: NonNullable<Chunk['locator']>): string {
  if (page !== undefined) return `page ${page}`;
  if (slide !== undefined) return `slide ${slide}`;
  if (sheet !== undefined) return `row ${row ?? 1} of ${sheet}`;
  return chapter ?? '';
}

function getLanguageName(tag: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
