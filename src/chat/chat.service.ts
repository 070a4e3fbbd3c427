import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import type { SourceDto } from '../conversations/source.dto.js';
import { Problem } from '../http/problem.js';
import { isTypeId, newId } from '../http/type-id.js';
import { Passage, SearchIndex } from '../search/search-index.js';
import type { ChatAnswerDto, QueryAnswerDto, QueryResultDto } from './answer.dto.js';
import { ExtractiveGenerator } from './extractive-generator.js';
import type { ChatDto, QueryDto } from './question.dto.js';

const DEFAULT_TOP_K = 5;
const SNIPPET_LENGTH = 300;
const REFUSAL_TEXT = 'I could not find anything about this in the knowledge base.';

/** Brings search, answer and record together. The only orchestrator; it owns no table. */
@Injectable()
export class ChatService {
  constructor(
    private readonly index: SearchIndex,
    private readonly conversations: ConversationsService,
    private readonly generator: ExtractiveGenerator,
  ) {}

  async query({ kbId }: ApiKeyPrincipal, dto: QueryDto): Promise<QueryAnswerDto> {
    const start = performance.now();
    const passages = await this.index.search({
      kbId,
      question: dto.message,
      limit: dto.top_k ?? DEFAULT_TOP_K,
    });
    const { min_score: minScore = 0 } = dto;
    return {
      query_id: newId('query'),
      results: passages.map(toResult).filter(({ score }) => score >= minScore),
      latency_ms: since(start),
    };
  }

  async chat(apiKey: ApiKeyPrincipal, dto: ChatDto): Promise<ChatAnswerDto> {
    const start = performance.now();
    const askedAt = new Date();
    const conversationId = dto.conversation_id ?? undefined;
    if (conversationId !== undefined) {
      if (!isTypeId('conv', conversationId)) throw new Problem('not_found');
      await this.conversations.requireConversation(apiKey, conversationId);
    }
    const passages = await this.index.search({
      kbId: apiKey.kbId,
      question: dto.message,
      limit: dto.top_k ?? DEFAULT_TOP_K,
    });
    const answer = this.generator.answer(dto.message, passages);
    const outcome = {
      answer: answer ?? REFUSAL_TEXT,
      answered: answer !== undefined,
      sources: answer === undefined ? [] : passages.map(toSource),
    };
    const recorded = await this.conversations.record(apiKey, {
      ...outcome,
      conversationId,
      endUserId: dto.end_user_id ?? null,
      question: dto.message,
      askedAt,
    });
    return {
      conversation_id: recorded.conversationId,
      message_id: recorded.messageId,
      ...outcome,
      finish_reason: 'stop',
      model: this.generator.model,
      usage: null,
      latency_ms: since(start),
    };
  }
}

const since = (start: number) => Math.round(performance.now() - start);

const toResult = (passage: Passage): QueryResultDto => ({
  chunk_id: passage.chunkId,
  document_id: passage.documentId,
  document_title: passage.documentTitle,
  external_id: passage.externalId,
  source_url: passage.sourceUrl,
  page: passage.page,
  text: passage.text,
  score: passage.score,
  metadata: passage.metadata,
});

function toSource(passage: Passage, position: number): SourceDto {
  const { text, metadata, ...source } = toResult(passage);
  return { index: position + 1, ...source, snippet: snippetOf(text) };
}

/** The beginning of a passage, cut between words. */
function snippetOf(text: string): string {
  if (text.length <= SNIPPET_LENGTH) return text;
  const cut = text.slice(0, SNIPPET_LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), SNIPPET_LENGTH / 2)).toWellFormed()}…`;
}
