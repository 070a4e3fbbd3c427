import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { PeriodQueryDto } from '../analytics/analytics-query.dto.js';
import {
  type Parameter,
  ReportQueries,
  type ReportRow,
} from '../../platform/reports/report-queries.js';
import { ReportLimiter } from '../../knowledge-bases/report-limiter.js';
import { toInterval } from '../analytics/time-range.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { ClosedAnswers } from '../../chat/conversations/closed-answers.js';
import { MAX_SHOWN_LENGTH, questionTopic } from '../../chat/conversations/question-topic.js';

/** The most asked topics are read, and as many more that were answered since. */
const MAX_TOPICS = 200;
/** The latest ratings are read. */
const MAX_RATINGS = 1000;
/** Questions parsed before other work of the process continues. */
const PART = 20;
/** The topic was not answered since it was last asked. */
const OPEN = 'MAX(u.answered_at) IS NULL OR MAX(u.answered_at) < MAX(u.asked_at)';
const ANSWERED = 'MAX(u.answered_at) >= MAX(u.asked_at)';
/** The earliest time that databases and ISO dates can write with a year of four digits. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');

/** Questions of the same words; see questionTopic. */
export interface AskedTopic {
  /** The latest wording. */
  readonly question: string;
  readonly unanswered: number;
  readonly down: number;
  /** The count of unanswered and badly rated questions in the period before. */
  readonly previous: number;
  readonly lastAskedAt: number;
  /** When it was last asked again and answered; 0 for never. */
  readonly answeredAt: number;
  readonly conversationId: string;
}

/** Finds questions that were not answered, or whose answer was rated `down`. */
@Injectable()
export class AskedTopics {
  constructor(
    private readonly queries: ReportQueries,
    private readonly limiter: ReportLimiter,
    private readonly closedAnswers: ClosedAnswers,
  ) {}

  /**
   * Lists topics, the most asked first. An answer that the user may not read counts as no answer.
   *
   * @param hasAnswered whether to include topics that were answered when asked again
   */
  async list(
    user: DashboardUser,
    kbId: string,
    period: PeriodQueryDto,
    hasAnswered: boolean,
  ): Promise<AskedTopic[]> {
    const { start, end } = toInterval(period);
    const parameters: Parameter[] = [
      kbId,
      ...[Math.max(FIRST_INSTANT, start - (end - start)), start, end].map((at) =>
        this.queries.instant(at),
      ),
      ...(period.environment ? [period.environment] : []),
    ];
    const isOfEnvironment = (table: string) =>
      period.environment ? `AND ${table}.environment = $5` : '';
    // The index alone answers this, except for the text of the listed questions.
    const unanswered = (having: string) => `SELECT found.*,
        SUBSTR(messages.content, 1, ${MAX_SHOWN_LENGTH}) AS question, messages.conversation_id
      FROM (SELECT u.topic, SUM(CASE WHEN u.asked_at >= $3 THEN 1 ELSE 0 END) AS unanswered,
          SUM(CASE WHEN u.asked_at < $3 THEN 1 ELSE 0 END) AS previous,
          MAX(u.asked_at) AS asked_at, MAX(u.message_id) AS message_id,
          MAX(u.answered_at) AS answered_at
        FROM unanswered_questions u
        WHERE u.kb_id = $1 AND u.asked_at >= $2 AND u.asked_at < $4 ${isOfEnvironment('u')}
        GROUP BY u.topic HAVING ${having}
        ORDER BY unanswered DESC, u.topic LIMIT ${MAX_TOPICS}) AS found
      JOIN messages ON messages.id = found.message_id`;
    const rated = `SELECT f.message_id, f.conversation_id, f.rated_at AS asked_at,
        CASE WHEN f.rated_at >= $3 THEN 1 ELSE 0 END AS down,
        (SELECT SUBSTR(q.content, 1, ${MAX_SHOWN_LENGTH}) FROM messages q
          WHERE q.conversation_id = f.conversation_id AND q.role = 'user' AND q.id < f.message_id
          ORDER BY q.id DESC LIMIT 1) AS question
      FROM message_feedback f JOIN messages a ON a.id = f.message_id
      WHERE f.kb_id = $1 AND f.rating = 'down' AND f.rated_at >= $2 AND f.rated_at < $4
        AND a.answered AND a.kind IS NULL ${isOfEnvironment('a')}
      ORDER BY f.rated_at DESC LIMIT ${MAX_RATINGS}`;
    // Separate statements, because many open topics would leave no room for answered ones.
    const statements = [rated, unanswered(OPEN), ...(hasAnswered ? [unanswered(ANSWERED)] : [])];
    const [ratedRows = [], ...unansweredRows] = await this.limiter.run(kbId, () =>
      Promise.all(statements.map((statement) => this.queries.run(statement, parameters))),
    );
    const closed = await this.closedAnswers.findClosedAnswers(
      user,
      kbId,
      ratedRows.map(({ message_id: id }) => String(id)),
    );
    const topics = new Map<number, AskedTopic>();
    const add = (topic: number, one: AskedTopic) => {
      const before = topics.get(topic);
      topics.set(topic, before ? joinTopics(before, one) : one);
    };
    for (const row of unansweredRows.flat()) {
      add(Number(row['topic']), {
        ...whereAsked(row),
        ...{ unanswered: Number(row['unanswered']), down: 0, previous: Number(row['previous']) },
        answeredAt: row['answered_at'] === null ? 0 : toMilliseconds(row['answered_at']),
      });
    }
    for (const [index, row] of ratedRows.entries()) {
      // Parsing a question takes up to a millisecond.
      if (index % PART === 0) await setImmediate();
      if (typeof row['question'] !== 'string') continue;
      const down = Number(row['down']);
      const isClosed = closed.has(String(row['message_id']));
      const counts = {
        unanswered: isClosed ? down : 0,
        down: isClosed ? 0 : down,
        previous: 1 - down,
        answeredAt: 0,
      };
      add(questionTopic(row['question']), { ...whereAsked(row), ...counts });
    }
    const byCount = (one: AskedTopic, other: AskedTopic) => countAsked(other) - countAsked(one);
    const asked = [...topics.values()].filter((topic) => countAsked(topic) > 0).sort(byCount);
    return [...Map.groupBy(asked, ({ answeredAt, lastAskedAt }) => answeredAt >= lastAskedAt)]
      .flatMap(([, some]) => some.slice(0, MAX_TOPICS))
      .sort(byCount);
  }
}

export const countAsked = ({ unanswered, down }: AskedTopic): number => unanswered + down;

/** Adds the counts of both; wording and conversation are those of the later one. */
export function joinTopics(one: AskedTopic, other: AskedTopic): AskedTopic {
  const later = other.lastAskedAt > one.lastAskedAt ? other : one;
  return {
    ...later,
    unanswered: one.unanswered + other.unanswered,
    down: one.down + other.down,
    previous: one.previous + other.previous,
    answeredAt: Math.max(one.answeredAt, other.answeredAt),
  };
}

const whereAsked = (row: ReportRow) => ({
  question: String(row['question']),
  conversationId: String(row['conversation_id']),
  lastAskedAt: toMilliseconds(row['asked_at']),
});

/** SQLite returns a time as text in UTC, without a zone. */
const toMilliseconds = (value: unknown): number =>
  value instanceof Date ? value.getTime() : Date.parse(`${String(value)}Z`);
