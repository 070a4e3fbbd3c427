import { Injectable } from '@nestjs/common';
import { Answering } from '../answering.js';
import type { DashboardAnswerDto } from '../answer.dto.js';
import { UnrecordedChat } from '../unrecorded-chat.js';
import { foldText } from '@latchkey/text/fold-text';
import type { Settings } from '../../knowledge-bases/settings/settings.js';
import type { EvaluationQuestion } from './evaluation-question.entity.js';
import { DEPTH, rankOf } from './figures.js';

type Result = Pick<EvaluationQuestion, 'rank' | 'ndcg' | 'answered' | 'isRight' | 'latencyMs'>;

/** Asks a question of an evaluation, through the code that also answers clients. */
@Injectable()
export class QuestionEvaluator {
  constructor(
    private readonly answering: Answering,
    private readonly chat: UnrecordedChat,
  ) {}

  /** @throws Problem when the model fails or the search is busy */
  async evaluate(
    kbId: string,
    settings: Settings,
    question: EvaluationQuestion,
    signal: AbortSignal,
  ): Promise<Result> {
    const found = await this.findDocuments(kbId, settings, question, signal);
    const start = performance.now();
    const answer = await this.chat.chat(kbId, settings, { message: question.question }, signal);
    return {
      ...rankOf(found, question.externalIds),
      // A reply to small talk claims nothing of the documents.
      answered: answer.answered && answer.kind === undefined,
      isRight: isRight(question, answer),
      latencyMs: Math.round(performance.now() - start),
    };
  }

  /** @returns the external id of each passage found */
  private async findDocuments(
    kbId: string,
    settings: Settings,
    { question, externalIds }: EvaluationQuestion,
    signal: AbortSignal,
  ): Promise<(string | null)[]> {
    if (externalIds.length === 0) return [];
    const fields = { top_k: DEPTH };
    const { passages } = await this.answering.search(kbId, question, settings, fields, { signal });
    return passages.map(({ externalId }) => externalId);
  }
}

/** @returns null where the request does not say what is right */
export function isRight(
  { answerable, answerContains, externalIds }: EvaluationQuestion,
  {
    answered,
    kind,
    answer,
    sources,
  }: Pick<DashboardAnswerDto, 'answered' | 'kind' | 'answer' | 'sources'>,
): boolean | null {
  if (!answerable) return !answered || kind !== undefined;
  if (answerContains.length > 0) {
    const folded = foldText(answer);
    return answered && answerContains.some((text) => folded.includes(foldText(text)));
  }
  if (externalIds.length === 0) return null;
  const cited = sources.filter((source) => source.cited);
  return answered && cited.some(({ external_id: id }) => id !== null && externalIds.includes(id));
}
