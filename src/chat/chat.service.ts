import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { toUsedKey } from '../api-keys/key-uses.js';
import type { CountingKnowledgeBase } from '../api-keys/budgets.js';
import { RequestLimits } from '../api-keys/request-limits.js';
import { requireEndUser } from './conversations/callers-conversations.js';
import { ConversationStore } from './conversations/conversation-store.js';
import type { Conversation } from './conversations/conversation.entity.js';
import type { ConversationTurn } from './conversations/exchange.js';
import { Problem } from '../platform/problems/problem.js';
import { isTypeId, newId } from '../platform/http/type-id.js';
import { findAskedSentences } from '@latchkey/text/asked-sentences';
import type { FoundPassage } from '@latchkey/ranking/search-index';
import { DailyMessageLimit } from '../knowledge-bases/settings/daily-message-limit.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import { UsageRecorder } from '../usage/usage-recorder.js';
import type { ChatAnswerDto, QueryAnswerDto } from './answer.dto.js';
import type { SamplingOptions } from './answer-generator.js';
import { AnswerPipeline, sentTurns } from './answer-pipeline.js';
import { type AskedKnowledgeBase, AskedKnowledgeBases } from './asked-knowledge-bases.js';
import { type AnswerEvent, readAnswer } from './chat-event.js';
import { FOLLOW_UP_TURNS } from '@latchkey/quoting/follow-up';
import { millisecondsSince } from './outcome.js';
import { PassageReader, type ReadPassage } from './passage-reader.js';
import type { ChatDto, QueryDto } from './question.dto.js';
import { Retriever } from './retriever.js';
import { toResult } from './to-source.js';
import { type SourceLink, withOriginal, withOriginals } from './with-originals.js';

/** Parts of a request in OpenAI's protocol besides its question. */
export interface GivenContext {
  /** Earlier turns in place of a stored conversation, oldest first. */
  readonly history?: readonly ConversationTurn[];
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
  readonly linkTo: SourceLink;
}

/** Answers the questions of partners: searches, or has an answer made and stores it. */
@Injectable()
export class ChatService {
  constructor(
    private readonly retriever: Retriever,
    private readonly pipeline: AnswerPipeline,
    private readonly settings: SettingsService,
    private readonly limits: RequestLimits,
    private readonly dailyMessageLimit: DailyMessageLimit,
    private readonly conversations: ConversationStore,
    private readonly usage: UsageRecorder,
    private readonly askedKnowledgeBases: AskedKnowledgeBases,
    private readonly passages: PassageReader,
  ) {}

