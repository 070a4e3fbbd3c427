import { Injectable } from '@nestjs/common';
import { Counter, COUNTER_NAMES, COUNTERS } from '../usage/counters.js';
import { bucketOf } from '../usage/latency-buckets.js';
import { quarterOf } from '../usage/quarters.js';
import { ReportQueries, Row, Statement } from './report-queries.js';
import { CountSpan, quartersTouched, RecordSpan, toSpans } from './spans.js';
import type { Interval } from './time-range.js';

/** What was counted in an interval, or for a key. */
export interface Figures {
  readonly counts: Record<Counter, number>;
  /** Answers by latency bucket. */
  readonly latencies: Map<number, number>;
  endUsers: number;
}

/** Which of a knowledge base's counts. */
export interface Scope {
  readonly kbId: string;
  readonly environment?: 'live' | 'test';
}

const SPAN: readonly (keyof CountSpan)[] = ['bucket', 'sign', 'grain', 'first', 'next'];

/** How a counter follows from single records; what is refused leaves none. */
const FROM_RECORD: Record<Exclude<Counter, 'refused'>, string> = {
  queries: `CASE WHEN usage.kind = 'query' THEN 1 ELSE 0 END`,
  chats: `CASE WHEN usage.kind = 'chat' THEN 1 ELSE 0 END`,
  conversations: 'CASE WHEN usage.began_conversation THEN 1 ELSE 0 END',
  answered: 'CASE WHEN usage.answered THEN 1 ELSE 0 END',
  unanswered: 'CASE WHEN NOT usage.answered THEN 1 ELSE 0 END',
  up: `CASE WHEN usage.rating = 'up' THEN 1 ELSE 0 END`,
  down: `CASE WHEN usage.rating = 'down' THEN 1 ELSE 0 END`,
  promptTokens: 'usage.prompt_tokens',
  completionTokens: 'usage.completion_tokens',
};

/** Adds up counters; what a report costs does not depend on how many requests were counted. */
@Injectable()
export class UsageReport {
  constructor(private readonly queries: ReportQueries) {}

  /** @returns the figures of each interval, in order, and of `whole` */
  async byInterval(
    scope: Scope,
    whole: Interval,
    intervals: readonly Interval[],
  ): Promise<{ totals: Figures; series: Figures[] }> {
    const series = intervals.map(() => noFigures());
    const totals = noFigures();
    const spans = intervals.map((interval, bucket) => toSpans(bucket, interval));
    const [[total = {}] = [], endUsers = [], ...rest] = await this.queries.run([
      this.endUsers(scope, whole),
      this.endUsersByInterval(scope, intervals),
      ...this.sums(
        scope,
        'span.bucket',
        spans.flatMap(({ counts }) => counts),
      ),
      ...spans.flatMap(({ records }) =>
        records.flatMap((span) => this.singles(scope, String(span.bucket), span)),
      ),
    ]);
    for (const row of [...endUsers, ...rest.flat()]) {
      const figures = series[Number(row['group'])];
      if (figures) add(figures, row);
      add(totals, row);
    }
    totals.endUsers = Number(total['endUsers'] ?? 0);
    return { totals, series };
  }

  /** @returns the figures of each key that there are any of */
  async byApiKey(scope: Scope, whole: Interval): Promise<Map<string, Figures>> {
    const { counts, records } = toSpans(0, whole);
    const results = await this.queries.run([
      this.endUsersByKey(scope, whole, '= 0'),
      this.endUsersByKey(scope, whole, '<> 0'),
      ...this.sums(scope, 'usage.api_key_id', counts),
      ...records.flatMap((span) => this.singles(scope, 'usage.api_key_id', span)),
    ]);
    const byKey = new Map<string, Figures>();
    for (const row of results.flat()) {
      const key = String(row['group']);
      const figures = byKey.get(key) ?? noFigures();
      byKey.set(key, figures);
      add(figures, row);
    }
    for (const [key, { counts, endUsers }] of byKey) {
      if (endUsers === 0 && COUNTER_NAMES.every((name) => counts[name] === 0)) byKey.delete(key);
    }
    return byKey;
  }

  private sums(scope: Scope, group: string, spans: readonly CountSpan[]): Statement[] {
    const condition = `usage.kb_id = $1 AND usage.grain = span.grain
      AND usage.quarter >= span.first AND usage.quarter < span.next ${only(scope, '$3')}`;
    const over = (table: string) => `FROM span ${this.queries.join(table, condition)}`;
    const counts = COUNTER_NAMES.map((name) => sum(`span.sign * usage.${COUNTERS[name]}`, name));
    return [
      `SELECT ${group} AS "group", ${counts.join(', ')} ${over('usage_counts')} GROUP BY 1`,
      // A row for each of the group's buckets would take longer to send than to find.
      `SELECT "group", string_agg(bucket || ' ' || answers, ',') AS latencies FROM (
         SELECT ${group} AS "group", usage.bucket, ${sum('span.sign * usage.answers', 'answers')}
         ${over('usage_latencies')} GROUP BY 1, 2
       ) AS by_bucket GROUP BY 1`,
    ].map((select) => ({
      // SQLite is to read the JSON once only.
      sql: `WITH span AS MATERIALIZED (${this.queries.rowsOf('$2', SPAN)}) ${select}`,
      parameters: [scope.kbId, JSON.stringify(spans), ...given(scope)],
    }));
  }

