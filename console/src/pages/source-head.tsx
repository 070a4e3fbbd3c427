import { useState } from 'preact/hooks';
import type { Source } from '@latchkey/client';
import { Day, Time } from '../components/basics.js';
import { useShared } from '../load.js';
import { Link } from '../routing.js';
import { describePlace } from './document-facts.js';
import { type Cited, OriginalDialog } from '../plugins/originals/original.js';

/** The place of a passage, with a link that opens the document there. */
export function SourceHead(props: {
  kbId: string;
  index?: number;
  source: Cited &
    Pick<Source, 'score' | 'updated_at' | 'valid_until'> &
    Partial<Pick<Source, 'document_version'>>;
  /** The score of the best passage, for comparison. */
  best?: number | undefined;
}) {
  const { kbId, index, source, best } = props;
  const { isRunning } = useShared();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p>
        {index !== undefined && <strong>[{index}] </strong>}
        <Link href={`/kbs/${kbId}/documents/${source.document_id}#${source.chunk_id}`}>
          <bdi>{source.document_title}</bdi>
        </Link>
        <span class="quiet">
          {[source.heading, source.locator && describePlace(source.locator), source.date?.value]
            .filter(Boolean)
            .map((part) => ` · ${part}`)}
          {' · '}
        </span>
        <Age source={source} />
        <span class="score quiet">
          score {source.score.toPrecision(3)}
          {best !== undefined && <meter max={best} value={source.score} aria-hidden="true" />}
        </span>{' '}
        {isRunning('document-versions') && typeof source.document_version === 'number' && (
          <>
            <Link
              href={`/kbs/${kbId}/documents/${source.document_id}/versions/${source.document_version}#${source.chunk_id}`}
            >
              Version {source.document_version}
            </Link>{' '}
          </>
        )}
        {isRunning('originals') && (
          <button
            type="button"
            class="link"
            aria-haspopup="dialog"
            onClick={() => {
              setOpen(true);
            }}
          >
            Show in the document
          </button>
        )}
      </p>
      {isOpen && (
        <OriginalDialog
          source={source}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

/** How old a document is, and until when it is valid; old answers do not say. */
function Age({ source }: { source: Pick<Source, 'updated_at' | 'valid_until'> }) {
  const { updated_at: updated, valid_until: until } = source;
  return (
    <span class="quiet">
      {updated !== null && (
        <>
          updated <Time at={updated} />
          {' · '}
        </>
      )}
      {until !== null && (
        <>
          {Date.parse(until) <= Date.now() ? 'not valid since' : 'valid until'} <Day at={until} />
          {' · '}
        </>
      )}
    </span>
  );
}
