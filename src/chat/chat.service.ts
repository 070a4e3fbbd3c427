import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../api-keys/api-key-verifier.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { ExchangeRecorder, type Outcome, type Turn } from '../conversations/exchange-recorder.js';
import type { SourceDto } from '../conversations/source.dto.js';
import { Problem } from '../problems/problem.js';
import { isTypeId, newId } from '../http/type-id.js';
import { Metrics } from '../metrics/metrics.js';
import { SearchIndex, type SearchQuery, type SearchResult } from '../search/search-index.js';
import { DailyMessageLimit } from '../settings/daily-message-limit.js';
import { type Settings, SettingsService } from '../settings/settings.service.js';
import { QueryRecorder } from '../usage/query-recorder.js';
import type { ChatAnswerDto, QueryAnswerDto } from './answer.dto.js';
import { AnswerGenerator, type CompleteAnswer, type StreamedAnswer } from './answer-generator.js';
import { AnswerWriter } from './answer-writer.js';
import { type ChatEvent, toEvents } from './chat-event.js';
import { EXTRACTIVE, ExtractiveGenerator } from './extractive-generator.js';
import { FOLLOW_UP_TURNS, searchText } from './follow-up.js';
import type { ChatDto, QueryDto, QuestionDto } from './question.dto.js';
import { toResult, toSource } from './to-source.js';

/** Brings search, answer and record together. The only orchestrator; it owns no table. */
@Injectable()
export class ChatService {
  constructor(
    private readonly index: SearchIndex,
    private readonly settings: SettingsService,
    private readonly dailyMessageLimit: DailyMessageLimit,
    private readonly conversations: ConversationsService,
    private readonly recorder: ExchangeRecorder,
    private readonly extractive: ExtractiveGenerator,
    private readonly configured: AnswerGenerator,
    private readonly writer: AnswerWriter,
    private readonly queries: QueryRecorder,
    private readonly metrics: Metrics,
  ) {}

  async query(apiKey: ApiKeyPrincipal, dto: QueryDto, left: AbortSignal): Promise<QueryAnswerDto> {
    const start = performance.now();
    const settings = this.settings.of(apiKey.kbId);
    const { passages, partial } = await this.search(apiKey, settings, dto.message, dto, {
      signal: left,
    });
    const answer = {
      query_id: newId('query'),
      results: passages.map(toResult),
      ...(partial && { partial }),
      latency_ms: since(start),
    };
    await this.queries.record({
      id: answer.query_id,
      key: apiKey,
      at: new Date(),
      latencyMs: answer.latency_ms,
    });
    return answer;
  }

  async chat(apiKey: ApiKeyPrincipal, dto: ChatDto, left: AbortSignal): Promise<ChatAnswerDto> {
    for await (const { event, data } of await this.stream(apiKey, dto, left)) {
      if (event === 'message_end') return data;
    }
    throw new Error('An answer that does not fail has an end');
  }

  /**
   * Whatever can be refused is refused before this returns; from then on there is an answer, which
   * may still fail.
   *
   * @param left aborted when the client leaves
   */
  async stream(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    left: AbortSignal,
  ): Promise<AsyncIterable<ChatEvent> | Iterable<ChatEvent>> {
    const startedAt = performance.now();
    const askedAt = new Date();
    const loading = this.settings.of(apiKey.kbId);
    const [settings, { passages, partial, history }] = await Promise.all([
      loading,
      this.find(apiKey, dto, loading, left),
    ]);
    const generator = settings.model === EXTRACTIVE ? this.extractive : this.configured;
    const request = { ...settings, question: dto.message, passages, history };
    const answer = await generator.generate(request);
    const sources = passages.map(toSource);
    const outcome =
      'pieces' in answer
        ? unwritten(answer, sources)
        : ready(answer, sources, settings.refusalText, startedAt);
    const exchange = await this.recorder.begin(
      apiKey,
      {
        conversationId: dto.conversation_id ?? undefined,
        endUserId: dto.end_user_id ?? null,
        content: dto.message,
        askedAt,
      },
      outcome,
      (manager) => this.dailyMessageLimit.count(manager, apiKey.kbId, settings.dailyMessageLimit),
    );
    return 'pieces' in answer
      ? this.writer.write({
          exchange,
          answer,
          outcome,
          partial,
          refusalText: settings.refusalText,
          streamed: dto.stream === true,
          fallback: settings.fallbackToExtractive
            ? () => this.extractive.generate(request)
            : undefined,
          startedAt,
          left,
        })
      : toEvents(exchange, outcome, partial);
  }

  /** The passages for a question in its conversation, and as much of that as the model is told. */
  private async find(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    settings: Promise<Settings>,
    left: AbortSignal,
  ): Promise<SearchResult & { readonly history: Turn[] }> {
    const { conversation_id: id, message } = dto;
    const sources = { signal: left, onlyInformative: true };
    if (id === undefined || id === null) {
      return { ...(await this.search(apiKey, settings, message, dto, sources)), history: [] };
    }
    if (!isTypeId('conv', id)) throw new Problem('not_found');
    const [{ historyMessages }] = await Promise.all([
      settings,
      this.conversations.requireConversation(apiKey, id),
    ]);
    const told = Math.floor(historyMessages / 2);
    const turns = await this.recorder.history(id, Math.max(told, FOLLOW_UP_TURNS));
    const earlier = turns.map(({ question }) => question);
    const text = searchText(message, earlier);
    const found = await this.search(apiKey, settings, text, dto, sources);
    return { ...found, history: turns.slice(Math.max(0, turns.length - told)) };
  }

  private async search(
    { kbId }: ApiKeyPrincipal,
    settings: Promise<Settings>,
    question: string,
    dto: QuestionDto & { readonly min_score?: number | null },
    options: Pick<SearchQuery, 'signal' | 'onlyInformative'>,
  ): Promise<SearchResult> {
    const { topK, minScore } = await settings;
    const stopTimer = this.metrics.searches.startTimer();
    return this.index
      .search({
        kbId,
        question,
        limit: dto.top_k ?? topK,
        filter: dto.filter,
        minScore: dto.min_score ?? minScore ?? undefined,
        ...options,
      })
      .finally(stopTimer);
  }
}

const since = (start: number) => Math.round(performance.now() - start);

const unwritten = ({ model }: StreamedAnswer, sources: SourceDto[]): Outcome => ({
  content: '',
  status: 'failed',
  answered: false,
  sources,
  model,
  finishReason: null,
  usage: null,
  latencyMs: null,
});

const ready = (
  { model, text }: CompleteAnswer,
  sources: SourceDto[],
  refusalText: string,
  startedAt: number,
): Outcome => ({
  content: text ?? refusalText,
  status: 'complete',
  answered: text !== undefined,
  sources: text === undefined ? [] : sources,
  model,
  finishReason: 'stop',
  usage: null,
  latencyMs: since(startedAt),
});