  private endUsersByInterval(scope: Scope, intervals: readonly Interval[]): Statement {
    const spans = intervals.map((interval, bucket) => ({ bucket, ...quartersTouched(interval) }));
    // The plus keeps SQLite from the index by end user, in which it would read all of them each time.
    return {
      sql: `SELECT span.bucket AS "group", (
          SELECT COUNT(DISTINCT +usage.end_user)
          ${fromEndUsers(scope, ['span.first', 'span.next', '$3'])}
        ) AS "endUsers"
        FROM (${this.queries.rowsOf('$2', ['bucket', 'first', 'next'])}) AS span`,
      parameters: [scope.kbId, JSON.stringify(spans), ...given(scope)],
    };
  }

  private endUsers(scope: Scope, whole: Interval): Statement {
    const { first, next } = quartersTouched(whole);
    // Of many rows, PostgreSQL finds those that differ faster than it counts them as DISTINCT.
    return {
      sql: `SELECT COUNT(*) AS "endUsers" FROM (
          SELECT DISTINCT +usage.end_user ${fromEndUsers(scope, ['$2', '$3', '$4'])}
        ) AS seen`,
      parameters: [scope.kbId, first, next, ...given(scope)],
    };
  }

  /** Of half of the end users, since there are two to be run at a time. */
  private endUsersByKey(scope: Scope, whole: Interval, half: '= 0' | '<> 0'): Statement {
    const { first, next } = quartersTouched(whole);
    return {
      sql: `SELECT api_key_id AS "group", COUNT(*) AS "endUsers" FROM (
          SELECT DISTINCT +usage.end_user, usage.api_key_id
          ${fromEndUsers(scope, ['$2', '$3', '$4'])} AND usage.end_user % 2 ${half}
        ) AS seen GROUP BY 1`,
      parameters: [scope.kbId, first, next, ...given(scope)],
    };
  }

  /** Over less than a quarter of an hour: record by record. */
  private singles(scope: Scope, group: string, span: RecordSpan): Statement[] {
    const from = `FROM usage_records usage
      WHERE usage.kb_id = $1 AND usage.created_at >= $2 AND usage.created_at < $3 ${only(scope, '$4')}`;
    const sums = Object.entries(FROM_RECORD).map(([name, sql]) => sum(sql, name));
    const times = [this.queries.instant(span.start), this.queries.instant(span.end)];
    const quarter = quarterOf(new Date(span.start));
    return [
      {
        sql: `SELECT ${group} AS "group", ${sums.join(', ')} ${from} GROUP BY 1`,
        parameters: [scope.kbId, ...times, ...given(scope)],
      },
      {
        sql: `SELECT ${group} AS "group", usage.latency_ms AS "latencyMs", COUNT(*) AS answers
          ${from} AND usage.kind <> 'conversation' GROUP BY 1, 2`,
        parameters: [scope.kbId, ...times, ...given(scope)],
      },
      {
        sql: `SELECT ${group} AS "group", ${sum('usage.refused', 'refused')} FROM usage_counts usage
          WHERE usage.kb_id = $1 AND usage.grain = $2 AND usage.quarter = $3 ${only(scope, '$4')} GROUP BY 1`,
        parameters: [scope.kbId, 1, quarter, ...given(scope)],
      },
    ];
  }
}

const only = ({ environment }: Scope, parameter: string) =>
  environment ? `AND usage.environment = ${parameter}` : '';

const given = ({ environment }: Scope) => (environment ? [environment] : []);

const fromEndUsers = (scope: Scope, [first, next, environment]: [string, string, string]) =>
  `FROM usage_end_users usage WHERE usage.kb_id = $1 AND usage.quarter >= ${first}
     AND usage.quarter < ${next} ${only(scope, environment)}`;

// PostgreSQL would give a decimal, as text.
const sum = (sql: string, name: string) => `CAST(SUM(${sql}) AS bigint) AS "${name}"`;

const noFigures = (): Figures => ({
  counts: Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])) as Record<Counter, number>,
  latencies: new Map(),
  endUsers: 0,
});

/** Adds what a row has: counts, answers by latency, or end users. */
function add(figures: Figures, row: Row): void {
  for (const name of COUNTER_NAMES) figures.counts[name] += Number(row[name] ?? 0);
  for (const [bucket, answers] of latenciesOf(row)) {
    if (answers !== 0) {
      figures.latencies.set(bucket, (figures.latencies.get(bucket) ?? 0) + answers);
    }
  }
  figures.endUsers += Number(row['endUsers'] ?? 0);
}

/** Answers by latency bucket, of a row that has them by one latency or by all. */
function latenciesOf(row: Row): [bucket: number, answers: number][] {
  if ('latencyMs' in row) return [[bucketOf(Number(row['latencyMs'])), Number(row['answers'])]];
  const pairs = 'latencies' in row ? String(row['latencies']).split(',') : [];
  return pairs.map((pair) => {
    const [bucket, answers] = pair.split(' ').map(Number);
    return [bucket ?? 0, answers ?? 0];
  });
}
