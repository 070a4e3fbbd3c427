import { useEffect, useRef, useState } from 'preact/hooks';
import { LatchkeyError } from '@latchkey/client';
import { describe } from '../api.js';
import { ACCEPTED } from '../choose-file.js';
import { describeRefusal, describeUnreadable } from '../document-problems.js';
import { dropSystemFiles, type FoundFile, listChosen, listDropped } from '../folders.js';
import { useReplaceFile } from '../replace-file.js';
import { Alert, bytes, number, percent, plural } from '../components/basics.js';
import { useShared } from '../load.js';
import { uploadFetch } from '../upload-fetch.js';

/** Fewer than the service accepts from one user at once, so that other windows can upload too. */
const AT_ONCE = 4;
const POLL_MS = 1000;
const MAX_EXTERNAL_ID = 255;
/** The types of JSX do not know this attribute, which every browser does. */
const FOLDERS = { webkitdirectory: true };

interface Upload {
  readonly id: number;
  readonly file: File;
  /** Its path, if it comes from a folder. */
  readonly path: string | undefined;
  readonly state: 'waiting' | 'sending' | 'reading' | 'ready' | 'known' | 'failed' | 'stopped';
  readonly stop: AbortController;
  /** The share of its bytes that has been sent, 0–1. */
  readonly sent?: number;
  /** The id of the document, once the service has it. */
  readonly documentId?: string;
  readonly problem?: string;
}

const WORDS: Record<Upload['state'], string> = {
  waiting: 'waiting',
  sending: 'sending',
  reading: 'received, being read…',
  ready: 'ready',
  known: 'already there',
  failed: 'failed:',
  stopped: 'stopped',
};
const isEmpty = ({ file }: Upload) => file.size === 0;
const isUnsent = ({ state }: Upload) => state === 'waiting' || state === 'sending';

