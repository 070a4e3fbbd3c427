import { Injectable } from '@nestjs/common';
import type { Turn } from './conversations/exchange.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { SearchIndex, type SearchQuery, type SearchResult } from '@latchkey/ranking/search-index';
import { EXTRACTIVE } from '../knowledge-bases/settings/models.js';
import type { Settings } from '../knowledge-bases/settings/settings.service.js';
import {
  AnswerGenerator,
  type CompleteAnswer,
  type SamplingOptions,
  type StreamedAnswer,
} from './answer-generator.js';
import { ExtractiveGenerator } from './extractive-generator.js';
import { PassageReader } from './passage-reader.js';
import type { QuestionDto } from './question.dto.js';
import { isRelevant } from '@latchkey/quoting/relevance';

type SearchFields = Pick<QuestionDto, 'top_k' | 'filter'> & { readonly min_score?: number | null };

/** What an answer is generated from. */
export interface AnswerRequest {
  readonly kbId: string;
  readonly question: string;
  readonly found: SearchResult;
  readonly settings: Settings;
  /** Earlier questions and answers, oldest first. */
  readonly history: readonly Turn[];
  readonly sampling?: SamplingOptions | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface GeneratedAnswer {
  readonly answer: CompleteAnswer | StreamedAnswer;
  /** Generates the answer when the model fails; undefined lets the request fail. */
  readonly fallback: (() => CompleteAnswer) | undefined;
}

/**
 * Searches and generates answers, for /chat and /query, the dashboard's questions and evaluations
 * alike. It stores nothing.
 */
@Injectable()
export class Answering {
  constructor(
    private readonly index: SearchIndex,
    private readonly reader: PassageReader,
    private readonly extractive: ExtractiveGenerator,
    private readonly generator: AnswerGenerator,
    private readonly metrics: Metrics,
  ) {}

  async search(
    kbId: string,
    question: string,
    { topK, minScore }: Pick<Settings, 'topK' | 'minScore'>,
    fields: SearchFields,
    options: Pick<SearchQuery, 'signal' | 'onlyInformative' | 'scope'>,
  ): Promise<SearchResult> {
    const stopTimer = this.metrics.searches.startTimer();
    return this.index
      .search({
        kbId,
        question,
        limit: fields.top_k ?? topK,
        filter: fields.filter,
        minScore: fields.min_score ?? minScore ?? undefined,
        ...options,
      })
      .finally(stopTimer);
  }

  /** Refuses the question without asking the model if the passages are not relevant to it. */
  async answer(asked: AnswerRequest): Promise<GeneratedAnswer> {
    const { kbId, question, found, settings, history, sampling, signal } = asked;
    const { relevance, quotation } = await this.reader.read(kbId, question, found, signal);
    const passages = isRelevant(relevance, settings.answerThreshold) ? found.passages : [];
    const request = { ...settings, question, passages, quotation, history, sampling };
    const generator = settings.model === EXTRACTIVE ? this.extractive : this.generator;
    return {
      answer: generator.generate(request),
      fallback: settings.fallbackToExtractive ? () => this.extractive.generate(request) : undefined,
    };
  }
}
