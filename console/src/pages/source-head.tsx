import { useState } from 'preact/hooks';
import type { Source } from '@latchkey/client';
import { useShared } from '../load.js';
import { Link } from '../routing.js';
import { describePlace } from './document-facts.js';
import { type Cited, OriginalDialog } from './original.js';

/** The place of a passage, with a link that opens the document there. */
export function SourceHead(props: {
  kbId: string;
  index?: number;
  source: Cited & Pick<Source, 'score'>;
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
        <span class="score quiet">
          score {source.score.toPrecision(3)}
          {best !== undefined && <meter max={best} value={source.score} aria-hidden="true" />}
        </span>{' '}
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
