import { PROBLEMS } from '../../platform/problems/problem.js';
import type { EvaluationDto, EvaluationSummaryDto } from './evaluation.dto.js';
import type { EvaluationQuestion } from './evaluation-question.entity.js';
import type { Evaluation } from './evaluation.entity.js';

export const toSummaryDto = (evaluation: Evaluation): EvaluationSummaryDto => ({
  id: evaluation.id,
  kb_id: evaluation.kbId,
  name: evaluation.name,
  status: evaluation.status,
  progress: evaluation.doneCount / evaluation.questionCount,
  question_count: evaluation.questionCount,
  settings: evaluation.settings,
  figures: evaluation.figures,
  error: evaluation.errorCode && {
    code: evaluation.errorCode,
    message: PROBLEMS[evaluation.errorCode][1],
  },
  created_by: evaluation.createdBy,
  created_at: evaluation.createdAt.toISOString(),
  finished_at: evaluation.finishedAt?.toISOString() ?? null,
});

export const toEvaluationDto = (
  evaluation: Evaluation,
  questions: readonly EvaluationQuestion[],
): EvaluationDto => ({
  ...toSummaryDto(evaluation),
  questions: questions.map((question) => ({
    question: question.question,
    history: question.history,
    external_ids: question.externalIds,
    answer_contains: question.answerContains,
    answer_contains_all: question.answerContainsAll,
    answerable: question.answerable,
    rank: question.rank,
    answered: question.answered,
    right: question.isRight,
    latency_ms: question.latencyMs,
  })),
});
