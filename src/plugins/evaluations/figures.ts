import type { EvaluationQuestion } from './evaluation-question.entity.js';

/** The number of passages that the ranking scores take into account. */
export const DEPTH = 10;

export interface EvaluationScores {
  readonly hit_at_1: number | null;
  readonly hit_at_5: number | null;
  readonly mrr_at_10: number | null;
  readonly ndcg_at_10: number | null;
  readonly answered_rate: number | null;
  readonly right_rate: number | null;
  readonly false_answer_rate: number | null;
  readonly latency_p50_ms: number | null;
}

export type AskedQuestion = Pick<
  EvaluationQuestion,
  'externalIds' | 'answerable' | 'rank' | 'ndcg' | 'answered' | 'isRight' | 'latencyMs'
>;

/** All questions must have been asked. A score is null if no question has the expectation it needs. */
export function computeScores(questions: readonly AskedQuestion[]): EvaluationScores {
  const ranked = questions.filter(({ externalIds }) => externalIds.length > 0);
  const answerable = questions.filter((question) => question.answerable);
  const unanswerable = questions.filter((question) => !question.answerable);
  const judged = answerable.filter(({ isRight }) => isRight !== null);
  const isAnswered = ({ answered }: AskedQuestion) => Number(answered);
  const hitAt = (limit: number) =>
    mean(ranked, ({ rank }) => Number(rank !== null && rank <= limit));
  const latencies = questions.map(({ latencyMs }) => latencyMs ?? 0).sort((a, b) => a - b);
  return {
    hit_at_1: hitAt(1),
    hit_at_5: hitAt(5),
    mrr_at_10: mean(ranked, ({ rank }) => (rank === null ? 0 : 1 / rank)),
    ndcg_at_10: mean(ranked, ({ ndcg }) => ndcg ?? 0),
    answered_rate: mean(answerable, isAnswered),
    right_rate: mean(judged, ({ isRight }) => Number(isRight)),
    false_answer_rate: mean(unanswerable, isAnswered),
    latency_p50_ms: latencies[Math.floor((latencies.length - 1) / 2)] ?? null,
  };
}

/** Computes the rank of the first passage of an expected document, and the nDCG of all passages. */
export function computeRank(
  found: readonly (string | null)[],
  externalIds: readonly string[],
): { rank: number | null; ndcg: number | null } {
  const wanted = new Set(externalIds);
  if (wanted.size === 0) return { rank: null, ndcg: null };
  const first = found.findIndex((id) => id !== null && wanted.has(id));
  const ideal = sum(
    Array.from({ length: Math.min(wanted.size, DEPTH) }, (_, index) => gainAt(index)),
  );
  // Only the first passage of each document counts.
  const gain = sum(
    found
      .slice(0, DEPTH)
      .map((id, index) => (id !== null && wanted.delete(id) ? gainAt(index) : 0)),
  );
  return { rank: first < 0 ? null : first + 1, ndcg: gain / ideal };
}

const gainAt = (index: number) => 1 / Math.log2(index + 2);

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function mean<T>(items: readonly T[], valueOf: (item: T) => number): number | null {
  if (items.length === 0) return null;
  return Math.round((10_000 * sum(items.map(valueOf))) / items.length) / 10_000;
}
