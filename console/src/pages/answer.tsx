import { useState } from 'preact/hooks';
import type { ChatAnswer, QueryAnswer, Source } from '@latchkey/client';
import { Link } from '../routing.js';
import { Badge, number } from '../components/basics.js';
import { place } from './document.js';

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
                  document.getElementById(`source-${index}`)?.scrollIntoView({ block: 'nearest' });
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
          {answer.answered ? 'Answered' : 'Not answered: the documents do not speak of it'} by{' '}
          {answer.model} in {number(answer.latency_ms)} ms
          {answer.usage &&
            `, ${number(answer.usage.prompt_tokens + answer.usage.completion_tokens)} tokens`}
          {answer.partial === true && ' · The search reached its time limit'}
        </p>
      )}
      {sources.length > 0 && <h3>Sources</h3>}
      <ol class="sources">
        {sources.map((source) => (
          <li
            key={source.index}
            id={`source-${source.index}`}
            class={cited === source.index ? 'target' : ''}
          >
            <SourceHead kbId={kbId} index={source.index} source={source} />
            <p class="passage">
              <Highlighted
                text={source.snippet}
                statements={statements
                  .filter(({ indexes }) => indexes.includes(source.index))
                  .map(({ statement }) => statement)}
              />
            </p>
          </li>
        ))}
      </ol>
      {passages.length > 0 && (
        <details>
          <summary>Why these passages</summary>
          <p class="quiet">
            All that the search has found, best first. The score says how well the words of the
            question fit; it can be compared within one question only.
          </p>
          <ol class="sources">
            {passages.map((passage) => (
              <li key={passage.chunk_id}>
                <SourceHead kbId={kbId} source={passage} />
                <p class="passage">{passage.text}</p>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

type Cited = Pick<
  Source,
  'chunk_id' | 'document_id' | 'document_title' | 'score' | 'heading' | 'locator'
>;

export function SourceHead(props: { kbId: string; index?: number; source: Cited }) {
  const { kbId, index, source } = props;
  return (
    <p>
      {index !== undefined && <strong>[{index}]</strong>}{' '}
      <Link href={`/kbs/${kbId}/documents/${source.document_id}#${source.chunk_id}`}>
        {source.document_title}
      </Link>{' '}
      <span class="quiet">
        {source.heading} {source.locator && place(source.locator)}
      </span>{' '}
      <Badge kind="score">{source.score.toPrecision(3)}</Badge>
    </p>
  );
}

interface Statement {
  readonly statement: string;
  readonly indexes: readonly number[];
}

/** The text up to each group of citations, such as `[1][2]`. */
export function citedStatements(text: string): Statement[] {
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

/** Marks the sentences that an answer quotes. */
export function Highlighted(props: { text: string; statements: readonly string[] }) {
  const { text } = props;
  const quoted = props.statements.map((each) => each.trim()).filter((each) => text.includes(each));
  const [first] = quoted.filter((each) => each !== '');
  if (first === undefined) return <>{text}</>;
  const start = text.indexOf(first);
  return (
    <>
      {text.slice(0, start)}
      <mark>{first}</mark>
      <Highlighted text={text.slice(start + first.length)} statements={quoted} />
    </>
  );
}
