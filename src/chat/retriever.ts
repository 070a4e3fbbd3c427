import { Injectable } from '@nestjs/common';
import { diversify, CHOSEN_FROM } from '@latchkey/ranking/diversify';
import { mergeResults } from '@latchkey/ranking/merge-results';
import { findAskedYears, putNewestFirst } from '@latchkey/ranking/newest-first';
import {
  type FoundPassage,
  SearchIndex,
  type SearchQuery,
  type SearchResult,
} from '@latchkey/ranking/search-index';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { Metrics } from '../platform/metrics/metrics.js';
import type { SearchedKnowledgeBase } from './asked-knowledge-bases.js';
import type { QuestionDto } from './question.dto.js';

type SearchFields = Pick<QuestionDto, 'top_k' | 'filter' | 'diversity'> & {
  readonly min_score?: number | null;
};

/** Finds the passages for a question, in each of the knowledge bases that are asked. */
@Injectable()
export class Retriever {
  constructor(
    private readonly index: SearchIndex,
    private readonly metrics: Metrics,
  ) {}

  async retrieve(
    knowledgeBases: readonly SearchedKnowledgeBase[],
    question: string,
    settings: Pick<Settings, 'topK' | 'minScore'>,
    fields: SearchFields,
    options: Pick<SearchQuery, 'asked' | 'signal' | 'onlyInformative'>,
  ): Promise<SearchResult> {
    const stopTimer = this.metrics.searches.startTimer();
    const limit = fields.top_k ?? settings.topK;
    const minScore = fields.min_score ?? settings.minScore ?? undefined;
    const isDiverse = fields.diversity !== 'none';
    const candidates = isDiverse ? Math.max(limit, CHOSEN_FROM) : limit;
    const query = { question, limit, candidates, minScore, filter: fields.filter, ...options };
    const searches = knowledgeBases.map(({ kbId, scope }) =>
      this.index.search({ ...query, kbId, scope }),
    );
    const found = await Promise.all(searches).finally(stopTimer);
    const { passages, original, lacksVectors, ...rest } = mergeResults(found, candidates);
    const years = findAskedYears({ question, asked: options.asked });
    const sort = (some: readonly FoundPassage[]) => putNewestFirst(some, years);
    const choose = (some: readonly FoundPassage[]) =>
      isDiverse ? diversify(sort(some), limit) : sort(some).slice(0, limit);
    return {
      ...rest,
      // There may be better passages, which cannot be found by their meaning yet.
      partial: rest.partial || lacksVectors === true,
      ...(lacksVectors === true && { lacksVectors }),
      // A reranker has put the passages in their order, which their scores do not show.
      passages: original ? sort(passages).slice(0, limit) : choose(passages),
      ...(original && { original: choose(original) }),
    };
  }
}
