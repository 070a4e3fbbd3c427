import { Injectable } from '@nestjs/common';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { newId } from '../http/type-id.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { SettingsService } from '../settings/settings.service.js';
import type { DashboardAnswerDto, QueryAnswerDto } from './answer.dto.js';
import { Answering } from './answering.js';
import type { ChatEvent } from './chat-event.js';
import type { DashboardChatDto, DashboardQueryDto } from './dashboard-question.dto.js';
import { millisecondsSince } from './outcome.js';
import { toResult } from './to-source.js';
import { UnrecordedChat } from './unrecorded-chat.js';

/** Answers questions of dashboard users, with settings to try out. */
@Injectable()
export class DashboardChatService {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly settings: SettingsService,
    private readonly answering: Answering,
    private readonly unrecordedChat: UnrecordedChat,
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
    await this.knowledgeBases.requireMember(user, kbId);
    const settings = await this.settings.with(kbId, dto.settings);
    return this.unrecordedChat.chat(kbId, settings, dto, signal);
  }

  async stream(
    user: DashboardUser,
    kbId: string,
    dto: DashboardChatDto,
    signal: AbortSignal,
  ): Promise<AsyncIterable<ChatEvent> | Iterable<ChatEvent>> {
    await this.knowledgeBases.requireMember(user, kbId);
    const settings = await this.settings.with(kbId, dto.settings);
    return this.unrecordedChat.stream(kbId, settings, dto, signal);
  }
}
