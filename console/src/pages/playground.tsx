import { useEffect, useRef, useState } from 'preact/hooks';
import type { DashboardAnswer, DashboardChatRequest, Filter, Source, Step } from '@latchkey/client';
import { Alert, Empty } from '../components/basics.js';
import { AnswerSettingsFields, readAnswerSettings } from '../components/answer-settings.js';
import { readFields, parseJson, Select, TextArea } from '../components/field.js';
import { PageHeader } from '../components/page-header.js';
import { useLoad, usePolling, useShared } from '../load.js';
import { Link } from '../routing.js';
import { useSearchParams } from '../search-params.js';
import { curlSnippet, NO_SECRET } from '../snippets.js';
import { useSuggestedQuestions } from '../plugins/suggested-questions/suggested-questions.js';
import { noteAsked } from '../asked-before.js';
import { Answer } from './answer.js';
import { AskAsDialog, AskedAs } from './ask-as.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

/** The most turns that a request may continue, and the most characters of each. */
const MAX_TURNS = 20;
const MAX_TURN_LENGTH = 8000;

type Request = ReturnType<typeof buildRequest>;

interface Turn {
  readonly id: number;
  readonly request: Request;
  readonly text: string;
  readonly sources: readonly Source[];
  readonly steps: readonly Step[];
  readonly answer?: DashboardAnswer;
  readonly error?: unknown;
}

