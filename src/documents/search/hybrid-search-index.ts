import { OnApplicationShutdown } from '@nestjs/common';
import type { FairShare, FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { inSpan, isRecording } from '../../platform/telemetry/tracing.js';
import { Problem } from '../../platform/problems/problem.js';
import type { Embeddings } from './embeddings.js';
import { arePostingsMissing, isSearchUnavailable } from './engine/search-unavailable-error.js';
import { UnavailableLog } from './engine/unavailable-log.js';
import type { Reranker } from './reranker.js';
import {
  DocumentVersion,
  type QuestionEmbedding,
  SearchIndex,
  SearchQuery,
  SearchResult,
} from '@latchkey/ranking/search-index';
import { findAskedSentences } from '@latchkey/text/asked-sentences';
import { foldLetters } from '@latchkey/text/fold-text';
import type { VectorIndexing } from './vector-indexing.js';
import type { VectorStore } from './vector-store.js';

/** Sent as Retry-After while the search engine is unavailable. */
const RETRY_AFTER_SECONDS = '5';

/**
 * Adds vector search and reranking to a word index. Without either, it passes everything through to
 * that index.
 */
export class HybridSearchIndex extends SearchIndex implements OnApplicationShutdown {
  private readonly log = new UnavailableLog();

  constructor(
    private readonly index: SearchIndex,
    private readonly embeddings: Embeddings | null,
    private readonly reranker: Reranker | undefined,
    private readonly fairShares: FairShareLookup,
    private readonly vectors: VectorStore,
    private readonly indexing: VectorIndexing,
  ) {
    super();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.embeddings?.close?.();
  }

  override get canWrite(): boolean {
    return this.index.canWrite;
  }

  override async add(kbId: string, versions: readonly DocumentVersion[]): Promise<void> {
    await this.index.add(kbId, versions);
    await this.indexing.add(kbId, versions);
  }

  override remove(kbId: string, passageNumbers: number[]): Promise<void> {
    return this.index.remove(kbId, passageNumbers);
  }

  override async drop(kbId: string): Promise<void> {
    await this.index.drop(kbId);
    // Runs last, since operations before it may still have created the index.
    await this.vectors.dropOwn(kbId);
  }

  override async search(query: SearchQuery): Promise<SearchResult> {
    try {
      return await this.searchInSpan(query).catch((error: unknown) => {
        // If the postings were moved in the meantime, a second search finds them.
        if (arePostingsMissing(error)) return this.searchInSpan(query);
        throw error;
      });
    } catch (error) {
      if (!isSearchUnavailable(error)) throw error;
      this.log.note(error);
      throw new Problem('search_unavailable', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
    }
  }

  private searchInSpan(query: SearchQuery): Promise<SearchResult> {
    if (!isRecording()) return this.findAndRerank(query);
    const attributes = { 'latchkey.search.limit': query.limit };
    return inSpan('search', { attributes }, async (span) => {
      const result = await this.findAndRerank(query);
      span?.setAttributes({
        'latchkey.search.passages': result.passages.length,
        'latchkey.search.partial': result.partial,
      });
      return result;
    });
  }

  private async findAndRerank(query: SearchQuery): Promise<SearchResult> {
    if (!this.reranker) return this.find(query);
    const found = await this.find({
      ...query,
      candidates: Math.max(query.candidates ?? 0, this.reranker.candidatesFor(query.kbId) ?? 0),
    });
    return this.reranker.rerank(query, found);
  }

  private async find(query: SearchQuery): Promise<SearchResult> {
    if (!this.embeddings) return this.index.search(query);
    const fairShare = await this.fairShares.findFairShare(query.kbId);
    const { question, asked = findAskedSentences(question) } = query;
    const embedding = await this.embed({ question, asked }, fairShare);
    const found = await this.index.search({ ...query, asked, embedding });
    const corrected = embedding && correctedQuestion({ question, asked }, found);
    if (!corrected) return { ...found, embedding };
    const meant = await this.embed(corrected, fairShare);
    return {
      ...(await this.index.search({ ...query, asked, embedding: meant })),
      embedding: meant,
    };
  }

  private async embed(
    { question, asked }: { readonly question: string; readonly asked: string },
    fairShare: FairShare,
  ): Promise<QuestionEmbedding | undefined> {
    if (this.embeddings?.model === undefined) return undefined;
    const whole = this.embeddings.embedQuestion(question, fairShare);
    const ofAsked = asked === question ? whole : this.embeddings.embedQuestion(asked, fairShare);
    const { model } = this.embeddings;
    return { model, asked: await ofAsked, whole: await whole };
  }
}

/** A shorter unknown word is as likely to be another word as a misspelling. */
const MIN_MISSPELT = 5;

/**
 * Corrects misspelt words in a question, since models handle them badly. Words of another language than
 * the documents' look like misspellings too, so most words must be known.
 */
function correctedQuestion(
  { question, asked }: { readonly question: string; readonly asked: string },
  { terms, corrections = new Map<string, string>() }: SearchResult,
): { readonly question: string; readonly asked: string } | undefined {
  const misspelt = [...corrections.keys()].filter((word) => word.length >= MIN_MISSPELT);
  const known = terms.filter(({ word, isKnown }) => isKnown && !corrections.has(word));
  if (misspelt.length === 0 || known.length < corrections.size) return undefined;
  const meant = new Map(misspelt.map((word) => [word, corrections.get(word)]));
  const correct = (text: string) =>
    text.replace(/[\p{L}\p{M}]+/gu, (word) => meant.get(foldLetters(word.toLowerCase())) ?? word);
  return { question: correct(question), asked: correct(asked) };
}
