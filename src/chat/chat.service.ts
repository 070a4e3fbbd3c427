import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { usedKey } from '../api-keys/api-key-verifier.js';
import { endUserOf } from '../conversations/callers-conversations.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { ExchangeRecorder } from '../conversations/exchange-recorder.js';
import type { Outcome, Turn } from '../conversations/exchange.js';
import type { SourceDto } from '../conversations/source.dto.js';
import { Problem } from '../problems/problem.js';
import { isTypeId, newId } from '../http/type-id.js';
import { Metrics } from '../metrics/metrics.js';
import { allOf } from '../search/metadata-filter.js';
import {
  type Passage,
  SearchIndex,
  type SearchQuery,
  type SearchResult,
} from '../search/search-index.js';
import { DailyMessageLimit } from '../settings/daily-message-limit.js';
import { type Settings, SettingsService } from '../settings/settings.service.js';
import { UsageRecorder } from '../usage/usage-recorder.js';
import type { ChatAnswerDto, QueryAnswerDto } from './answer.dto.js';
import {
  AnswerGenerator,
  type CompleteAnswer,
  type SamplingOptions,
  type StreamedAnswer,
} from './answer-generator.js';
import { AnswerWriter } from './answer-writer.js';
import { type ChatEvent, toEvents } from './chat-event.js';
import { EXTRACTIVE, ExtractiveGenerator } from './extractive-generator.js';
import { FOLLOW_UP_TURNS, searchText } from './follow-up.js';
import type { ChatDto, QueryDto, QuestionDto } from './question.dto.js';
import { toResult, toSource } from './to-source.js';

/** What a request gives beside its question; see openai-api/. */
export interface GivenContext {
  /** Instead of a stored conversation, oldest first. */
  readonly history?: readonly Turn[];
  /** Added to the knowledge base's own. */
  readonly instructions?: string;
  readonly sampling?: SamplingOptions;
}

/** What a search found, as it is recorded. */
interface FoundPassages {
  readonly queryId: string;
  readonly passages: readonly Passage[];
  readonly partial: boolean;
  readonly latencyMs: number;
}

/** Answers questions: searches, generates an answer and records it. */
@Injectable()
export class ChatService {
  constructor(
    private readonly index: SearchIndex,
    private readonly settings: SettingsService,
    private readonly dailyMessageLimit: DailyMessageLimit,
    private readonly conversations: ConversationsService,
    private readonly exchanges: ExchangeRecorder,
    private readonly extractive: ExtractiveGenerator,
    private readonly generator: AnswerGenerator,
    private readonly writer: AnswerWriter,
    private readonly usage: UsageRecorder,
    private readonly metrics: Metrics,
  ) {}

  async query(
    apiKey: ApiKeyPrincipal,
    dto: QueryDto,
    clientSignal: AbortSignal,
  ): Promise<QueryAnswerDto> {
    const { queryId, passages, partial, latencyMs } = await this.find(apiKey, dto, clientSignal);
    return {
      query_id: queryId,
      results: passages.map(toResult),
      ...(partial && { partial }),
      latency_ms: latencyMs,
    };
  }

  /** Finds passages, and records the request. */
  async find(
    apiKey: ApiKeyPrincipal,
    dto: QueryDto,
    clientSignal: AbortSignal,
  ): Promise<FoundPassages> {
    const start = performance.now();
    const settings = this.settings.of(apiKey.kbId);
    const { passages, partial } = await this.search(apiKey, settings, dto.message, dto, {
      signal: clientSignal,
    });
    const queryId = newId('query');
    const latencyMs = millisecondsSince(start);
    const at = new Date();
    this.usage.record({ kind: 'query', id: queryId, key: usedKey(apiKey), at, latencyMs });
    return { queryId, passages, partial, latencyMs };
  }

  async chat(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
    given: GivenContext = {},
  ): Promise<ChatAnswerDto> {
    for await (const { event, data } of await this.stream(apiKey, dto, clientSignal, given)) {
      if (event === 'message_end') return data;
    }
    throw new Error('The events of a chat answer ended without message_end');
  }

