import type { Evaluation } from '../../api.js';
import { Badge, Loading, number, percent } from '../../components/basics.js';
import { Dialog } from '../../components/dialog.js';
import { useLoad, usePolling } from '../../load.js';

type Figures = NonNullable<Evaluation['figures']>;

const FIGURES: readonly (readonly [string, (figures: Figures) => string])[] = [
  ['Right', ({ right_rate }) => percent(right_rate)],
  ['Answered', ({ answered_rate }) => percent(answered_rate)],
  ['False answers', ({ false_answer_rate }) => percent(false_answer_rate)],
  ['Document found first', ({ hit_at_1 }) => percent(hit_at_1)],
  ['Document among the first 5', ({ hit_at_5 }) => percent(hit_at_5)],
  ['MRR@10', ({ mrr_at_10 }) => score(mrr_at_10)],
  ['nDCG@10', ({ ndcg_at_10 }) => score(ndcg_at_10)],
  [
    'Median time to answer',
    ({ latency_p50_ms }) => `${number(Math.round(latency_p50_ms ?? 0))} ms`,
  ],
];

const score = (value: number | null) => (value === null ? '–' : value.toFixed(2));

/** The results of an evaluation, in total and by question. */
export function EvaluationDialog({
  id,
  onClose,
  onStop,
}: {
  id: string;
  onClose: () => void;
  /** Undefined for users who may not stop it. */
  onStop: ((evaluation: Evaluation) => void) | undefined;
}) {
  const evaluation = useLoad<Evaluation>(
    (api, signal) =>
      api.get('/api/v1/evaluations/{evaluation_id}', { path: { evaluation_id: id }, signal }),
    id,
  );
  const { value } = evaluation;
  const isWorking = value?.status === 'running' || value?.status === 'pending';
  usePolling(evaluation, isWorking);
  return (
    <Dialog title={value?.name ?? 'Evaluation'} onClose={onClose} side>
      {!value && <Loading error={evaluation.error} />}
      {isWorking && <progress value={value.progress} max={1} aria-label="Progress" />}
      {value?.error && <p class="alert">{value.error.message}</p>}
      {value?.figures && (
        <dl class="facts">
          {FIGURES.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value.figures && text(value.figures)}</dd>
            </div>
          ))}
        </dl>
      )}
      {value && (
        <ol class="results">
          {value.questions.map((each, index) => (
            <li key={index}>
              <Verdict right={each.right} isAsked={each.answered !== null} /> {each.question}{' '}
              <span class="quiet">
                {each.external_ids.length > 0 && each.answered !== null && (
                  <>
                    {each.rank === null ? 'document not found' : `document found at ${each.rank}`}
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
      {isWorking && onStop && (
        <menu>
          <button
            type="button"
            class="danger"
            onClick={() => {
              onStop(value);
            }}
          >
            Stop…
          </button>
        </menu>
      )}
    </Dialog>
  );
}

function Verdict({ right, isAsked }: { right: boolean | null; isAsked: boolean }) {
  if (right === null) return <Badge kind="plain">{isAsked ? 'asked' : 'waiting'}</Badge>;
  return right ? <Badge kind="ready">right</Badge> : <Badge kind="failed">wrong</Badge>;
}
