import { useEffect, useRef, useState } from 'preact/hooks';
import type { DashboardAnswer, QueryAnswer, Source, Step } from '@latchkey/client';
import { CopyButton, Loading, number, percent, plural } from '../components/basics.js';
import { Meaning } from '../components/meaning.js';
import { RichText } from '../components/rich-text.js';
import { useLoad } from '../load.js';
import { Link } from '../routing.js';
import { CitedText } from './cited-text.js';
import { isDoubtful } from './doubtful.js';
import { SourceHead } from './source-head.js';

/** The height of the text that is visible above a quotation. */
const CONTEXT_PX = 48;

type Result = QueryAnswer['results'][number];

interface Props {
  readonly kbId: string;
  readonly question: string;
  readonly text: string;
  readonly sources: readonly Source[];
  /** The rounds in which the model searched further. */
  readonly steps: readonly Step[];
  readonly answer?: DashboardAnswer | undefined;
  readonly isRunning: boolean;
  /** Whether the user may create curated answers. */
  readonly mayWrite: boolean;
  /** The request as a curl command. */
  readonly curl: string;
  /** Searches with the filter and settings of the answer. */
  readonly search: (text: string, signal: AbortSignal) => Promise<QueryAnswer>;
}

/** An answer whose citations open the documents at the cited passage. */
export function Answer(props: Props) {
  const { kbId, question, text, sources, steps, answer, isRunning } = props;
  const [isAsking, setAsking] = useState(false);
  const statements = findCitedStatements(text);
  return (
    <div class="answer" role="group" aria-label="Answer">
      {steps.length > 0 && (
        <ol class="quiet" aria-label="Searched again">
          {steps.map(({ searches, passages }, round) => (
            <li key={round} dir="auto">
              {searches.length > 0
                ? `${searches.join(' · ')}: ${plural(passages, 'new passage')}`
                : 'Nothing more to search for'}
            </li>
          ))}
        </ol>
      )}
      <div
        aria-live="polite"
        aria-busy={isRunning}
        class={answer?.answered === false ? 'reply refused' : 'reply'}
      >
        <CitedText text={text} sources={sources} />
        {isRunning && <span class="cursor" aria-hidden="true" />}
      </div>
      {answer && (
        <>
          {isDoubtful(answer) && <p class="doubt">This may not be what you asked.</p>}
          {answer.conflict && (
            <p class="doubt">Documents contradict each other; the newer comes first.</p>
          )}
          <p class="verdict quiet">
            {describeVerdict(answer)} · {formatSeconds(answer.latency_ms)}
            {answer.usage &&
              ` · ${number(answer.usage.prompt_tokens + answer.usage.completion_tokens)} tokens`}
            {answer.confidence !== undefined && ` · ${percent(answer.confidence)} sure`}
            {answer.grounded === false &&
              (answer.sources.some(({ cited }) => cited)
                ? ' · Some numbers, names or quotations are in none of the cited passages'
                : ' · It cites no passage')}
            {answer.partial === true &&
              ' · There may be better passages: not all could be searched in time, or by their meaning'}
          </p>
          <div class="answer-actions">
            <CopyButton text={answer.answer} />
            <CopyButton text={props.curl} label="Copy as curl" />
            {answer.kind === undefined && props.mayWrite && (
              <Link
                class="button"
                href={`/kbs/${kbId}/curated-answers?question=${encodeURIComponent(question)}`}
              >
                Write the answer
              </Link>
            )}
          </div>
        </>
      )}
      {sources.length > 0 && <h2>Sources</h2>}
      <ol class="sources">
        {sources.map((source) => (
          <li key={source.index}>
            <SourceHead kbId={kbId} index={source.index} source={source} />
            <Passage
              text={source.snippet}
              quotes={
                source.quote
                  ? [source.quote.text]
                  : statements
                      .filter(({ indexes }) => indexes.includes(source.index))
                      .map(({ statement }) => statement)
              }
            />
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
                <Passage text={source.snippet} quotes={source.quote ? [source.quote.text] : []} />
              </li>
            ))}
          </ol>
        </>
      )}
      {answer?.searched_for && (
        <details
          onToggle={(event) => {
            setAsking(event.currentTarget.open);
          }}
        >
          <summary>Why these passages</summary>
          {isAsking && (
            <Stages
              {...props}
              searched={[...answer.searched_for, ...steps.flatMap(({ searches }) => searches)]}
              statements={statements}
            />
          )}
        </details>
      )}
    </div>
  );
}