  async query(
    apiKey: ApiKeyPrincipal,
    dto: QueryDto,
    clientSignal: AbortSignal,
  ): Promise<QueryAnswerDto> {
    const found = await this.findPassages(apiKey, dto, clientSignal);
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
  async findPassages(
    apiKey: ApiKeyPrincipal,
    dto: QueryDto,
    clientSignal: AbortSignal,
  ): Promise<FoundPassages> {
    const start = performance.now();
    const { settings } = apiKey;
    const { message } = dto;
    const options = { asked: findAskedSentences(message), signal: clientSignal };
    const knowledgeBases = await this.askedKnowledgeBases.resolve(
      apiKey,
      'query',
      apiKey.endUserId ?? null,
      dto.kb_ids,
    );
    const { passages, partial } = await this.retriever.retrieve(
      knowledgeBases,
      message,
      settings,
      dto,
      options,
    );
    const queryId = newId('query');
    const latencyMs = millisecondsSince(start);
    const at = new Date();
    for (const { kbId } of knowledgeBases) {
      const key = toUsedKey({ ...apiKey, kbId });
      this.usage.record({ kind: 'query', id: queryId, key, at, latencyMs });
    }
    const linkTo = this.askedKnowledgeBases.linksFor(apiKey, knowledgeBases);
    return { queryId, passages, partial, latencyMs, linkTo };
  }

  /** @throws Problem `not_found` for a passage that the credential could not find */
  async readPassage(apiKey: ApiKeyPrincipal, id: string): Promise<ReadPassage> {
    const endUserId = apiKey.endUserId ?? null;
    const kbId = await this.passages.requireKnowledgeBase(id);
    const [granted] = await this.askedKnowledgeBases.resolve(apiKey, 'query', endUserId, [kbId]);
    if (!granted) throw new Problem('not_found');
    const linkTo = this.askedKnowledgeBases.linksFor(apiKey, [granted]);
    return this.passages.read(granted, id, linkTo);
  }

  async chat(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
    given: GivenContext = {},
  ): Promise<ChatAnswerDto> {
    const events = await this.stream(apiKey, dto, clientSignal, given);
    // The answer is stored, so it has ids.
    return (await readAnswer(events)) as ChatAnswerDto;
  }

  /**
   * Answers a question as a stream of events. A request is rejected before this returns; later failures are
   * thrown while the events are read.
   *
   * @param clientSignal aborted when the client disconnects
   */
  async stream(
    apiKey: ApiKeyPrincipal,
    dto: ChatDto,
    clientSignal: AbortSignal,
    given: GivenContext = {},
  ): Promise<AsyncIterable<AnswerEvent>> {
    const startedAt = performance.now();
    const askedAt = new Date();
    const endUserId = requireEndUser(apiKey, dto.end_user_id);
    await this.limits.countEndUser(apiKey, endUserId);
    const stored = this.settings.withAllowedModel(apiKey.settings);
    const settings = {
      ...stored,
      systemPrompt: joinPrompts(stored.systemPrompt, given.instructions),
    };
    const conversation = await this.findConversation(apiKey, dto, endUserId);
    const knowledgeBases = await this.askedKnowledgeBases.resolve(
      apiKey,
      'chat',
      endUserId,
      dto.kb_ids ?? keepOpenKnowledgeBases(apiKey, conversation),
    );
    const kbIds = knowledgeBases.map(({ kbId }) => kbId);
    const question = {
      conversationId: conversation?.id,
      endUserId,
      content: dto.message,
      askedAt,
      namedKbIds: dto.kb_ids ?? null,
      askedKbIds: kbIds,
    };
    const turns = conversation
      ? await this.loadTurns(apiKey, conversation.id, settings)
      : (given.history ?? []);
    const counting = listCountingKnowledgeBases(apiKey, knowledgeBases);
    const countMessage = (manager: EntityManager) => this.countMessage(manager, counting);
    const { kbId, principals, filter } = apiKey;
    const events = await this.pipeline.stream(
      {
        asker: {
          kbId,
          scope: { principals, filter },
          credential: { apiKey, kbIds },
          user: undefined,
        },
        knowledgeBases,
        dto: apiKey.clientToken?.hasLowEffort === true ? { ...dto, effort: 'low' } : dto,
        settings,
        turns,
        sampling: given.sampling,
        startedAt,
        clientSignal,
      },
      ({ outcome, pending, trace }) =>
        this.conversations.begin(
          apiKey,
          question,
          trace.addTo(outcome),
          outcome.kind === 'smalltalk'
            ? undefined
            : { expected: pending?.reserved, counting, countMessage },
        ),
    );
    return withOriginals(events, () => this.askedKnowledgeBases.linksFor(apiKey, knowledgeBases));
  }

  /** @throws Problem `not_found` for one that may not be continued */
  private async findConversation(
    apiKey: ApiKeyPrincipal,
    { conversation_id: id }: ChatDto,
    endUserId: string | null,
  ): Promise<Conversation | undefined> {
    if (id === undefined || id === null) return undefined;
    if (!isTypeId('conv', id)) throw new Problem('not_found');
    return this.conversations.requireConversation(apiKey, id, endUserId);
  }

  /** @returns the turns before a question, oldest first */
  private loadTurns(
    apiKey: ApiKeyPrincipal,
    conversationId: string,
    settings: Settings,
  ): Promise<readonly ConversationTurn[]> {
    const limit = Math.max(sentTurns(settings), FOLLOW_UP_TURNS);
    return this.conversations.loadTurns(apiKey, conversationId, limit);
  }

  private async countMessage(
    manager: EntityManager,
    counting: readonly CountingKnowledgeBase[],
  ): Promise<void> {
    for (const { kbId, settings } of counting) {
      await this.dailyMessageLimit.count(manager, kbId, settings.dailyMessageLimit);
    }
  }
}

/**
 * The knowledge bases in which a message counts: the main one, to which it belongs, and each that is asked.
 * They are sorted, so that parallel transactions cannot deadlock.
 */
const listCountingKnowledgeBases = (
  { kbId, settings }: ApiKeyPrincipal,
  knowledgeBases: readonly AskedKnowledgeBase[],
): CountingKnowledgeBase[] =>
  [{ kbId, settings }, ...knowledgeBases.filter((other) => other.kbId !== kbId)].sort(
    (one, other) => (one.kbId < other.kbId ? -1 : 1),
  );

/**
 * A conversation continues with the knowledge bases it began with, except those removed from the key since.
 */
function keepOpenKnowledgeBases(
  { grants }: ApiKeyPrincipal,
  conversation: Conversation | undefined,
): string[] | undefined {
  const named = conversation?.kbIds;
  if (!named) return undefined;
  const open = named.filter((id) => grants.some(({ kbId }) => kbId === id));
  if (open.length === 0) throw new Problem('not_found');
  return open;
}

/** Joins the instructions, those of the knowledge base first. */
function joinPrompts(own: string | null, given: string | undefined): string | null {
  const prompts = [own, given].filter((prompt) => prompt !== null && prompt !== undefined);
  return prompts.join('\n\n').trim() || null;
}
