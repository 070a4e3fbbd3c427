import { Events } from '../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import type { SearchScope } from '@latchkey/ranking/search-index';
import { distinctNames, toPrincipals } from '../knowledge-bases/access-rules/principals.js';
import { recordAskedAs } from '../knowledge-bases/access-rules/asked-as.js';
import {
  type DashboardUser,
  getPrincipals,
} from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { newId } from '../platform/http/type-id.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { Problem } from '../platform/problems/problem.js';
import { DailyMessageLimit } from '../knowledge-bases/settings/daily-message-limit.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import type { DashboardAnswerDto, QueryAnswerDto } from './answer.dto.js';
import { AnswerPipeline } from './answer-pipeline.js';
import { type AnswerEvent, readAnswer } from './chat-event.js';
import type { DashboardChatDto, DashboardQueryDto } from './dashboard-question.dto.js';
import { millisecondsSince } from './outcome.js';
import { PassageReader, type ReadPassage } from './passage-reader.js';
import { Retriever } from './retriever.js';
import { SourceLinks } from './source-links.js';
import { toResult } from './to-source.js';
import { withOriginal, withOriginals } from './with-originals.js';

/** Settings that viewers cannot try out, because they decide what the model is made to do. */
const MEMBERS_SETTINGS = ['model', 'system_prompt', 'answer_threshold'] as const;

/** Answers the playground's questions, with settings to try out. */
@Injectable()
export class DashboardChatService {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly settings: SettingsService,
    private readonly dailyMessageLimit: DailyMessageLimit,
    private readonly retriever: Retriever,
    private readonly pipeline: AnswerPipeline,
    private readonly links: SourceLinks,
    private readonly passages: PassageReader,
    private readonly events: Events,
  ) {}

  async query(
    user: DashboardUser,
    kbId: string,
    dto: DashboardQueryDto,
    signal: AbortSignal,
  ): Promise<QueryAnswerDto> {
    const start = performance.now();
    const settings = await this.settingsFor(user, kbId, dto);
    const scope = await this.scopeFor(user, kbId, dto);
    const options = { signal };
    const found = await this.retriever.retrieve(
      [{ kbId, scope }],
      dto.message,
      settings,
      dto,
      options,
    );
    const link = withOriginal(this.links.for(user, settings));
    return {
      query_id: newId('query'),
      results: found.passages.map((passage) => link(toResult(passage, dto.tables))),
      ...(found.partial && { partial: true }),
      latency_ms: millisecondsSince(start),
    };
  }

  /** @throws Problem `not_found` for a passage that the user may not read */
  async readPassage(user: DashboardUser, kbId: string, id: string): Promise<ReadPassage> {
    const settings = await this.settingsFor(user, kbId, {});
    const scope = { principals: getPrincipals(user) };
    return this.passages.read({ kbId, scope }, id, this.links.for(user, settings));
  }

  async chat(
    user: DashboardUser,
    kbId: string,
    dto: DashboardChatDto,
    signal: AbortSignal,
    scope?: SearchScope,
  ): Promise<DashboardAnswerDto> {
    return readAnswer(await this.stream(user, kbId, dto, signal, scope));
  }

  /** @param given in which it is asked; without it, the user's or what is asked for */
  async stream(
    user: DashboardUser,
    kbId: string,
    dto: DashboardChatDto,
    clientSignal: AbortSignal,
    given?: SearchScope,
  ): Promise<AsyncIterable<AnswerEvent>> {
    const settings = await this.settingsFor(user, kbId, dto);
    const scope = given ?? (await this.scopeFor(user, kbId, dto));
    const events = await this.pipeline.stream(
      {
        asker: { kbId, scope, credential: undefined, user },
        knowledgeBases: [{ kbId, scope }],
        dto,
        settings,
        turns: dto.history ?? [],
        startedAt: performance.now(),
        clientSignal,
      },
      async ({ pending }) => {
        if (pending) await this.countMessage(user, kbId, settings);
        return undefined;
      },
    );
    return withOriginals(events, () => this.links.for(user, settings));
  }

  /** @throws Problem `insufficient_role` when a viewer sets what is the keepers' to decide */
  private async settingsFor(
    user: DashboardUser,
    kbId: string,
    { settings = {} }: Pick<DashboardQueryDto | DashboardChatDto, 'settings'>,
  ): Promise<Settings> {
    const role = await this.knowledgeBases.requireMember(user, kbId);
    if (role === 'viewer' && MEMBERS_SETTINGS.some((name) => settings[name] !== undefined)) {
      throw new Problem('insufficient_role', {
        detail: `Viewers cannot set ${MEMBERS_SETTINGS.join(', ')}.`,
      });
    }
    return this.settings.loadWith(kbId, settings);
  }

  /** @throws Problem `owner_required` when somebody else asks in another's name */
  private async scopeFor(
    user: DashboardUser,
    kbId: string,
    { principals: named, include_invalid: includesInvalid }: DashboardQueryDto | DashboardChatDto,
  ): Promise<SearchScope> {
    if (!named) return { principals: getPrincipals(user), includesInvalid };
    const options = { role: 'owner', lock: 'membership' } as const;
    await this.knowledgeBases.change(user, kbId, options, (manager) =>
      recordAskedAs(this.events, manager, user, kbId, distinctNames(named)),
    );
    return { principals: toPrincipals(named), includesInvalid };
  }

  /** Playgrounds are in no report, but their model calls cost as much as those of keys. */
  private async countMessage(
    user: DashboardUser,
    kbId: string,
    { dailyMessageLimit: limit }: Settings,
  ): Promise<void> {
    const options = { role: 'viewer', lock: 'membership' } as const;
    await this.knowledgeBases.change(user, kbId, options, (manager) =>
      this.dailyMessageLimit.count(manager, kbId, limit),
    );
  }
}