/** Uploads files, a few at a time, and shows the result of each. */
export function Uploads(props: {
  kbId: string;
  onChange: () => void;
  onText: () => void;
  /** Whether the address asks for files. */
  isAsked: boolean;
  onAsked: () => void;
}) {
  const { api, forFiles, report } = useShared();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [over, setOver] = useState(false);
  const queue = useRef<Upload[]>([]);
  const running = useRef(0);
  const ids = useRef(0);
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [skipped, setSkipped] = useState(0);

  const choose = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!props.isAsked) return;
    props.onAsked();
    choose.current?.focus();
    // Browsers open the choice of files only soon after a press.
    input.current?.click();
  }, [props.isAsked]);

  const mark = (id: number, change: Partial<Upload>) => {
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...change } : each)));
  };

  const send = async ({ id, file, path: place, stop: { signal } }: Upload) => {
    mark(id, { state: 'sending', sent: 0 });
    const body = new FormData();
    if (place !== undefined) {
      body.append('external_id', place.slice(-MAX_EXTERNAL_ID));
      body.append('on_duplicate', 'replace');
    }
    body.append('file', file, file.name);
    const sender = forFiles(
      uploadFetch((sent) => {
        mark(id, { sent });
      }),
    );
    try {
      const path = { kb_id: props.kbId };
      const added = await sender.post('/api/v1/kbs/{kb_id}/documents', { path, body, signal });
      // The list shows the files of an archive.
      if ('documents' in added) mark(id, { state: 'ready' });
      else mark(id, { state: 'reading', documentId: added.id });
    } catch (error) {
      if (signal.aborted) mark(id, { state: 'stopped' });
      else {
        report(error);
        const isKnown = error instanceof LatchkeyError && error.code === 'duplicate_document';
        mark(
          id,
          isKnown ? { state: 'known' } : { state: 'failed', problem: describeRefusal(error) },
        );
      }
    }
    props.onChange();
  };

  const work = async () => {
    while (running.current < AT_ONCE) {
      const next = queue.current.shift();
      if (!next) return;
      running.current++;
      void send(next).finally(() => {
        running.current--;
        void work();
      });
    }
    return Promise.resolve();
  };

  const add = (found: readonly FoundFile[]) => {
    const files = dropSystemFiles(found);
    setSkipped(found.length - files.length);
    const added = files.map(({ file, path }): Upload => {
      return { id: ids.current++, file, path, state: 'waiting', stop: new AbortController() };
    });
    const [empty, others] = [added.filter(isEmpty), added.filter((each) => !isEmpty(each))];
    const refused = empty.map((each): Upload => {
      return { ...each, state: 'failed', problem: 'The file is empty.' };
    });
    setUploads((all) => [...all, ...refused, ...others]);
    queue.current.push(...others);
    void work();
  };

  const stop = (stopped: readonly Upload[]) => {
    queue.current = queue.current.filter(({ id }) => stopped.every((each) => each.id !== id));
    for (const { id, state, stop } of stopped) {
      if (state === 'waiting') mark(id, { state: 'stopped' });
      stop.abort(new Error('Stopped.'));
    }
  };

  const reading = uploads.filter(({ state }) => state === 'reading');
  useEffect(() => {
    if (reading.length === 0) return;
    const timer = setTimeout(() => {
      // Only a few are polled at a time, because a folder may have thousands.
      for (const { id, documentId = '' } of reading.slice(0, AT_ONCE)) {
        const path = { document_id: documentId };
        void api.get('/api/v1/documents/{document_id}', { path }).then(
          ({ status, error }) => {
            if (status === 'ready') mark(id, { state: 'ready' });
            else if (status === 'failed') {
              mark(id, { state: 'failed', problem: error ? describeUnreadable(error) : '' });
            } else setUploads((all) => [...all]);
          },
          (error: unknown) => {
            mark(id, { state: 'failed', problem: describe(error) });
          },
        );
      }
    }, POLL_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [uploads]);

  const unsent = uploads.filter(isUnsent);
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const finished = uploads.length - unsent.length - reading.length;
  return (
    <section
      class={over ? 'drop over' : 'drop'}
      aria-label="Add documents"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer) void listDropped(event.dataTransfer).then(add);
      }}
    >
      <p>
        <span>Drop files or folders here, or</span>
        <button
          type="button"
          class="primary"
          ref={choose}
          onClick={() => {
            input.current?.click();
          }}
        >
          Choose files
        </button>
        <button
          type="button"
          onClick={() => {
            folder.current?.click();
          }}
        >
          Choose a folder
        </button>
        <button type="button" onClick={props.onText}>
          Write a text
        </button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={ACCEPTED}
          aria-label="Files"
          onChange={(event) => {
            add(listChosen(event.currentTarget.files ?? []));
            event.currentTarget.value = '';
          }}
        />
        <input
          ref={folder}
          type="file"
          {...FOLDERS}
          hidden
          aria-label="Folder"
          onChange={(event) => {
            add(listChosen(event.currentTarget.files ?? []));
            event.currentTarget.value = '';
          }}
        />
      </p>
      <p class="quiet">
        PDF, Word, PowerPoint, Excel, OpenDocument, RTF, EPUB, mail, HTML, Markdown, AsciiDoc, CSV,
        JSON, XML, notebooks, subtitles, text, and ZIP archives of these
      </p>
      {uploads.length > 0 && (
        <>
          <ul class="uploads" aria-label="Files" tabIndex={0}>
            {uploads.map((upload) => (
              <UploadedFile
                key={upload.id}
                upload={upload}
                onReplaced={() => {
                  mark(upload.id, { state: 'reading', problem: '' });
                  props.onChange();
                }}
                onStop={() => {
                  stop([upload]);
                }}
              />
            ))}
          </ul>
          <p>
            <progress
              class={failed > 0 ? 'failed' : ''}
              max={uploads.length}
              value={finished}
              aria-label="Files that are done"
            />
            <span role="status">
              <span class="quiet">
                {number(finished - failed)} of {number(uploads.length)}
              </span>
              {skipped > 0 && (
                <span class="quiet"> · {plural(skipped, 'system file')} left out</span>
              )}
              {failed > 0 && <span class="wrong"> · {number(failed)} failed</span>}
            </span>
            {unsent.length > 0 ? (
              <button
                type="button"
                onClick={() => {
                  stop(unsent);
                }}
              >
                Stop
              </button>
            ) : (
              <button
                type="button"
                class="link"
                onClick={() => {
                  setUploads([]);
                }}
              >
                Clear the list
              </button>
            )}
          </p>
        </>
      )}
    </section>
  );
}

function UploadedFile(props: { upload: Upload; onReplaced: () => void; onStop: () => void }) {
  const { upload, onReplaced, onStop } = props;
  const { file, path, state, sent = 0, problem, documentId } = upload;
  const replace = useReplaceFile(onReplaced);
  return (
    <li class={state}>
      <span>{path ?? file.name}</span> <span class="quiet">{bytes(file.size)}</span>{' '}
      {state === 'sending' && <progress max={1} value={sent} aria-label={`Sent of ${file.name}`} />}
      <span class="state">
        {WORDS[state]} {state === 'sending' && percent(sent)} {problem}
      </span>
      {state === 'failed' && documentId !== undefined && (
        <button
          type="button"
          class="link"
          disabled={replace.busy}
          aria-label={`Replace file… ${file.name}`}
          onClick={() => void replace.run({ id: documentId })}
        >
          Replace file…
        </button>
      )}
      <Alert error={replace.error} />
      {isUnsent(upload) && (
        <button type="button" class="link" aria-label={`Stop ${file.name}`} onClick={onStop}>
          Stop
        </button>
      )}
    </li>
  );
}