  /**
   * A request that is refused is refused before this returns; later failures are thrown by the events.
   *
   * @param clientSignal aborted when the client disconnects
   */
  async stream(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
    given: GivenContext = {},
  ): Promise<AsyncIterable<ChatEvent> | Iterable<ChatEvent>> {
    const startedAt = performance.now();
    const askedAt = new Date();
    const endUserId = endUserOf(apiKey, dto.end_user_id);
    const loadingSettings = this.settings.of(apiKey.kbId);
    const [settings, { passages, partial, history }] = await Promise.all([
      loadingSettings,
      this.searchInConversation(
        apiKey,
        { ...dto, end_user_id: endUserId },
        loadingSettings,
        clientSignal,
        given.history,
      ),
    ]);
    const generator = settings.model === EXTRACTIVE ? this.extractive : this.generator;
    const request = {
      ...settings,
      systemPrompt: joinedPrompt(settings.systemPrompt, given.instructions),
      sampling: given.sampling,
      question: dto.message,
      passages,
      history,
    };
    const answer = await generator.generate(request);
    const sources = passages.map(toSource);
    const outcome =
      'pieces' in answer
        ? pendingOutcome(answer, sources)
        : completeOutcome(answer, sources, settings.refusalText, startedAt);
    const exchange = await this.exchanges.begin(
      apiKey,
      {
        conversationId: dto.conversation_id ?? undefined,
        endUserId,
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
          clientSignal,
        })
      : toEvents(exchange, outcome, partial);
  }

  /** @returns passages for the question and its conversation, and the turns to send to the model */
  private async searchInConversation(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    settings: Promise<Settings>,
    clientSignal: AbortSignal,
    given: readonly Turn[] | undefined,
  ): Promise<SearchResult & { readonly history: Turn[] }> {
    const { conversation_id: id, end_user_id: endUserId = null, message } = dto;
    const options = { signal: clientSignal, onlyInformative: true };
    const isNew = id === undefined || id === null;
    if (isNew && !given?.length) {
      return { ...(await this.search(apiKey, settings, message, dto, options)), history: [] };
    }
    if (!isNew && !isTypeId('conv', id)) throw new Problem('not_found');
    const [{ historyMessages }] = await Promise.all([
      settings,
      isNew ? undefined : this.conversations.requireConversation(apiKey, id, endUserId),
    ]);
    const sentTurns = Math.floor(historyMessages / 2);
    const turns = isNew
      ? (given ?? [])
      : await this.conversations.history(apiKey, id, Math.max(sentTurns, FOLLOW_UP_TURNS));
    const earlier = turns.map(({ question }) => question);
    const text = searchText(message, earlier);
    const found = await this.search(apiKey, settings, text, dto, options);
    return { ...found, history: turns.slice(Math.max(0, turns.length - sentTurns)) };
  }

  private async search(
    { kbId, filter }: ApiKeyPrincipal,
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
        filter: allOf(filter, dto.filter),
        minScore: dto.min_score ?? minScore ?? undefined,
        ...options,
      })
      .finally(stopTimer);
  }
}

/** The knowledge base's own instructions come first. */
function joinedPrompt(own: string | null, given: string | undefined): string | null {
  const prompts = [own, given].filter((prompt) => prompt !== null && prompt !== undefined);
  return prompts.join('\n\n').trim() || null;
}

const millisecondsSince = (start: number) => Math.round(performance.now() - start);

/** An answer is stored as `failed` until the model has completed it. */
const pendingOutcome = ({ model }: StreamedAnswer, sources: SourceDto[]): Outcome => ({
  content: '',
  status: 'failed',
  answered: false,
  sources,
  model,
  finishReason: null,
  usage: null,
  latencyMs: null,
});

const completeOutcome = (
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
  latencyMs: millisecondsSince(startedAt),
});