/** A passage, scrolled to its first quotation. */
function Passage(props: { text: string; quotes: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const shown = props.quotes.join('\n');
  useEffect(() => {
    const mark = box.current?.querySelector('mark, .marked');
    if (!box.current || !mark) return;
    const below = mark.getBoundingClientRect().top - box.current.getBoundingClientRect().top;
    box.current.scrollTop += below - CONTEXT_PX;
  }, [shown]);
  return (
    <div ref={box} class="passage" tabIndex={0}>
      <RichText {...props} />
    </div>
  );
}

/** The steps from the question to the answer: the queries, the found passages, and their use. */
function Stages(props: Props & { searched: readonly string[]; statements: readonly Statement[] }) {
  const { kbId, question, sources, searched, statements } = props;
  const { value: passages, error } = useLoad(
    async (_, signal) => {
      const found: Result[] = [];
      for (const text of searched) found.push(...(await props.search(text, signal)).results);
      return [...new Map(found.map((passage) => [passage.chunk_id, passage])).values()];
    },
    `why ${JSON.stringify(searched)}`,
  );
  const cited = new Set(statements.flatMap(({ indexes }) => indexes));
  const best = passages?.[0]?.score;
  return (
    <ol class="stages">
      <li>
        <strong>Understood</strong>
        {searched.length === 1 && searched[0] === question ? (
          <p class="quiet">It was searched for as it was asked.</p>
        ) : (
          <ul>
            {searched.map((text) => (
              <li key={text} class="said-as" dir="auto">
                {text}
              </li>
            ))}
          </ul>
        )}
      </li>
      <li>
        <strong>Searched</strong>
        <Meaning />
      </li>
      <li>
        <strong>
          {passages ? `${plural(passages.length, 'passage')} found` : 'Passages found'}
        </strong>
        <p class="quiet">
          Best first. The score says how well a passage fits the question; it can be compared within
          one question only. Those below the minimum score of the settings are left out.
        </p>
        {!passages && <Loading error={error} />}
        <ol class="sources">
          {passages?.map((passage) => (
            <li key={passage.chunk_id}>
              <SourceHead kbId={kbId} source={passage} best={best} />
              <p class="quiet">{describeFate(passage.chunk_id, sources, cited)}</p>
              <Passage text={passage.text} quotes={[]} />
            </li>
          ))}
        </ol>
      </li>
      <li>
        <strong>Answered</strong>
        <p class="quiet">
          {plural(sources.length, 'passage')} given to the answer, {number(cited.size)} cited.
        </p>
      </li>
    </ol>
  );
}

function describeVerdict({ answered, kind, curated, model, sources }: DashboardAnswer): string {
  if (kind === 'smalltalk') return 'No question, so greeted';
  if (kind === 'list') return 'Answered from the list of documents';
  if (curated === true) return 'Answered by a curated answer';
  if (!answered) return 'Not answered: the documents do not contain the answer';
  if (model !== 'extractive') return `Written by ${model}`;
  const cited = sources.filter((source) => source.cited);
  const documents = new Set(cited.map(({ document_id }) => document_id)).size;
  return `Quoted from ${plural(documents, 'document')}`;
}

const SECONDS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

const formatSeconds = (milliseconds: number) =>
  milliseconds < 100 ? 'under 0.1 s' : `${SECONDS.format(milliseconds / 1000)} s`;

/** Says whether a found passage was given to the answer, and cited. */
function describeFate(chunkId: string, sources: readonly Source[], cited: ReadonlySet<number>) {
  const source = sources.find(({ chunk_id }) => chunk_id === chunkId);
  if (!source) return 'Found, and not given to the answer';
  return `Source [${source.index}]${cited.has(source.index) ? ', cited in the answer' : ', not cited'}`;
}

interface Statement {
  readonly statement: string;
  readonly indexes: readonly number[];
}

/** The text up to each group of citations, such as `[1][2]`. */
function findCitedStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  let end = 0;
  for (const match of text.matchAll(/(?:\s?\[\d{1,3}\])+/g)) {
    const indexes = [...match[0].matchAll(/\d+/g)].map(([digits]) => Number(digits));
    statements.push({ statement: text.slice(end, match.index), indexes });
    end = match.index + match[0].length;
  }
  return statements;
}
