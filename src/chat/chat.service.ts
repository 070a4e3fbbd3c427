import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ApiKeyPrincipal, scopeOf } from '../api-keys/api-key-principal.js';
import { EndUserLimit } from '../api-keys/end-user-limit.js';
import { usedKey } from '../api-keys/key-uses.js';
import { endUserOf } from './conversations/callers-conversations.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { ExchangeRecorder } from './conversations/exchange-recorder.js';
import type { Question, Turn } from './conversations/exchange.js';
import { Problem } from '../platform/problems/problem.js';
import { isTypeId, newId } from '../platform/http/type-id.js';
import { askedSentences } from '@latchkey/text/asked-sentences';
import type { FoundPassage } from '@latchkey/ranking/search-index';
import { DailyMessageLimit } from '../knowledge-bases/settings/daily-message-limit.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import { UsageRecorder } from '../activity/usage/usage-recorder.js';
import type { ChatAnswerDto, QueryAnswerDto } from './answer.dto.js';
import type { SamplingOptions } from './answer-generator.js';
import { Answering } from './answering.js';
import { AnswerWriter } from './answer-writer.js';
import { type ChatEvent, toEvents } from './chat-event.js';
import { ChatPipeline, sentTurns } from './chat-pipeline.js';
import { FOLLOW_UP_TURNS } from '@latchkey/quoting/follow-up';
import { millisecondsSince } from './outcome.js';
import type { ChatDto, QueryDto } from './question.dto.js';
import { type LinkTo, OriginalLinks } from '../documents/originals/original-links.js';
import { toResult } from './to-source.js';
import { withOriginal, withOriginals } from './with-originals.js';

/** What a request of OpenAI's protocol contains beside its question. */
export interface GivenContext {
  /** Earlier turns in place of a stored conversation, oldest first. */
  readonly history?: readonly Turn[];
  /** Added to the knowledge base's own instructions. */
  readonly instructions?: string;
  readonly sampling?: SamplingOptions;
}

/** The result of a search that was recorded. */
interface FoundPassages {
  readonly queryId: string;
  readonly passages: readonly FoundPassage[];
  readonly partial: boolean;
  readonly latencyMs: number;
  readonly linkTo: LinkTo;
}

/** Answers questions: searches, generates an answer and records it. */
@Injectable()
export class ChatService {
  constructor(
    private readonly answering: Answering,
    private readonly pipeline: ChatPipeline,
    private readonly settings: SettingsService,
    private readonly endUserLimit: EndUserLimit,
    private readonly dailyMessageLimit: DailyMessageLimit,
    private readonly conversations: ConversationsService,
    private readonly exchanges: ExchangeRecorder,
    private readonly writer: AnswerWriter,
    private readonly usage: UsageRecorder,
    private readonly originals: OriginalLinks,
  ) {}

  async query(
    apiKey: ApiKeyPrincipal,
    dto: QueryDto,
    clientSignal: AbortSignal,
  ): Promise<QueryAnswerDto> {
    const found = await this.find(apiKey, dto, clientSignal);
    const { queryId, passages, partial, latencyMs, linkTo } = found;
    const link = withOriginal(linkTo);
    return {
      query_id: queryId,
      results: passages.map((passage) => link(toResult(passage, dto.tables))),
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
    const { kbId, settings } = apiKey;
    const { message } = dto;
    const options = {
      asked: askedSentences(message),
      signal: clientSignal,
      scope: scopeOf(apiKey),
    };
    const { passages, partial } = await this.answering.search(
      kbId,
      message,
      settings,
      dto,
      options,
    );
    const queryId = newId('query');
    const latencyMs = millisecondsSince(start);
    const at = new Date();
    this.usage.record({ kind: 'query', id: queryId, key: usedKey(apiKey), at, latencyMs });
    const linkTo = this.originals.for(apiKey, settings);
    return { queryId, passages, partial, latencyMs, linkTo };
  }

  async chat(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
    given: GivenContext = {},
  ): Promise<ChatAnswerDto> {
    for await (const { event, data } of await this.stream(apiKey, dto, clientSignal, given)) {
      if (event === 'message_end') return data as ChatAnswerDto;
    }
    throw new Error('The events of a chat answer ended without message_end');
  }

  /**
   * Rejects a request before it returns, if at all; later failures are thrown while the events are read.
   *
   * @param clientSignal aborted when the client disconnects
   */
  async stream(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
    given: GivenContext = {},
  ): Promise<AsyncIterable<ChatEvent>> {
    const startedAt = performance.now();
    const askedAt = new Date();
    const endUserId = endUserOf(apiKey, dto.end_user_id);
    await this.endUserLimit.count(apiKey, endUserId);
    const stored = this.settings.withAllowedModel(apiKey.settings);
    const settings = {
      ...stored,
      systemPrompt: joinedPrompt(stored.systemPrompt, given.instructions),
    };
    const question = {
      conversationId: dto.conversation_id ?? undefined,
      endUserId,
      content: dto.message,
      askedAt,
    };
    const turns = await this.turnsBefore(apiKey, question, settings, given.history ?? []);
    const { pending, ...reply } = await this.pipeline.reply({
      kbId: apiKey.kbId,
      scope: scopeOf(apiKey),
      dto,
      settings,
      turns,
      sampling: given.sampling,
      startedAt,
      clientSignal,
    });
    const countMessage = (manager: EntityManager) =>
      this.dailyMessageLimit.count(manager, apiKey.kbId, settings.dailyMessageLimit);
    const asks = reply.outcome.kind !== 'smalltalk';
    const { outcome, partial } = reply;
    const exchange = await this.exchanges.begin(
      apiKey,
      question,
      outcome,
      asks ? { expected: pending?.expected, countMessage } : undefined,
    );
    const newLinks = () => this.originals.for(apiKey, settings);
    if (!pending) return withOriginals(toEvents(exchange, outcome, partial), newLinks);
    const { kbId, principals } = apiKey;
    const writing = {
      ...reply,
      kbId,
      principals,
      exchange,
      answer: pending,
      streamed: dto.stream === true,
    };
    return withOriginals(this.writer.write({ ...writing, startedAt, clientSignal }), newLinks);
  }

  /**
   * @param given in place of a stored conversation
   * @returns the turns before a question, oldest first
   */
  private async turnsBefore(
    apiKey: ApiKeyPrincipal,
    { conversationId: id, endUserId }: Question,
    settings: Settings,
    given: readonly Turn[],
  ): Promise<readonly Turn[]> {
    if (id === undefined) return given;
    if (!isTypeId('conv', id)) throw new Problem('not_found');
    await this.conversations.requireConversation(apiKey, id, endUserId);
    const limit = Math.max(sentTurns(settings), FOLLOW_UP_TURNS);
    return this.conversations.history(apiKey, id, limit);
  }
}

/** The knowledge base's own instructions come first. */
function joinedPrompt(own: string | null, given: string | undefined): string | null {
  const prompts = [own, given].filter((prompt) => prompt !== null && prompt !== undefined);
  return prompts.join('\n\n').trim() || null;
}
