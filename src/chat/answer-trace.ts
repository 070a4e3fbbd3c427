import { DEFAULT_THRESHOLD } from '@latchkey/quoting/confidence';
import type { FoundPassage, SearchResult } from '@latchkey/ranking/search-index';
import { toCitedDocument } from '../documents/closed-documents.js';
import { EXTRACTIVE } from '../knowledge-bases/settings/models.js';
import type { AnswerRequest } from './answer-pipeline.js';
import type { DecidedQuestion } from './compose-answer.js';
import type { Outcome } from './conversations/exchange.js';
import { isCuratedModel } from './conversations/is-curated-model.js';
import type {
  AnswerReason,
  StoredHit,
  StoredSearch,
  StoredTrace,
} from './conversations/stored-trace.js';

/** The most bytes of a stored trace. */
const MAX_BYTES = 16_000;
const MAX_TEXT_LENGTH = 300;
const MAX_SEARCHES = 12;

type Search = StoredSearch & { readonly found: StoredHit[] };

/** Records how an answer comes about, while it does; nothing is stored before the answer is. */
export class AnswerTrace {
  private readonly searches: Search[] = [];
  private decided: readonly DecidedQuestion[] = [];
  private fellBack = false;
  private beforeMs: number | undefined;
  private searchMs = 0;

  constructor(
    private readonly request: Pick<AnswerRequest, 'asker' | 'dto' | 'settings' | 'startedAt'>,
  ) {}

  /** @param planned whether a model planned the search */
  async record(
    text: string,
    search: () => Promise<SearchResult>,
    planned = false,
  ): Promise<SearchResult> {
    const begin = performance.now();
    this.beforeMs ??= begin - this.request.startedAt;
    const result = await search();
    const ms = performance.now() - begin;
    this.searchMs += ms;
    if (this.searches.length < MAX_SEARCHES) {
      this.searches.push({
        text: text.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
        planned,
        ...{ reason: null, confidence: null },
        partial: result.partial,
        lacksVectors: result.lacksVectors === true,
        ms: Math.round(ms),
        found: result.passages.map((passage) => toHit(passage, this.request.asker.kbId)),
      });
    }
    return result;
  }

  /** @param fellBack whether a model failed before */
  decide(decided: readonly DecidedQuestion[], fellBack = false): void {
    this.decided = decided;
    this.fellBack = fellBack;
  }

  /** Adds the trace to an answer that is stored. */
  addTo(outcome: Outcome): Outcome {
    return { ...outcome, trace: this.toStored(outcome) };
  }

  private toStored(outcome: Outcome): StoredTrace {
    const { settings, dto, startedAt } = this.request;
    const { model } = outcome;
    const searches = this.searches.map((search, index) => this.withReason(search, index));
    const trace = {
      reason: this.decideReason(outcome, searches),
      fellBack: this.fellBack,
      settings: {
        topK: dto.top_k ?? settings.topK,
        minScore: settings.minScore,
        answerThreshold: settings.answerThreshold ?? DEFAULT_THRESHOLD,
        effort: model === EXTRACTIVE || isCuratedModel(model) ? null : (dto.effort ?? 'low'),
        model,
      },
      beforeMs: Math.round(this.beforeMs ?? performance.now() - startedAt),
      searchMs: Math.round(this.searchMs),
      totalMs: outcome.latencyMs,
    };
    return { ...trace, searches: shorten(searches) };
  }

  private withReason(search: Search, index: number): Search {
    const decided = search.planned ? undefined : this.decided[index];
    const found = [...search.found];
    if (!decided) return { ...search, found };
    const { confidence } = decided;
    const hasMinimum = this.request.settings.minScore !== null;
    const isBelow = decided.reason === 'nothing_found' && hasMinimum;
    return { ...search, found, confidence, reason: isBelow ? 'below_min_score' : decided.reason };
  }

  private decideReason(outcome: Outcome, searches: readonly Search[]): AnswerReason {
    const { status, kind, model, answered, finishReason } = outcome;
    if (status !== 'complete') return status;
    if (kind === 'smalltalk') return 'smalltalk';
    if (kind === 'list') return 'document_list';
    if (isCuratedModel(model)) return 'curated_answer';
    if (answered) return model === EXTRACTIVE ? 'quoted' : 'written';
    const open = searches.find(({ reason }) => reason !== null && reason !== 'answered')?.reason;
    if (open && open !== 'answered') return open;
    if (finishReason === 'content_filter') return 'repeated_instructions';
    if (searches.some(({ found }) => found.length > 0)) return 'declined_by_model';
    return this.request.settings.minScore === null ? 'nothing_found' : 'below_min_score';
  }
}

function toHit(passage: FoundPassage, kbId: string): StoredHit {
  const { kbId: own, documentId, passageId, score, coverage, windows = [] } = passage;
  return {
    document: toCitedDocument({ kb_id: own, document_id: documentId }, kbId),
    chunk: passageId,
    score: round(score),
    words: round(coverage),
    meaning: windows.length > 0 ? round(Math.max(...windows.map(({ toAsked }) => toAsked))) : null,
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Leaves out the last passages of the longest lists until the searches fit. */
function shorten(searches: readonly Search[]): readonly Search[] {
  while (Buffer.byteLength(JSON.stringify(searches)) > MAX_BYTES) {
    const [longest] = searches.toSorted((one, other) => other.found.length - one.found.length);
    if (!longest || longest.found.length === 0) break;
    longest.found.splice(Math.floor(longest.found.length / 2));
  }
  return searches;
}
