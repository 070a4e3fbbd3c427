import { useRef, useState } from 'preact/hooks';
import type { ChatAnswer, Filter, QueryAnswer, Source } from '@latchkey/client';
import { Alert, Empty } from '../components/basics.js';
import { fieldsOf, Input, TextArea } from '../components/field.js';
import { usePolling, useShared } from '../load.js';
import { useSearchParams } from '../search-params.js';
import { Answer } from './answer.js';
import { useKnowledgeBase } from './knowledge-base.js';

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
  const { kb, reload } = useKnowledgeBase();
  usePolling({ reload }, kb.chunk_count === 0, 2000);
  const { api, report } = useShared();
  const [{ question = '' }, setParams] = useSearchParams(['question']);
  const [shown, setShown] = useState<Shown>(NOTHING);
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>();
  const [isRunning, setRunning] = useState(false);

  const ask = async (fields: Record<string, string>) => {
    running.current?.abort();
    const leaving = new AbortController();
    running.current = leaving;
    setError(undefined);
    setShown(NOTHING);
    setRunning(true);
    try {
      const body = requestOf(fields);
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
      <Empty title="There is nothing to ask yet">
        <p>Add a document first. As soon as it is ready, ask here.</p>
      </Empty>
    );
  }
  return (
    <>
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
          <p class="quiet">They hold for this page only.</p>
          <div class="columns">
            <Input label="Passages" name="top_k" type="number" min={1} max={50} error={error} />
            <Input label="Least score" name="min_score" type="number" step="any" error={error} />
            <Input
              label="Answer threshold"
              name="answer_threshold"
              type="number"
              min={0}
              max={1}
              step="0.01"
              error={error}
              hint="How much of a question the passages must speak of"
            />
          </div>
          <TextArea label="Instructions to the model" name="system_prompt" error={error} />
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
        <p>
          <button class="primary">Ask</button>
          {isRunning && (
            <button
              type="button"
              onClick={() => {
                running.current?.abort();
                setRunning(false);
              }}
            >
              Stop
            </button>
          )}
        </p>
      </form>
      {(shown.text !== '' || isRunning) && <Answer {...shown} kbId={kb.id} isRunning={isRunning} />}
    </>
  );
}

function requestOf(fields: Record<string, string>) {
  const { message = '', filter, top_k, min_score, answer_threshold, system_prompt } = fields;
  const settings = {
    ...(top_k !== undefined && { top_k: Number(top_k) }),
    ...(min_score !== undefined && { min_score: Number(min_score) }),
    ...(answer_threshold !== undefined && { answer_threshold: Number(answer_threshold) }),
    ...(system_prompt !== undefined && { system_prompt }),
  };
  return {
    message: message.trim(),
    ...(filter !== undefined && { filter: filterOf(filter) }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

function filterOf(text: string): Filter {
  try {
    return JSON.parse(text) as Filter;
  } catch {
    throw new Error('The filter is not well-formed JSON.');
  }
}
