import { Events } from '../../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { In, LessThan, MoreThanOrEqual, Repository, SelectQueryBuilder } from 'typeorm';
import { SourceLinks } from '../source-links.js';
import { requireNoLegalHold } from '../../knowledge-bases/settings/legal-hold.js';
import { SettingsService } from '../../knowledge-bases/settings/settings.service.js';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { readingScopes } from '../../api-keys/granted-knowledge-bases.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { ClosedDocuments, toCitedDocument } from '../../documents/closed-documents.js';
import { Reads } from '../../platform/database/reads.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { type AccessOwner, OwnsResource } from '../../knowledge-bases/access.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { selectCallersConversations, hashRestriction } from './callers-conversations.js';
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
import type { Turn } from './exchange.js';
import { Message } from './message.entity.js';
import { whereEndUser } from './of-end-user.js';
import { QuestionSearch } from './question-search.js';
import type { StoredSource } from './source.dto.js';
import type { SourceLink } from '../with-originals.js';
import { refusalText } from '../replies.js';

/** The most documents that the row of an answer names. A model gets no earlier turns beyond them. */
const MAX_TOLD_DOCUMENTS = 1000;

/** Messages to read in addition, because failed answers are skipped. */
const EXTRA_MESSAGES = 20;

@Injectable()
@OwnsResource({ resource: 'conversation', prefix: 'conv' })
export class ConversationsService implements AccessOwner {
  constructor(
    @InjectRepository(Conversation) private readonly conversations: Repository<Conversation>,
    private readonly reads: Reads,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly events: Events,
    private readonly settings: SettingsService,
    private readonly links: SourceLinks,
    private readonly closed: ClosedDocuments,
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
    const told = data.flatMap(listShownDocuments);
    const closed = await this.closedAnswers.findClosedDocuments(user, kbId, told);
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

  /**
   * @param endUserId the end user who continues it; null for none
   * @throws Problem `not_found` unless it may be continued; see selectCallersConversations
   */
  async requireConversation(
    apiKey: ApiKeyPrincipal,
    id: string,
    endUserId: string | null,
  ): Promise<Conversation> {
    const conversation = await selectCallersConversations(this.conversations.manager, apiKey)
      .andWhere({ id })
      .getOne();
    const { endUserId: owner = null } = conversation ?? {};
    const isAnothers =
      endUserId !== null &&
      owner !== null &&
      toComparableName(owner) !== toComparableName(endUserId);
    if (!conversation || isAnothers) throw new Problem('not_found');
    return conversation;
  }

  /** @throws Problem `not_found` if there is no such answer. requireConversation checks the owner. */
  async findConversationId(messageId: string): Promise<string> {
    const message = await this.conversations.manager.findOne(Message, {
      select: { conversationId: true },
      where: { id: messageId, role: 'assistant' },
    });
    if (!message) throw new Problem('not_found');
    return message.conversationId;
  }

  private async findVisible(user: DashboardUser, id: string): Promise<Conversation> {
    const conversation = await this.conversations.findOneBy({ id });
    if (!conversation) throw new Problem('not_found');
    await this.knowledgeBases.requireMember(user, conversation.kbId);
    return conversation;
  }

  /**
   * The last questions with their complete answers, oldest first. Parallel questions are each paired with
   * their own answer. If the key is restricted, only answers given under the same filter are included,
   * because others may reveal documents that the key cannot read. An answer is left out once one of its
   * documents is no longer readable, or has been replaced.
   *
   * @param limit the maximum number of these pairs
   */
  async loadHistory(
    apiKey: ApiKeyPrincipal,
    conversationId: string,
    limit: number,
  ): Promise<Turn[]> {
    const { kbId } = apiKey;
    const restriction = hashRestriction(apiKey);
    const rows = await this.reads.latest((manager) =>
      manager.find(Message, {
        select: {
          id: true,
          role: true,
          content: true,
          status: true,
          filterHash: true,
          sources: true,
          toldDocumentIds: true,
          createdAt: true,
        },
        where: { conversationId },
        order: { id: 'DESC' },
        take: 2 * limit + EXTRA_MESSAGES,
      }),
    );
    const scopes = readingScopes(apiKey);
    const told = rows.flatMap((row) => listUsedDocuments(row, kbId));
    const open = await this.closed.findOpen(kbId, told, (id) => scopes.get(id));
    const wasSaid = (id: string, askedAt: Date) => {
      const content = open.get(id);
      return content !== undefined && (content.since === null || content.since <= askedAt);
    };
    const turns = rows.toReversed().flatMap((row, index, all): Turn[] => {
      const answer = all[index + 1];
      if (row.role !== 'user' || answer?.role !== 'assistant') return [];
      const isAllowed = restriction === null || answer.filterHash === restriction;
      const documentIds = listUsedDocuments(answer, kbId);
      const isOpen = documentIds.every((id) => wasSaid(id, row.createdAt));
      return answer.status === 'complete' && isAllowed && isOpen
        ? [{ question: row.content, answer: answer.content, documentIds }]
        : [];
    });
    return limitDocuments(turns.slice(-limit));
  }
}

/** Keeps the last turns that together are based on at most `MAX_TOLD_DOCUMENTS` documents. */
function limitDocuments(turns: readonly Turn[]): Turn[] {
  const documents = new Set<string>();
  const isTooMuch = ({ documentIds = [] }: Turn) => {
    for (const id of documentIds) documents.add(id);
    return documents.size > MAX_TOLD_DOCUMENTS;
  };
  return turns.slice(turns.findLastIndex(isTooMuch) + 1);
}

const restsOn = (
  message: Pick<Message, 'sources' | 'toldDocumentIds'>,
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
  { end_user_id: endUserId, answered, rating, from, to, environment }: ListConversationsDto,
  newest: NewestAnswers | undefined,
): SelectQueryBuilder<Conversation> {
  if (endUserId !== undefined) conversations.andWhere(whereEndUser(endUserId));
  if (environment !== undefined) conversations.andWhere({ environment });
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
