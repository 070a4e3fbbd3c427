import { useEffect, useState } from 'preact/hooks';
import type { ChatAnswer, QueryAnswer, Source } from '@latchkey/client';
import { number } from '../components/basics.js';
import { Highlighted } from '../components/highlighted.js';
import { SourceHead } from './source-head.js';

interface Props {
  readonly kbId: string;
  readonly text: string;
  readonly sources: readonly Source[];
  /** What the search has found, with the scores; some of it is no source. */
  readonly passages: QueryAnswer['results'];
  readonly answer?: ChatAnswer;
  readonly isRunning: boolean;
}

/** An answer whose citations light up the sentences that they rest on. */
export function Answer({ kbId, text, sources, passages, answer, isRunning }: Props) {
  const [cited, setCited] = useState<number>();
  const statements = citedStatements(text);
  useEffect(() => {
    if (cited === undefined) return;
    const source = document.getElementById(`source-${cited}`);
    source?.scrollIntoView({ block: 'nearest' });
    source?.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
  }, [cited]);
  return (
    <section class="answer" aria-label="Answer">
      <p
        aria-live="polite"
        aria-busy={isRunning}
        class={answer?.answered === false ? 'refused' : ''}
      >
        {statements.map(({ statement, indexes }, position) => (
          <span key={position}>
            {statement}
            {indexes.map((index) => (
              <button
                key={index}
                type="button"
                class="citation"
                aria-label={`Show source ${index}`}
                aria-pressed={cited === index}
                onClick={() => {
                  setCited(cited === index ? undefined : index);
                }}
              >
                {index}
              </button>
            ))}
          </span>
        ))}
        {isRunning && <span class="cursor" aria-hidden="true" />}
      </p>
      {answer && (
        <p class="quiet">
          {verdictOf(answer)} by {answer.curated === true ? 'a curated answer' : answer.model} in{' '}
          {number(answer.latency_ms)} ms
          {answer.usage &&
            `, ${number(answer.usage.prompt_tokens + answer.usage.completion_tokens)} tokens`}
          {answer.grounded === false &&
            ' · Some numbers, names or quotations are in none of the cited passages'}
          {answer.partial === true && ' · The search reached its time limit'}
        </p>
      )}
      {answer?.model === 'extractive' && answer.kind === undefined && <WithoutModel />}
      {sources.length > 0 && <h2>Sources</h2>}
      <ol class="sources">
        {sources.map((source) => (
          <li
            key={source.index}
            id={`source-${source.index}`}
            class={cited === source.index ? 'target' : ''}
          >
            <SourceHead kbId={kbId} index={source.index} source={source} />
            <p class="passage" tabIndex={0}>
              <Highlighted
                text={textOf(source, passages)}
                statements={
                  source.quote
                    ? [source.quote.text]
                    : statements
                        .filter(({ indexes }) => indexes.includes(source.index))
                        .map(({ statement }) => statement)
                }
              />
            </p>
          </li>
        ))}
      </ol>
      {answer?.related && answer.related.length > 0 && (
        <>
          <h2>These may help</h2>
          <ol class="sources">
            {answer.related.map((source) => (
              <li key={source.chunk_id}>
                <SourceHead kbId={kbId} source={source} />
                <p class="passage" tabIndex={0}>
                  <Highlighted
                    text={source.snippet}
                    statements={source.quote ? [source.quote.text] : []}
                  />
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
      {passages.length > 0 && (
        <details>
          <summary>Why these passages</summary>
          <p class="quiet">
            All that the search has found, best first. The score says how well a passage fits the
            words of the question; it can be compared within one question only. Those below the
            minimum score of the settings are left out.
          </p>
          <ol class="sources">
            {passages.map((passage) => (
              <li key={passage.chunk_id}>
                <SourceHead kbId={kbId} source={passage} best={passages[0]?.score} />
                <p class="quiet">{fateOf(passage.chunk_id, sources, statements)}</p>
                <p class="passage" tabIndex={0}>
                  {passage.text}
                </p>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

/** Why an answer is a quotation. */
const WithoutModel = () => (
  <details>
    <summary>Answers are quotations, because no language model writes them</summary>
    <p class="quiet">
      Whoever runs the service connects one by the variables <code>LLM_BASE_URL</code>, such as{' '}
      <code>http://localhost:11434/v1</code>, <code>LLM_MODEL</code> and <code>LLM_API_KEY</code>.
      Any server that speaks OpenAI’s protocol will do. Where one is connected, the setting Model is{' '}
      <code>extractive</code>, or the model has failed.
    </p>
  </details>
);

function verdictOf({ answered, kind }: ChatAnswer): string {
  if (kind === 'smalltalk') return 'No question, so greeted';
  return answered ? 'Answered' : 'Not answered: the documents do not speak of it';
}

/** What became of a passage that was found. */
function fateOf(chunkId: string, sources: readonly Source[], statements: readonly Statement[]) {
  const source = sources.find(({ chunk_id }) => chunk_id === chunkId);
  if (!source) return 'Found, and not given to the answer';
  const isCited = statements.some(({ indexes }) => indexes.includes(source.index));
  return `Source [${source.index}]${isCited ? ', cited in the answer' : ', not cited'}`;
}

/** The whole passage, once the search has given it. */
const textOf = ({ chunk_id, snippet }: Source, passages: QueryAnswer['results']) =>
  passages.find((passage) => passage.chunk_id === chunk_id)?.text ?? snippet;

interface Statement {
  readonly statement: string;
  readonly indexes: readonly number[];
}

/** The text up to each group of citations, such as `[1][2]`. */
function citedStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  let end = 0;
  for (const match of text.matchAll(/(?:\s?\[\d{1,3}\])+/g)) {
    const indexes = [...match[0].matchAll(/\d+/g)].map(([digits]) => Number(digits));
    statements.push({ statement: text.slice(end, match.index), indexes });
    end = match.index + match[0].length;
  }
  if (end < text.length) statements.push({ statement: text.slice(end), indexes: [] });
  return statements;
}
