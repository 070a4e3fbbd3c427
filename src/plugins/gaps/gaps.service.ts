import { refersBack } from '@latchkey/quoting/follow-up';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThanOrEqual, Repository } from 'typeorm';
import {
  type DashboardUser,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DASHBOARD_LIMITS, FairLimiter } from '../../knowledge-bases/fair-limiter.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import type { MemberRole } from '../../knowledge-bases/knowledge-base-member.entity.js';
import { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { DEFAULT_LIMIT } from '../../platform/http/page.dto.js';
import type { DashboardAnswerDto } from '../../chat/answer.dto.js';
import { questionTopic } from '../../chat/conversations/question-topic.js';
import { UnansweredQuestion } from '../../chat/conversations/unanswered-question.entity.js';
import { DashboardChatService } from '../../chat/dashboard-chat.service.js';
import { whereCuratedLasts, whereCuratedReadable } from '../curated-answers/curated-readable.js';
import { CuratedAnswer } from '../curated-answers/curated-answer.entity.js';
import { CuratedQuestions } from '../curated-answers/curated-questions.js';
import { answersByWords } from './answers-by-words.js';
import { AskedTopics, type AskedTopic, countAsked, joinTopics } from './asked-topics.js';
import type { GapDto, GapsDto, ListGapsDto } from './gap.dto.js';
import { groupQuestions } from './group-questions.js';
import { QuestionVectors } from './question-vectors.js';

const MAX_WORDINGS = 20;

interface ClosedTopic extends AskedTopic {
  /** 0 if the topic is open. */
  readonly closedAt: number;
  readonly closedBy: GapDto['closed_by'];
}

/** Lists the questions that the documents do not answer. */
@Injectable()
export class GapsService {
  /** Lists run one at a time: several would delay questions by embedding the same texts. */
  private readonly limiter = new FairLimiter(1, DASHBOARD_LIMITS);

  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly fairShares: FairShareLookup,
    private readonly topics: AskedTopics,
    private readonly vectors: QuestionVectors,
    private readonly curatedQuestions: CuratedQuestions,
    private readonly chat: DashboardChatService,
    @InjectRepository(CuratedAnswer) private readonly curatedAnswers: Repository<CuratedAnswer>,
  ) {}

  /** @param signal aborted when the client disconnects */
  async list(
    user: DashboardUser,
    kbId: string,
    query: ListGapsDto,
    signal: AbortSignal,
  ): Promise<GapsDto> {
    const role = await this.knowledgeBases.requireMember(user, kbId);
    return this.limiter.run(await this.fairShares.findFairShare(kbId), signal, async () => {
      const isClosed = query.state === 'closed';
      const topics = await this.topics.list(user, kbId, query, isClosed);
      const closed = await this.withClosing(user, role, kbId, topics);
      const wanted = closed.filter(({ closedAt }) => closedAt > 0 === isClosed);
      const vectors = await this.vectors.getVectors(
        wanted.map(({ question }) => question),
        signal,
      );
      const groups = await groupQuestions(wanted, ({ question }) => vectors?.get(question));
      const gaps = groups.map(toGap).sort((one, other) => other.count - one.count);
      return {
        data: gaps.slice(0, query.limit ?? DEFAULT_LIMIT),
        grouped_by: vectors ? 'meaning' : 'words',
      };
    });
  }

  /**
   * Asks a question again, searching only documents that everybody may read. If it is answered, the gap is
   * closed for everyone who has asked it so far. A question that refers to an earlier one does not close
   * anything, because each person may have meant something else.
   */
  async askAgain(
    user: DashboardUser,
    kbId: string,
    question: string,
    signal: AbortSignal,
  ): Promise<DashboardAnswerDto> {
    await this.knowledgeBases.require(user, kbId, 'member');
    const answeredAt = new Date();
    const asked = { message: question };
    const answer = await this.chat.chat(user, kbId, asked, signal, { principals: [] });
    if (answer.answered && answer.kind === undefined && !refersBack(question)) {
      const options = { role: 'member', lock: 'membership' } as const;
      const askedAt = LessThanOrEqual(answeredAt);
      await this.knowledgeBases.change(user, kbId, options, (manager) =>
        manager.update(
          UnansweredQuestion,
          { kbId, topic: questionTopic(question), askedAt },
          { answeredAt },
        ),
      );
    }
    return answer;
  }

  /**
   * Adds when and how each topic was closed: by a curated answer to the same words, or because it was asked
   * again and answered. A later question without an answer opens it. For viewers, only answers that they may
   * read close a topic. Asking again does not close a topic whose answer was rated `down`.
   */
  private async withClosing(
    user: DashboardUser,
    role: MemberRole,
    kbId: string,
    topics: readonly AskedTopic[],
  ): Promise<ClosedTopic[]> {
    const curatedAt = await this.curatedAt(user, role, kbId, topics);
    return topics.map((topic) => {
      const { lastAskedAt, answeredAt, down } = topic;
      const writtenAt = curatedAt.get(topic) ?? 0;
      if (writtenAt > lastAskedAt) {
        return { ...topic, closedAt: writtenAt, closedBy: 'curated_answer' };
      }
      const isAnswered = answeredAt >= lastAskedAt && down === 0;
      return isAnswered
        ? { ...topic, closedAt: answeredAt, closedBy: 'asked_again' }
        : { ...topic, closedAt: 0, closedBy: null };
    });
  }

  /** Finds when the latest curated answer to each topic was written. */
  private async curatedAt(
    user: DashboardUser,
    role: MemberRole,
    kbId: string,
    topics: readonly AskedTopic[],
  ): Promise<Map<AskedTopic, number>> {
    const version = (await this.curatedQuestions.readVersions([kbId])).get(kbId) ?? 0;
    if (version === 0) return new Map();
    const matching = await answersByWords(topics, (question) =>
      this.curatedQuestions.findByWords(kbId, version, question),
    );
    const ids = [...new Set([...matching.values()].flat())];
    const rows = this.curatedAnswers
      .createQueryBuilder('curated')
      .select(['curated.id', 'curated.writtenAt'])
      .where({ id: In(ids) });
    if (role === 'viewer') whereCuratedReadable(rows, 'curated', kbId, getPrincipals(user));
    const answers = await whereCuratedLasts(rows, 'curated').getMany();
    const writtenAt = new Map(answers.map((one) => [one.id, one.writtenAt.getTime()]));
    return new Map(
      Array.from(matching, ([topic, found]) => [
        topic,
        Math.max(0, ...found.map((id) => writtenAt.get(id) ?? 0)),
      ]),
    );
  }
}

function toGap(topics: readonly ClosedTopic[]): GapDto {
  const all = topics.map((topic): AskedTopic => topic).reduce(joinTopics);
  const last = topics.reduce((one, other) => (other.closedAt > one.closedAt ? other : one));
  const questions = topics.map(({ question }) => question).slice(0, MAX_WORDINGS);
  return {
    question: questions[0] ?? '',
    questions,
    count: countAsked(all),
    previous_count: all.previous,
    unanswered: all.unanswered,
    down: all.down,
    closed_at: last.closedAt > 0 ? new Date(last.closedAt).toISOString() : null,
    closed_by: last.closedBy,
    last_asked_at: new Date(all.lastAskedAt).toISOString(),
    conversation_id: all.conversationId,
  };
}
