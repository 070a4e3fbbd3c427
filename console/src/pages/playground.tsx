import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatAnswer, Filter, QueryAnswer, Source } from '@latchkey/client';
import { Alert, Empty } from '../components/basics.js';
import { AnswerSettingsFields, answerSettingsOf } from '../components/answer-settings.js';
import { fieldsOf, jsonOf, TextArea } from '../components/field.js';
import { PageHeader } from '../components/page-header.js';
import { useLoad, usePolling, useShared } from '../load.js';
import { useSearchParams } from '../search-params.js';
import { Answer } from './answer.js';
import { AskAsDialog, AskedAs } from './ask-as.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

type Result = QueryAnswer['results'][number];

interface Shown {
  readonly text: string;
  readonly sources: readonly Source[];
  readonly passages: Result[];
  readonly answer?: ChatAnswer;
}

const NOTHING: Shown = { text: '', sources: [], passages: [] };

/** Asks as a dashboard user: nothing is kept or counted, and settings can be tried. */
export function PlaygroundPage() {
  const { kb, mayChange, isOwner, reload } = useKnowledgeBase();
  usePolling({ reload }, kb.chunk_count === 0, 2000);
  const { api, report } = useShared();
  const [{ question = '' }, setParams] = useSearchParams(['question']);
  const settings = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: kb.id }, signal }),
    `settings ${kb.id}`,
  );
  const [shown, setShown] = useState<Shown>(NOTHING);
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>();
  const [isRunning, setRunning] = useState(false);
  /** In whose name is asked; undefined for one's own. */
  const [principals, setPrincipals] = useState<readonly string[]>();
  const [choosing, setChoosing] = useState(false);

  useEffect(
    () => () => {
      running.current?.abort();
    },
    [],
  );

  const stop = () => {
    running.current?.abort();
    setRunning(false);
  };
  const askAs = (somebody: readonly string[] | undefined) => {
    stop();
    setShown(NOTHING);
    setError(undefined);
    setChoosing(false);
    setPrincipals(somebody);
  };

  const ask = async (fields: Record<string, string>) => {
    running.current?.abort();
    const leaving = new AbortController();
    running.current = leaving;
    setError(undefined);
    setShown(NOTHING);
    setRunning(true);
    try {
      const body = { ...requestOf(fields), ...(principals && { principals: [...principals] }) };
      setParams({ question: body.message });
      const { signal } = leaving;
      const path = { kb_id: kb.id };
      const searching = api.post('/api/v1/kbs/{kb_id}/query', { path, body, signal });
      // Looked at below; the answer may fail first.
      searching.catch(() => undefined);
      for await (const event of api.chatStream(kb.id, body, { signal })) {
        setShown((old) => {
          switch (event.type) {
            case 'sources':
              return { ...old, sources: event.sources };
            case 'delta':
              return { ...old, text: old.text + event.text };
            case 'message_end':
              return {
                ...old,
                text: event.answer.answer,
                sources: event.answer.sources,
                answer: event.answer,
              };
            default:
              return old;
          }
        });
      }
      const { results } = await searching;
      if (!signal.aborted) setShown((old) => ({ ...old, passages: results }));
    } catch (failure) {
      if (leaving.signal.aborted) return;
      report(failure);
      setError(failure);
    } finally {
      if (running.current === leaving) setRunning(false);
    }
  };

  if (kb.chunk_count === 0) {
    return (
      <>
        <PageHeader title="Playground" />
        <Empty title="There is nothing to ask yet">
          <p>Add a document first. As soon as it is ready, ask here.</p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Playground" lead="Ask as your users would. Nothing is kept or counted." />
      {principals && (
        <AskedAs
          principals={principals}
          onEnd={() => {
            askAs(undefined);
          }}
        />
      )}
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          void ask(fieldsOf(event.currentTarget));
        }}
      >
        <TextArea
          label="Question"
          name="message"
          required
          maxLength={8000}
          rows={2}
          autofocus
          defaultValue={question}
          error={error}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <details>
          <summary>Try other settings</summary>
          <p class="quiet">For the questions on this page only; nothing is saved.</p>
          <AnswerSettingsFields saved={settings.value} mayChange={mayChange} error={error} />
          <TextArea
            label="Filter"
            name="filter"
            error={error}
            hint={
              <>
                As JSON, such as <code>{'{"type":"eq","key":"department","value":"support"}'}</code>
              </>
            }
          />
        </details>
        <Alert error={error} />
        <p class="actions">
          <button class="primary">Ask</button>
          {isRunning && (
            <button type="button" onClick={stop}>
              Stop
            </button>
          )}
          {isOwner && (
            <button
              type="button"
              onClick={() => {
                setChoosing(true);
              }}
            >
              Ask as…
            </button>
          )}
        </p>
      </form>
      {(shown.text !== '' || isRunning) && <Answer {...shown} kbId={kb.id} isRunning={isRunning} />}
      {choosing && (
        <AskAsDialog
          onClose={() => {
            setChoosing(false);
          }}
          onChosen={askAs}
        />
      )}
    </>
  );
}

function requestOf(fields: Record<string, string>) {
  const { message = '', filter } = fields;
  const settings = answerSettingsOf(fields);
  return {
    message: message.trim(),
    ...(filter !== undefined && { filter: jsonOf(filter, 'The filter') as Filter }),
    ...(settings && { settings }),
  };
}
