import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { whereReadable } from '../../knowledge-bases/access-rules/readable.js';
import {
  type DashboardUser,
  principalsOf,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { DASHBOARD_LIMITS, FairQueue } from '../../knowledge-bases/fair-queue.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import type { MemberRole } from '../../knowledge-bases/knowledge-base-member.entity.js';
import { TenantLookup } from '../../knowledge-bases/tenant-lookup.js';
import { DEFAULT_LIMIT } from '../../platform/http/page.dto.js';
import { CuratedAnswer } from '../curated-answers/curated-answer.entity.js';
import { CuratedQuestions } from '../curated-answers/curated-questions.js';
import { answersByWords } from './answers-by-words.js';
import { AskedTopics, type AskedTopic, countOf, joined } from './asked-topics.js';
import type { GapDto, GapsDto, ListGapsDto } from './gap.dto.js';
import { groupQuestions } from './group-questions.js';
import { QuestionVectors } from './question-vectors.js';

const MAX_WORDINGS = 20;

/** Gathers what the documents do not answer. */
@Injectable()
export class GapsService {
  /** One after the other: questions would wait behind the texts that several embed, and the next one has them. */
  private readonly turns = new FairQueue(1, DASHBOARD_LIMITS);

  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly tenants: TenantLookup,
    private readonly topics: AskedTopics,
    private readonly vectors: QuestionVectors,
    private readonly curatedQuestions: CuratedQuestions,
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
    return this.turns.run(await this.tenants.of(kbId), signal, async () => {
      const topics = await this.topics.list(user, kbId, query);
      const open = await this.withoutAnswered(user, role, kbId, topics);
      const vectors = await this.vectors.of(
        open.map(({ question }) => question),
        signal,
      );
      const groups = await groupQuestions(open, ({ question }) => vectors?.get(question));
      const gaps = groups.map(toGap).sort((one, other) => other.count - one.count);
      return {
        data: gaps.slice(0, query.limit ?? DEFAULT_LIMIT),
        grouped_by: vectors ? 'meaning' : 'words',
      };
    });
  }

  /**
   * Without what a curated answer answers in the same words, unless it was asked after that was written.
   * For viewers, one that they may not be given answers nothing.
   */
  private async withoutAnswered(
    user: DashboardUser,
    role: MemberRole,
    kbId: string,
    topics: readonly AskedTopic[],
  ): Promise<AskedTopic[]> {
    const version = (await this.curatedQuestions.versionsOf([kbId])).get(kbId) ?? 0;
    if (version === 0) return [...topics];
    const matching = await answersByWords(topics, (question) =>
      this.curatedQuestions.byWords(kbId, version, question),
    );
    const ids = [...new Set([...matching.values()].flat())];
    const rows = this.curatedAnswers
      .createQueryBuilder('curated')
      .select(['curated.id', 'curated.writtenAt'])
      .where({ id: In(ids) });
    if (role === 'viewer') whereReadable(rows, 'curated', kbId, principalsOf(user));
    const answers = await rows.getMany();
    const writtenAt = new Map(answers.map((one) => [one.id, one.writtenAt.getTime()]));
    return topics.filter(
      (topic) => !matching.get(topic)?.some((id) => (writtenAt.get(id) ?? 0) > topic.lastAskedAt),
    );
  }
}

function toGap(topics: readonly AskedTopic[]): GapDto {
  const all = topics.reduce(joined);
  const questions = topics.map(({ question }) => question).slice(0, MAX_WORDINGS);
  return {
    question: questions[0] ?? '',
    questions,
    count: countOf(all),
    previous_count: all.previous,
    unanswered: all.unanswered,
    down: all.down,
    last_asked_at: new Date(all.lastAskedAt).toISOString(),
    conversation_id: all.conversationId,
  };
}
