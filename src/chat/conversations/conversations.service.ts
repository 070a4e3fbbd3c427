import { Events } from '../../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, MoreThanOrEqual, Repository, SelectQueryBuilder } from 'typeorm';
import { SourceLinks } from '../source-links.js';
import { requireNoLegalHold } from '../../knowledge-bases/settings/legal-hold.js';
import { SettingsService } from '../../knowledge-bases/settings/settings.service.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { toCitedDocument } from '../../documents/closed-documents.js';
import { Reads } from '../../platform/database/reads.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { sqlKeyOfPlace } from './asked-at.js';
import { ClosedAnswers, type NewestAnswers } from './closed-answers.js';
import { ListConversationsDto } from './conversation-query.dto.js';
import {
  ConversationDto,
  MessageDto,
  toConversationDto,
  toMessageDto,
} from './conversation.dto.js';
import { type ConversationSummary, loadSummaries } from './conversation-summaries.js';
import { Conversation } from './conversation.entity.js';
import { listUsedDocuments } from './documents-of.js';
import { Message } from './message.entity.js';
import { whereEndUser } from './of-end-user.js';
import { QuestionSearch } from './question-search.js';
import type { StoredSource } from './source.dto.js';
import type { SourceLink } from '../with-originals.js';
import { refusalText } from '../replies.js';

@Injectable()
@ResolvesResource({ resource: 'conversation', prefix: 'conv' })
export class ConversationsService implements ResourceResolver {
  constructor(
    @InjectRepository(Conversation) private readonly conversations: Repository<Conversation>,
    private readonly reads: Reads,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly events: Events,
    private readonly settings: SettingsService,
    private readonly links: SourceLinks,
    private readonly closedAnswers: ClosedAnswers,
    private readonly questionSearch: QuestionSearch,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.conversations.findOneBy({ id }))?.kbId;
  }

  /** @param signal aborted when the client disconnects */
  async list(
    user: DashboardUser,
    kbId: string,
    query: ListConversationsDto,
    signal: AbortSignal,
  ): Promise<Page<ConversationDto>> {
    await this.knowledgeBases.requireMember(user, kbId);
    const { q, from, to } = query;
    if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
      throw invalidField('from', 'from must not be after to');
    }
    const found =
      q === undefined ? undefined : await this.questionSearch.find(kbId, q, query, signal);
    const newest =
      query.answered === undefined ? undefined : await this.closedAnswers.findNewest(user, kbId);
    const { page, summaries } = await this.reads.latest(async (manager) => {
      const conversations = manager
        .createQueryBuilder(Conversation, 'conversation')
        .where({ kbId, ...(found && { id: In(found) }) });
      const rows = applyFilters(conversations, kbId, query, newest);
      const some = await paginate(rows, query, (row) => row);
      const ids = some.data.map(({ id }) => id);
      return { page: some, summaries: await loadSummaries(manager, ids) };
    });
    const shown = await this.markClosed(user, kbId, summaries);
    return { ...page, data: page.data.map((row) => toConversationDto(row, shown.get(row.id))) };
  }

  async get(user: DashboardUser, conversationId: string): Promise<ConversationDto> {
    const conversation = await this.findVisible(user, conversationId);
    const summaries = await this.reads.latest((manager) =>
      loadSummaries(manager, [conversationId]),
    );
    const shown = await this.markClosed(user, conversation.kbId, summaries);
    return toConversationDto(conversation, shown.get(conversationId));
  }

  /** Shows conversations as unanswered if listMessages hides one of their answers. */
  private async markClosed(
    user: DashboardUser,
    kbId: string,
    summaries: ReadonlyMap<string, ConversationSummary>,
  ): Promise<Map<string, ConversationSummary>> {
    const answered = [...summaries].filter(([, summary]) => summary.answered).map(([id]) => id);
    const closed = await this.closedAnswers.findClosedConversations(user, kbId, answered);
    return new Map(
      [...summaries].map(([id, summary]) => [
        id,
        closed.has(id) ? { ...summary, answered: false } : summary,
      ]),
    );
  }

  /** Lists messages, oldest first. */
  async listMessages(
    user: DashboardUser,
    conversationId: string,
    query: PageQueryDto,
  ): Promise<Page<MessageDto>> {
    const { kbId } = await this.findVisible(user, conversationId);
    const settings = await this.settings.load(kbId);
    const linkTo = this.links.for(user, settings);
    const ownLinks: SourceLink = (documentId, sourceKbId) =>
      sourceKbId === kbId ? linkTo(documentId) : {};
    const { data, ...page } = await this.reads.latest((manager) => {
      const messages = manager
        .createQueryBuilder(Message, 'message')
        .leftJoinAndSelect('message.feedback', 'feedback')
        .where({ conversationId });
      return paginate(messages, query, (message) => message, 'ASC');
    });
    const listShownDocuments = (message: Message) => [
      ...listUsedDocuments(message, kbId),
      ...(message.related ?? []).map((source) => toCitedDocument(source, kbId)),
    ];
    const documents = data.flatMap(listShownDocuments);
    const closed = await this.closedAnswers.findClosedDocuments(user, kbId, documents);
    const shown = data.map((message) =>
      hideClosed(message, closed, kbId, () => refusalText(settings.refusalText, message.content)),
    );
    return { data: shown.map((message) => toMessageDto(message, kbId, ownLinks)), ...page };
  }

  async delete(user: DashboardUser, conversationId: string): Promise<void> {
    const { kbId } = await this.findVisible(user, conversationId);
    const options = { role: 'member', lock: 'knowledge base' } as const;
    await this.knowledgeBases.change(user, kbId, options, async (manager) => {
      await requireNoLegalHold(manager, kbId);
      const { affected } = await manager.delete(Conversation, { id: conversationId });
      if (affected !== 1) throw new Problem('not_found');
      await this.events.recordChange(manager, user, {
        kbId,
        action: 'conversation.deleted',
        targetId: conversationId,
      });
    });
  }

  private async findVisible(user: DashboardUser, id: string): Promise<Conversation> {
    const conversation = await this.conversations.findOneBy({ id });
    if (!conversation) throw new Problem('not_found');
    await this.knowledgeBases.requireMember(user, conversation.kbId);
    return conversation;
  }
}

