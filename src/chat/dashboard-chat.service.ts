import { Injectable } from '@nestjs/common';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { newId } from '../http/type-id.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { SettingsService } from '../settings/settings.service.js';
import type { DashboardAnswerDto, QueryAnswerDto } from './answer.dto.js';
import { Answering } from './answering.js';
import { AnswerWriter } from './answer-writer.js';
import { type ChatEvent, NOT_KEPT, toEvents } from './chat-event.js';
import type { DashboardChatDto, DashboardQueryDto } from './dashboard-question.dto.js';
import { completeOutcome, millisecondsSince, pendingOutcome } from './outcome.js';
import { toResult, toSource } from './to-source.js';

/** Answers questions of dashboard users. Nothing of them is stored or counted. */
@Injectable()
export class DashboardChatService {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly settings: SettingsService,
    private readonly answering: Answering,
    private readonly writer: AnswerWriter,
  ) {}

  async query(
    user: DashboardUser,
    kbId: string,
    dto: DashboardQueryDto,
    signal: AbortSignal,
  ): Promise<QueryAnswerDto> {
    const start = performance.now();
    await this.knowledgeBases.requireMember(user, kbId);
    const settings = await this.settings.with(kbId, dto.settings);
    const found = await this.answering.search(kbId, dto.message, settings, dto, { signal });
    return {
      query_id: newId('query'),
      results: found.passages.map(toResult),
      ...(found.partial && { partial: true }),
      latency_ms: millisecondsSince(start),
    };
  }

  async chat(
    user: DashboardUser,
    kbId: string,
    dto: DashboardChatDto,
    signal: AbortSignal,
  ): Promise<DashboardAnswerDto> {
    for await (const { event, data } of await this.stream(user, kbId, dto, signal)) {
      if (event === 'message_end') return data;
    }
    throw new Error('The events of an answer ended without message_end');
  }

  /**
   * A request that is refused is refused before this returns; later failures are thrown by the events.
   *
   * @param clientSignal aborted when the client disconnects
   */
  async stream(
    user: DashboardUser,
    kbId: string,
    dto: DashboardChatDto,
    clientSignal: AbortSignal,
  ): Promise<AsyncIterable<ChatEvent> | Iterable<ChatEvent>> {
    const startedAt = performance.now();
    await this.knowledgeBases.requireMember(user, kbId);
    const settings = await this.settings.with(kbId, dto.settings);
    const options = { signal: clientSignal, onlyInformative: true };
    const found = await this.answering.search(kbId, dto.message, settings, dto, options);
    const request = { question: dto.message, found, settings, history: [] };
    const { answer, fallback } = await this.answering.answer(request);
    const sources = found.passages.map(toSource);
    const { partial } = found;
    const { refusalText } = settings;
    if (!('pieces' in answer)) {
      const outcome = completeOutcome(answer, sources, refusalText, startedAt);
      return toEvents(NOT_KEPT, outcome, partial);
    }
    return this.writer.write({
      exchange: undefined,
      answer,
      outcome: pendingOutcome(answer, sources),
      partial,
      refusalText,
      streamed: dto.stream === true,
      fallback,
      startedAt,
      clientSignal,
    });
  }
}
