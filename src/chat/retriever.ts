import { Injectable } from '@nestjs/common';
import { mergeResults } from '@latchkey/ranking/merge-results';
import { SearchIndex, type SearchQuery, type SearchResult } from '@latchkey/ranking/search-index';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { Metrics } from '../platform/metrics/metrics.js';
import type { SearchedKnowledgeBase } from './asked-knowledge-bases.js';
import type { QuestionDto } from './question.dto.js';

type SearchFields = Pick<QuestionDto, 'top_k' | 'filter'> & { readonly min_score?: number | null };

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
    options: Pick<SearchQuery, 'asked' | 'signal' | 'onlyInformative' | 'withSentences'>,
  ): Promise<SearchResult> {
    const stopTimer = this.metrics.searches.startTimer();
    const limit = fields.top_k ?? settings.topK;
    const minScore = fields.min_score ?? settings.minScore ?? undefined;
    const query = { question, limit, minScore, filter: fields.filter, ...options };
    const searches = knowledgeBases.map(({ kbId, scope }) =>
      this.index.search({ ...query, kbId, scope }),
    );
    return Promise.all(searches)
      .then((results) => mergeResults(results, limit))
      .finally(stopTimer);
  }
}
