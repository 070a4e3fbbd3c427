import { useEffect, useRef, useState } from 'preact/hooks';
import type { Source } from '@latchkey/client';
import { Alert, Loading } from '../../components/basics.js';
import { Dialog } from '../../components/dialog.js';
import { RichText } from '../../components/rich-text.js';
import { DownloadButton } from '../../components/download-button.js';
import { useLoad } from '../../load.js';
import { describePlace } from '../../pages/document-facts.js';

/** A passage that an answer cites. */
export type Cited = Pick<
  Source,
  'chunk_id' | 'document_id' | 'document_title' | 'heading' | 'locator' | 'date'
> & { readonly quote?: Source['quote']; readonly snippet?: string };

interface Shown {
  readonly content: Blob;
  readonly page: number;
  readonly pageCount: number;
  /** The position of the passage on the page, from 0 (top) to 1; null if it is not on the page. */
  readonly markedAt: number | null;
}

/** A document at the cited place, and the cited passage between its neighbours. */
export function OriginalDialog({ source, onClose }: { source: Cited; onClose: () => void }) {
  const [asked, setAsked] = useState<number>();
  const { value, error } = usePage(source, asked);
  const [last, setLast] = useState<Shown>();
  useEffect(() => {
    if (value) setLast(value);
  }, [value]);
  // The old page stays until the next one is loaded.
  const shown = value ?? (error === undefined ? last : undefined);
  const part = namePart(source.locator);
  const title = source.document_title;
  const describe = ({ page, pageCount }: Shown) =>
    pageCount > 1 ? `${part} ${page} of ${pageCount}` : part;
  return (
    <Dialog title={title} onClose={onClose} wide>
      <p class="quiet">
        {[source.heading, source.locator && describePlace(source.locator)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div class="original">
        <div class="sheet" aria-busy={!value && error === undefined}>
          {shown ? (
            <Page
              key={shown.content}
              shown={shown}
              anchor={source.chunk_id}
              label={`${describe(shown)} of “${title}”${shown.markedAt === null ? '' : ', with the passage marked'}`}
            />
          ) : (
            <Loading error={error} />
          )}
        </div>
        <Neighbours source={source} />
      </div>
      <menu>
        {shown && shown.pageCount > 1 && (
          <>
            {(
              [
                ['Previous', shown.page - 1],
                ['Next', shown.page + 1],
              ] as const
            ).map(([label, page]) => (
              <button
                key={label}
                type="button"
                disabled={!value || page < 1 || page > shown.pageCount}
                onClick={() => {
                  setAsked(page);
                }}
              >
                {label} {part.toLowerCase()}
              </button>
            ))}
            <span class="quiet place" role="status">
              {describe(shown)}
            </span>
          </>
        )}
        <DownloadButton
          document={{ id: source.document_id, title }}
          label="Open the original"
          isOpened
        />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </menu>
    </Dialog>
  );
}

function usePage({ document_id, chunk_id, locator }: Cited, asked: number | undefined) {
  return useLoad(
    async (api, signal): Promise<Shown> => {
      // After reindexing, the passage has another id, but its page is the same.
      const page = asked ?? locator?.page ?? locator?.slide;
      let headers = new Headers();
      const content = await api.documentPage(
        document_id,
        { highlight: chunk_id, ...(page !== undefined && { page }) },
        {
          signal,
          onResponse: (response) => {
            headers = response.headers;
          },
        },
      );
      const at = headers.get('marked-at');
      return {
        content,
        page: Number(headers.get('page')),
        pageCount: Number(headers.get('page-count')),
        markedAt: at === null ? null : Number(at),
      };
    },
    `original ${document_id} ${chunk_id} ${asked ?? ''}`,
  );
}

/** A picture, or HTML in a fully sandboxed frame. */
function Page(props: { shown: Shown; anchor: string; label: string }) {
  const { content, markedAt } = props.shown;
  const [url, setUrl] = useState('');
  const [isLoaded, setIsLoaded] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
    };
  }, [content]);
  if (url === '') return null;
  if (content.type.startsWith('text/html')) {
    return (
      <iframe
        title={props.label}
        sandbox=""
        // A frame that loads before it has its size does not scroll to a fragment.
        src={isLoaded ? `${url}#${props.anchor}` : url}
        onLoad={() => {
          setIsLoaded(true);
        }}
      />
    );
  }
  return (
    // A picture that is larger than its frame is scrolled by the keyboard.
    <div ref={around} class="picture" tabIndex={0} role="group" aria-label="Page">
      <img
        src={url}
        alt={props.label}
        onLoad={({ currentTarget }) => {
          const frame = around.current;
          if (!frame || markedAt === null) return;
          frame.scrollTop = markedAt * currentTarget.clientHeight - frame.clientHeight / 3;
        }}
      />
    </div>
  );
}

/** The passage between its neighbours. */
function Neighbours({ source }: { source: Cited }) {
  const { document_id, chunk_id, quote, snippet } = source;
  const { value, error } = useLoad(
    (api, signal) =>
      api.get('/api/v1/documents/{document_id}/chunks', {
        path: { document_id },
        query: { around: chunk_id },
        signal,
      }),
    `around ${chunk_id}`,
  );
  const chunks = value?.data ?? [];
  const cited = useRef<HTMLDivElement>(null);
  useEffect(() => {
    (cited.current?.querySelector('mark, .marked') ?? cited.current)?.scrollIntoView({
      block: 'nearest',
    });
  }, [value]);
  const statements = quote ? [quote.text] : [];
  return (
    <aside aria-label="The passage and its neighbours" tabIndex={0}>
      <Alert error={error} />
      {chunks.map(({ id, text }) => (
        <div
          key={id}
          ref={id === chunk_id ? cited : null}
          class={id === chunk_id ? 'passage cited' : 'passage quiet'}
        >
          <RichText text={text} quotes={id === chunk_id ? statements : []} />
        </div>
      ))}
      {value && chunks.length === 0 && (
        <>
          <p class="passage cited">{snippet}</p>
          <p class="quiet">The document was read again since, and has other passages now.</p>
        </>
      )}
    </aside>
  );
}

/** The name of the parts of a document: pages, slides, sheets or chapters. */
function namePart(locator: Cited['locator']): string {
  if (!locator) return 'Document';
  if (locator.slide !== undefined) return 'Slide';
  if (locator.sheet !== undefined) return 'Sheet';
  return locator.chapter !== undefined ? 'Chapter' : 'Page';
}
