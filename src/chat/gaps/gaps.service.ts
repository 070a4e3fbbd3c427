import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { separateQuestions } from '@latchkey/quoting/separate-questions';
import { askedSentences } from '@latchkey/text/asked-sentences';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { DEFAULT_LIMIT } from '../../platform/http/page.dto.js';
import { CuratedAnswer } from '../curated-answers/curated-answer.entity.js';
import { CuratedQuestions } from '../curated-answers/curated-questions.js';
import { AskedTopics, type AskedTopic, countOf, joined } from './asked-topics.js';
import type { GapDto, GapsDto, ListGapsDto } from './gap.dto.js';
import { groupQuestions } from './group-questions.js';
import { QuestionVectors } from './question-vectors.js';

const MAX_WORDINGS = 20;

/** Gathers what the documents do not answer. */
@Injectable()
export class GapsService {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
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
    await this.knowledgeBases.requireMember(user, kbId);
    const open = await this.withoutAnswered(kbId, await this.topics.list(kbId, query));
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
  }

  /** Without what a curated answer answers in the same words, unless it was asked after that was written. */
  private async withoutAnswered(
    kbId: string,
    topics: readonly AskedTopic[],
  ): Promise<AskedTopic[]> {
    const version = (await this.curatedQuestions.versionsOf([kbId])).get(kbId) ?? 0;
    if (version === 0) return [...topics];
    const matching = new Map<AskedTopic, string[]>();
    for (const topic of topics) {
      matching.set(topic, await this.answersTo(kbId, version, topic.question));
    }
    const ids = [...new Set([...matching.values()].flat())];
    const select = { id: true, updatedAt: true } as const;
    const answers = await this.curatedAnswers.find({ select, where: { id: In(ids) } });
    const writtenAt = new Map(answers.map(({ id, updatedAt }) => [id, updatedAt.getTime()]));
    return topics.filter(
      (topic) => !matching.get(topic)?.some((id) => (writtenAt.get(id) ?? 0) > topic.lastAskedAt),
    );
  }

  /** The curated answers to a message, or, where each of its questions has one, to the last of these. */
  private async answersTo(kbId: string, version: number, message: string): Promise<string[]> {
    const whole = { asked: askedSentences(message), context: [], text: message };
    const ids = await this.curatedQuestions.byWords(kbId, version, whole);
    const questions = separateQuestions(message, []);
    if (ids.length > 0 || questions.length < 2) return ids;
    let last: string[] = [];
    for (const question of questions) {
      last = await this.curatedQuestions.byWords(kbId, version, question);
      if (last.length === 0) break;
    }
    return last;
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
