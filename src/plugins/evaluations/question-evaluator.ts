import { Injectable } from '@nestjs/common';
import { AnswerPipeline } from '../../chat/answer-pipeline.js';
import type { DashboardAnswerDto } from '../../chat/answer.dto.js';
import { buildSearchText, findContext } from '@latchkey/quoting/follow-up';
import type { ConversationTurn } from '../../chat/conversations/exchange.js';
import { readAnswer } from '../../chat/chat-event.js';
import { Retriever } from '../../chat/retriever.js';
import { findAskedSentences } from '@latchkey/text/asked-sentences';
import { foldText } from '@latchkey/text/fold-text';
import type { SearchScope } from '@latchkey/ranking/search-index';
import type { Settings } from '../../knowledge-bases/settings/settings.js';
import type { EvaluationQuestion } from './evaluation-question.entity.js';
import { DEPTH, computeRank } from './figures.js';

type Result = Pick<EvaluationQuestion, 'rank' | 'ndcg' | 'answered' | 'isRight' | 'latencyMs'>;

/** Asks a question of an evaluation, through the code that also answers clients. */
@Injectable()
export class QuestionEvaluator {
  constructor(
    private readonly retriever: Retriever,
    private readonly pipeline: AnswerPipeline,
  ) {}

  /** @throws Problem when the model fails or the search is busy */
  async evaluate(
    kbId: string,
    settings: Settings,
    scope: SearchScope,
    question: EvaluationQuestion,
    signal: AbortSignal,
  ): Promise<Result> {
    const turns: ConversationTurn[] = [];
    const ask = async (message: string) => {
      const request = {
        asker: { kbId, scope, credential: undefined, user: undefined },
        ...{ knowledgeBases: [{ kbId, scope }], dto: { message }, settings, turns },
        ...{ startedAt: performance.now(), clientSignal: signal },
      };
      return readAnswer(await this.pipeline.stream(request, () => Promise.resolve(undefined)));
    };
    for (const earlier of question.history) {
      const { answer } = await ask(earlier);
      turns.push({ question: earlier, answer });
    }
    const found = await this.findDocuments(kbId, settings, scope, question, signal);
    const start = performance.now();
    const answer = await ask(question.question);
    return {
      ...computeRank(found, question.externalIds),
      // A reply to small talk makes no claim about the documents.
      answered: answer.answered && answer.kind !== 'smalltalk',
      isRight: isRight(question, answer),
      latencyMs: Math.round(performance.now() - start),
    };
  }

  /** @returns the external id of each passage found */
  private async findDocuments(
    kbId: string,
    settings: Settings,
    scope: SearchScope,
    { question, history, externalIds }: EvaluationQuestion,
    signal: AbortSignal,
  ): Promise<(string | null)[]> {
    if (externalIds.length === 0) return [];
    const text = buildSearchText(question, findContext(question, history));
    const fields = { top_k: DEPTH };
    const options = { asked: findAskedSentences(question), signal };
    const knowledgeBases = [{ kbId, scope }];
    const { passages } = await this.retriever.retrieve(
      knowledgeBases,
      text,
      settings,
      fields,
      options,
    );
    return passages.map(({ externalId }) => externalId);
  }
}

/** @returns null if the request does not say which answer is right */
export function isRight(
  { answerable, answerContains, answerContainsAll, externalIds }: EvaluationQuestion,
  {
    answered,
    kind,
    answer,
    sources,
  }: Pick<DashboardAnswerDto, 'answered' | 'kind' | 'answer' | 'sources'>,
): boolean | null {
  if (!answerable) return !answered || kind !== undefined;
  const expected = [...(answerContains.length > 0 ? [answerContains] : []), ...answerContainsAll];
  if (expected.length > 0) {
    const folded = foldText(answer);
    const contains = (text: string) => folded.includes(foldText(text));
    return answered && expected.every((texts) => texts.some(contains));
  }
  if (externalIds.length === 0) return null;
  const cited = sources.filter((source) => source.cited);
  return answered && cited.some(({ external_id: id }) => id !== null && externalIds.includes(id));
}
