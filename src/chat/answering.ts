import { Inject, Injectable } from '@nestjs/common';
import type { Turn } from './conversations/exchange.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { SearchIndex, type SearchQuery, type SearchResult } from '@latchkey/ranking/search-index';
import { mergeResults } from '@latchkey/ranking/merge-results';
import { EXTRACTIVE } from '../knowledge-bases/settings/models.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import type { SearchedKnowledgeBase } from './asked-knowledge-bases.js';
import { AnswerGenerator, type ModelAnswer, type SamplingOptions } from './answer-generator.js';
import type { SourceDto } from './conversations/source.dto.js';
import { NeighbouringPassages } from '../documents/neighbouring-passages.js';
import { PassageReader } from './passage-reader.js';
import type { ModelPassage } from './prompt.js';
import type { QuestionDto } from './question.dto.js';
import { MAX_WORDS } from '@latchkey/quoting/spans';
import { composeAnswer, type FoundQuestion } from './compose-answer.js';
import { toSources } from './to-source.js';

type SearchFields = Pick<QuestionDto, 'top_k' | 'filter'> & { readonly min_score?: number | null };

/** How many of the best passages the model gets together with the texts around them. */
const WITH_NEIGHBOURS = 2;

interface AnswerRequest {
  readonly kbId: string;
  /** The whole message. */
  readonly question: string;
  /** The questions in the message. */
  readonly questions: readonly FoundQuestion[];
  /** The passages found for all questions. */
  readonly found: SearchResult;
  readonly settings: Settings;
  /** Earlier questions and answers, oldest first. */
  readonly history: readonly Turn[];
  readonly sampling?: SamplingOptions | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** An answer that is complete, because no model writes it. */
export interface CompleteAnswer {
  readonly model: string;
  /** Undefined if the passages do not answer the question. */
  readonly text: string | undefined;
  readonly sources: SourceDto[];
  /** Whether one of several questions has no answer. */
  readonly isPartial: boolean;
  /** Passages that may help where there is no text, or with the questions that have no answer. */
  readonly related: SourceDto[];
}

/** An answer that a model has yet to write. */
export interface PendingAnswer extends ModelAnswer {
  readonly passages: readonly ModelPassage[];
  readonly sources: SourceDto[];
  /** Whether the passages are quoted if the model fails. */
  readonly fallsBack: boolean;
  /** Quotes an answer from the passages, without the model. */
  quote(): Promise<CompleteAnswer>;
}

/** Searches and generates answers for /chat, /query, the playground and evaluations. It stores nothing. */
@Injectable()
export class Answering {
  constructor(
    private readonly index: SearchIndex,
    private readonly reader: PassageReader,
    @Inject(AnswerGenerator) private readonly generator: AnswerGenerator | null,
    private readonly neighbours: NeighbouringPassages,
    private readonly metrics: Metrics,
  ) {}

  async search(
    places: readonly SearchedKnowledgeBase[],
    question: string,
    settings: Pick<Settings, 'topK' | 'minScore'>,
    fields: SearchFields,
    options: Pick<SearchQuery, 'asked' | 'signal' | 'onlyInformative' | 'withSentences'>,
  ): Promise<SearchResult> {
    const stopTimer = this.metrics.searches.startTimer();
    const limit = fields.top_k ?? settings.topK;
    const minScore = fields.min_score ?? settings.minScore ?? undefined;
    const query = { question, limit, minScore, filter: fields.filter, ...options };
    const searches = places.map(({ kbId, scope }) => this.index.search({ ...query, kbId, scope }));
    return Promise.all(searches)
      .then((results) => mergeResults(results, limit))
      .finally(stopTimer);
  }

  /** Whether a language model answers. */
  hasModel({ model }: Pick<Settings, 'model'>): boolean {
    return this.generator !== null && model !== EXTRACTIVE;
  }

  /** Answers a question. If there is a model, it decides itself whether the passages answer the question. */
  async answer(asked: AnswerRequest): Promise<CompleteAnswer | PendingAnswer> {
    const { found, settings } = asked;
    const { generator } = this;
    if (generator === null || settings.model === EXTRACTIVE) return this.quote(asked);
    if (found.passages.length === 0) {
      return {
        model: generator.chooseModel(settings.model),
        text: undefined,
        isPartial: false,
        sources: [],
        related: [],
      };
    }
    const { question, history, sampling } = asked;
    const best = found.passages.slice(0, WITH_NEIGHBOURS).map(({ passageId }) => passageId);
    const neighbours = await this.neighbours.findNeighbours(best);
    const passages = found.passages.map((passage) => ({
      ...passage,
      ...neighbours.get(passage.passageId),
    }));
    return {
      ...generator.generate({ ...settings, question, passages, history, sampling }),
      passages,
      sources: toSources(found.passages),
      fallsBack: settings.fallbackToExtractive,
      quote: () => this.quote(asked),
    };
  }

  private async quote(asked: AnswerRequest): Promise<CompleteAnswer> {
    const { kbId, question, found, settings, signal } = asked;
    const questions = [];
    const maxWords = Math.floor(MAX_WORDS / asked.questions.length);
    for (const one of asked.questions) {
      const message = { question, asked: one.asked, context: one.context, maxWords };
      const reading = await this.reader.read(kbId, message, one.found, signal);
      questions.push({ ...one, reading });
    }
    return composeAnswer(questions, found, settings.answerThreshold);
  }
}