const restsOn = (
  message: Pick<Message, 'sources' | 'contextDocumentIds'>,
  closed: ReadonlySet<string>,
  kbId: string,
) => listUsedDocuments(message, kbId).some((id) => closed.has(id));

/** Hides an answer from a reader who may not see all of its documents. */
function hideClosed(
  message: Message,
  closed: ReadonlySet<string>,
  kbId: string,
  refusal: () => string,
): Message {
  const isOpen = (source: StoredSource) => !closed.has(toCitedDocument(source, kbId));
  const related = message.related?.filter(isOpen) ?? null;
  if (!restsOn(message, closed, kbId)) return { ...message, related };
  const sources = message.sources.filter(isOpen);
  const unanswered = {
    content: refusal(),
    answered: false,
    grounded: null,
    confidence: null,
    conflict: null,
    // The id of a curated answer would be here, which the reader may not know.
    model: null,
    completionTokens: null,
    // The comment may repeat the answer.
    feedback: message.feedback && { ...message.feedback, comment: null },
  };
  return { ...message, ...unanswered, sources, related };
}

/**
 * Applies the filters of a list. Filters by answers read the small tables of unanswered questions and
 * feedback, not the messages.
 *
 * @param newest the newest answers, if some are hidden from the reader; their questions count as unanswered
 */
function applyFilters(
  conversations: SelectQueryBuilder<Conversation>,
  kbId: string,
  {
    end_user_id: endUserId,
    answered,
    rating,
    from,
    to,
    environment,
    asked_at: place,
  }: ListConversationsDto,
  newest: NewestAnswers | undefined,
): SelectQueryBuilder<Conversation> {
  if (endUserId !== undefined) conversations.andWhere(whereEndUser(endUserId));
  if (environment !== undefined) conversations.andWhere({ environment });
  if (place !== undefined) {
    conversations.andWhere(`conversation.api_key_id = (${sqlKeyOfPlace(':place')})`, { place });
  }
  if (from !== undefined) conversations.andWhere({ createdAt: MoreThanOrEqual(new Date(from)) });
  if (to !== undefined) conversations.andWhere({ createdAt: LessThan(new Date(to)) });
  if (answered !== undefined) {
    const closed = [...(newest?.closed ?? [])];
    const isUnanswered = `(conversation.id IN
      (SELECT conversation_id FROM unanswered_questions WHERE kb_id = :kbId)
      ${closed.length > 0 ? 'OR conversation.id IN (:...closed)' : ''})`;
    conversations.andWhere(answered ? `NOT ${isUnanswered}` : isUnanswered, { kbId, closed });
    if (newest?.after !== undefined) {
      conversations.andWhere('conversation.id > :after', { after: newest.after });
    }
  }
  if (answered === true) {
    // A conversation whose answers all failed has no unanswered question either.
    conversations.andWhere(
      `EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = conversation.id AND m.answered)`,
    );
  }
  if (rating !== undefined) {
    conversations.andWhere(
      `conversation.id IN
        (SELECT conversation_id FROM message_feedback WHERE kb_id = :kbId AND rating = :rating)`,
      { kbId, rating },
    );
  }
  return conversations;
}