/** A conversation of a dashboard user. It is not logged or counted, and settings can be tried. */
export function PlaygroundPage() {
  const { kb, mayChange, isOwner, reload } = useKnowledgeBase();
  usePolling({ reload }, kb.chunk_count === 0, 2000);
  const { api, report, isRunning: isPluginRunning } = useShared();
  const [{ question = '' }, setParams] = useSearchParams(['question']);
  const settings = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: kb.id }, signal }),
    `settings ${kb.id}`,
  );
  const suggestions = useSuggestedQuestions(kb);
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>();
  const [isRunning, setRunning] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const last = useRef<HTMLLIElement>(null);
  /** The principals to ask as; undefined for the user. */
  const [principals, setPrincipals] = useState<readonly string[]>();
  const [choosing, setChoosing] = useState(false);

  useEffect(
    () => () => {
      running.current?.abort();
    },
    [],
  );
  useEffect(() => {
    last.current?.scrollIntoView({ block: 'start' });
  }, [turns.at(-1)?.id]);

  const stop = () => {
    running.current?.abort();
    setRunning(false);
  };
  const startAnew = () => {
    stop();
    setTurns([]);
    setError(undefined);
    setParams({});
  };
  const askAs = (somebody: readonly string[] | undefined) => {
    startAnew();
    setChoosing(false);
    setPrincipals(somebody);
  };

  const ask = async (request: Request) => {
    running.current?.abort();
    const leaving = new AbortController();
    running.current = leaving;
    const id = (turns.at(-1)?.id ?? 0) + 1;
    const change = (next: (turn: Turn) => Partial<Turn>) => {
      setTurns((all) => all.map((turn) => (turn.id === id ? { ...turn, ...next(turn) } : turn)));
    };
    setError(undefined);
    setRunning(true);
    noteAsked(kb.id);
    setParams({ question: request.message });
    setTurns((all) => [...all, { id, request, text: '', sources: [], steps: [] }]);
    const history = turns
      .flatMap(({ request: { message }, answer }) =>
        answer ? [{ question: message, answer: answer.answer.slice(0, MAX_TURN_LENGTH) }] : [],
      )
      .slice(-MAX_TURNS);
    const body = { ...request, ...(history.length > 0 && { history }) };
    try {
      for await (const event of api.chatStream(kb.id, body, { signal: leaving.signal })) {
        change(({ text, steps }) => {
          switch (event.type) {
            case 'step':
              return { steps: [...steps, event] };
            case 'sources':
              return { sources: event.sources };
            case 'delta':
              return { text: text + event.text };
            case 'message_end':
              return {
                text: event.answer.answer,
                sources: event.answer.sources,
                answer: event.answer,
              };
            default:
              return {};
          }
        });
      }
    } catch (failure) {
      if (leaving.signal.aborted) return;
      report(failure);
      change(() => ({ error: failure }));
      setError(failure);
    } finally {
      if (running.current === leaving) setRunning(false);
    }
  };

  const send = (message?: string) => {
    if (!form.current) return;
    const field = form.current.elements.namedItem('message');
    if (!(field instanceof HTMLTextAreaElement)) return;
    if (message !== undefined) field.value = message;
    if (field.value.trim() === '') {
      field.focus();
      return;
    }
    try {
      const request = buildRequest(readFields(form.current), principals);
      field.value = '';
      field.focus();
      void ask(request);
    } catch (failure) {
      setError(failure);
    }
  };

  // A link with a question asks it at once.
  const isEmpty = kb.chunk_count === 0;
  useEffect(() => {
    if (question !== '' && turns.length === 0) send(question);
  }, [isEmpty]);

  if (isEmpty) {
    return (
      <>
        <PageHeader title="Playground" />
        <Empty title="There is nothing to ask yet">
          <p>Add a document first. As soon as it is ready, ask here.</p>
          <Link class="button primary" href={`/kbs/${kb.id}/documents`}>
            Add a document
          </Link>
        </Empty>
      </>
    );
  }
  const quoting = turns.find(
    ({ answer }) => answer?.model === 'extractive' && answer.kind === undefined,
  );
  return (
    <div class="playground">
      <PageHeader
        title="Playground"
        lead="Test questions are not logged or counted. Settings can be tried without saving them."
      >
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
        {turns.length > 0 && (
          <button type="button" onClick={startAnew}>
            New conversation
          </button>
        )}
      </PageHeader>
      {principals && (
        <AskedAs
          principals={principals}
          onEnd={() => {
            askAs(undefined);
          }}
        />
      )}
      <form
        ref={form}
        class="thread-form"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <details>
          <summary>Try other settings</summary>
          <p class="quiet">For the questions on this page only; nothing is saved.</p>
          <AnswerSettingsFields saved={settings.value} mayChange={mayChange} error={error} />
          <Select
            label="Effort"
            name="effort"
            error={error}
            hint="How much a language model may search before it answers"
          >
            <option value="">low: one search</option>
            <option value="medium">medium: up to 3 more rounds</option>
            <option value="high">high: up to 6 more rounds</option>
          </Select>
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
        {turns.length === 0 && suggestions.length > 0 && (
          <div class="suggestions" role="group" aria-label="Your documents answer">
            <span class="quiet">Your documents answer</span>
            {suggestions.map((text) => (
              <button
                key={text}
                type="button"
                dir="auto"
                onClick={() => {
                  send(text);
                }}
              >
                {text}
              </button>
            ))}
          </div>
        )}
        <ol class="thread">
          {turns.map((turn) => (
            <li key={turn.id} ref={turn === turns.at(-1) ? last : null}>
              <p class="asked" dir="auto">
                {turn.request.message}
              </p>
              <Alert error={turn.error} />
              {turn.error === undefined && (
                <Answer
                  kbId={kb.id}
                  question={turn.request.message}
                  text={turn.text}
                  sources={turn.sources}
                  steps={turn.steps}
                  answer={turn.answer}
                  isRunning={isRunning && turn === turns.at(-1) && !turn.answer}
                  mayWrite={mayChange && isPluginRunning('curated-answers')}
                  curl={buildCurl(turn.request)}
                  search={(message, signal) => {
                    const { filter, settings: tried, principals: named } = turn.request;
                    const body = {
                      message,
                      ...(filter && { filter }),
                      ...(tried && { settings: tried }),
                      ...(named && { principals: named }),
                    };
                    const path = { kb_id: kb.id };
                    return api.post('/api/v1/kbs/{kb_id}/query', { path, body, signal });
                  }}
                />
              )}
              {turn === quoting && <WithoutModel />}
            </li>
          ))}
        </ol>
        <div class="composer">
          <TextArea
            label="Question"
            name="message"
            maxLength={8000}
            rows={2}
            autofocus
            dir="auto"
            placeholder={turns.length > 0 ? 'Ask a follow-up' : 'Ask what your users ask'}
            error={error}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
          {turns.every((turn) => turn.error !== error) && <Alert error={error} />}
          <p class="actions">
            <button class="primary">Ask</button>
            {isRunning && (
              <button type="button" onClick={stop}>
                Stop
              </button>
            )}
          </p>
        </div>
      </form>
      {choosing && (
        <AskAsDialog
          onClose={() => {
            setChoosing(false);
          }}
          onChosen={askAs}
        />
      )}
    </div>
  );
}

/** Explains why answers are quotations; shown once. */
const WithoutModel = () => (
  <details class="quiet-details">
    <summary>Answers are quotations, because no language model writes them</summary>
    <p class="quiet">
      Whoever runs the service connects one by the variables <code>LLM_BASE_URL</code>, such as{' '}
      <code>http://localhost:11434/v1</code>, <code>LLM_MODEL</code> and <code>LLM_API_KEY</code>.
      Any server that speaks OpenAI’s protocol will do. Where one is connected, the setting Model is{' '}
      <code>extractive</code>, or the model has failed.
    </p>
  </details>
);

const buildCurl = ({ message, effort, filter }: Request) =>
  curlSnippet(
    { url: location.origin, secret: NO_SECRET },
    { message, ...(effort && { effort }), ...(filter && { filter }) },
  );

function buildRequest(fields: Record<string, string>, principals: readonly string[] | undefined) {
  const { message = '', effort, filter } = fields;
  const settings = readAnswerSettings(fields);
  return {
    message: message.trim(),
    ...(effort !== undefined && { effort: effort as NonNullable<DashboardChatRequest['effort']> }),
    ...(filter !== undefined && { filter: parseJson(filter, 'The filter') as Filter }),
    ...(settings && { settings }),
    ...(principals && { principals: [...principals] }),
  };
}
