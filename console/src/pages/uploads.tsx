import { useRef, useState } from 'preact/hooks';
import { LatchkeyError } from '@latchkey/client';
import { describe } from '../api.js';
import { useShared } from '../load.js';

/** As many as the service takes of one user at once, less some for other windows. */
const AT_ONCE = 4;
const ACCEPTED = '.pdf,.docx,.pptx,.xlsx,.odt,.epub,.eml,.html,.htm,.md,.mdx,.markdown,.csv,.txt';

interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'sent' | 'known' | 'failed';
  readonly problem?: string;
}

const WORDS: Record<Upload['state'], string> = {
  waiting: 'waiting',
  sending: 'sending…',
  sent: 'received',
  known: 'already there',
  failed: 'failed',
};

/** Takes files, a few at a time, and says what became of each. */
export function Uploads(props: { kbId: string; onChange: () => void; onText: () => void }) {
  const { api, report } = useShared();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [over, setOver] = useState(false);
  const queue = useRef<Upload[]>([]);
  const running = useRef(0);
  const stop = useRef(new AbortController());
  const ids = useRef(0);
  const input = useRef<HTMLInputElement>(null);

  const mark = (id: number, change: Partial<Upload>) => {
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...change } : each)));
  };

  const send = async ({ id, file }: Upload) => {
    mark(id, { state: 'sending' });
    const body = new FormData();
    body.append('file', file, file.name);
    try {
      const path = { kb_id: props.kbId };
      const { signal } = stop.current;
      await api.post('/api/v1/kbs/{kb_id}/documents', { path, body, signal });
      mark(id, { state: 'sent' });
    } catch (error) {
      report(error);
      const isKnown = error instanceof LatchkeyError && error.code === 'duplicate_document';
      mark(id, isKnown ? { state: 'known' } : { state: 'failed', problem: describe(error) });
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

  const add = (files: Iterable<File>) => {
    const added = [...files].map((file): Upload => ({ id: ids.current++, file, state: 'waiting' }));
    setUploads((all) => [...all, ...added]);
    queue.current.push(...added);
    void work();
  };

  const pending = uploads.filter(({ state }) => state === 'waiting' || state === 'sending').length;
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
        add(event.dataTransfer?.files ?? []);
      }}
    >
      <p>
        Drop files here:
        <button
          type="button"
          class="primary"
          onClick={() => {
            input.current?.click();
          }}
        >
          Choose files
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
            add(event.currentTarget.files ?? []);
            event.currentTarget.value = '';
          }}
        />
      </p>
      <p class="quiet">
        PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, mail, HTML, Markdown, CSV, text
      </p>
      {uploads.length > 0 && (
        <>
          <ul class="uploads" aria-live="polite">
            {uploads.map(({ id, file, state, problem }) => (
              <li key={id} class={state}>
                {file.name} – {WORDS[state]} {problem}
              </li>
            ))}
          </ul>
          <p>
            <progress
              max={uploads.length}
              value={uploads.length - pending}
              aria-label="Files sent"
            />
            {pending > 0 ? (
              <button
                type="button"
                onClick={() => {
                  for (const { id } of queue.current.splice(0)) {
                    mark(id, { state: 'failed', problem: 'Stopped.' });
                  }
                  stop.current.abort(new Error('Stopped.'));
                  stop.current = new AbortController();
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
