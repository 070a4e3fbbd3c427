import { Injectable } from '@nestjs/common';
import { Counter, COUNTERS } from '../usage/counters.js';
import { bucketOf } from '../usage/latency-buckets.js';
import { quarterOf } from '../usage/quarters.js';
import { ReportQueries, Row, Statement } from './report-queries.js';
import { EndUserSpan, RecordSpan, toEndUserSpans, toSpans } from './spans.js';
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

const names = Object.keys(COUNTERS) as Counter[];

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
      this.allEndUsers(scope, toEndUserSpans(0, whole)),
      this.endUsers(
        scope,
        'span.bucket',
        intervals.flatMap((each, n) => toEndUserSpans(n, each)),
      ),
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
      this.endUsers(scope, 'usage.api_key_id', toEndUserSpans(0, whole)),
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
    return byKey;
  }

  private sums(scope: Scope, group: string, spans: readonly object[]): Statement[] {
    const from = (table: string) => `span CROSS JOIN ${table} usage
      WHERE usage.kb_id = $1 AND usage.grain = span.grain
        AND usage.quarter >= span.first AND usage.quarter < span.next`;
    const columns = ['bucket', 'grain', 'first', 'next'];
    return [
      this.overSpans(
        scope,
        { spans, columns },
        `SELECT ${group} AS "group", ${names.map((name) => sum(`usage.${COUNTERS[name]}`, name)).join(', ')}
         FROM ${from('usage_counts')}`,
        'GROUP BY 1',
      ),
      this.overSpans(
        scope,
        { spans, columns },
        `SELECT ${group} AS "group", usage.bucket, ${sum('usage.answers', 'answers')}
         FROM ${from('usage_latencies')}`,
        'GROUP BY 1, 2',
      ),
    ];
  }

  private endUsers(scope: Scope, group: string, spans: readonly object[]): Statement {
    return this.overSpans(
      scope,
      { spans, columns: ['bucket', 'day', 'morning', 'afternoon'] },
      `SELECT ${group} AS "group", COUNT(DISTINCT usage.end_user) AS "endUsers"
       FROM span CROSS JOIN usage_end_users usage
       WHERE usage.kb_id = $1 AND usage.day = span.day
         AND ((usage.morning & span.morning) <> 0 OR (usage.afternoon & span.afternoon) <> 0)`,
      'GROUP BY 1',
    );
  }

  /** Of the days in between, all of them. */
  private allEndUsers({ kbId, environment }: Scope, spans: readonly EndUserSpan[]): Statement {
    const [first, last] = [spans.at(0), spans.at(-1)];
    if (!first || !last) return { sql: 'SELECT 0 AS "endUsers"', parameters: [] };
    const within = (day: string, morning: string, afternoon: string) =>
      `(usage.day <> ${day} OR (usage.morning & ${morning}) <> 0 OR (usage.afternoon & ${afternoon}) <> 0)`;
    return {
      sql: `SELECT COUNT(DISTINCT usage.end_user) AS "endUsers" FROM usage_end_users usage
        WHERE usage.kb_id = $1 AND usage.day >= $2 AND usage.day <= $5
          AND ${within('$2', '$3', '$4')} AND ${within('$5', '$6', '$7')}
          ${environment ? 'AND usage.environment = $8' : ''}`,
      parameters: [
        ...[kbId, first.day, first.morning, first.afternoon],
        ...[last.day, last.morning, last.afternoon],
        ...(environment ? [environment] : []),
      ],
    };
  }

  /** Over rows that were counted, from the JSON of spans. SQLite is to read that once only. */
  private overSpans(
    { kbId, environment }: Scope,
    { spans, columns }: { spans: readonly object[]; columns: string[] },
    select: string,
    groupBy: string,
  ): Statement {
    return {
      sql: `WITH span AS MATERIALIZED (${this.queries.rowsOf('$2', columns)})
        ${select} ${environment ? 'AND usage.environment = $3' : ''} ${groupBy}`,
      parameters: [kbId, JSON.stringify(spans), ...(environment ? [environment] : [])],
    };
  }

  /** Over less than a quarter of an hour: record by record. */
  private singles({ kbId, environment }: Scope, group: string, span: RecordSpan): Statement[] {
    const only = environment ? 'AND usage.environment = $4' : '';
    const from = `FROM usage_records usage
      WHERE usage.kb_id = $1 AND usage.created_at >= $2 AND usage.created_at < $3 ${only}`;
    const sums = Object.entries(FROM_RECORD).map(([name, sql]) => sum(sql, name));
    const given = environment ? [environment] : [];
    const times = [this.queries.instant(span.start), this.queries.instant(span.end)];
    const quarter = quarterOf(new Date(span.start));
    return [
      {
        sql: `SELECT ${group} AS "group", ${sums.join(', ')} ${from} GROUP BY 1`,
        parameters: [kbId, ...times, ...given],
      },
      {
        sql: `SELECT ${group} AS "group", usage.latency_ms AS "latencyMs", COUNT(*) AS answers
          ${from} AND usage.kind <> 'conversation' GROUP BY 1, 2`,
        parameters: [kbId, ...times, ...given],
      },
      {
        sql: `SELECT ${group} AS "group", ${sum('usage.refused', 'refused')} FROM usage_counts usage
          WHERE usage.kb_id = $1 AND usage.grain = $2 AND usage.quarter = $3 ${only} GROUP BY 1`,
        parameters: [kbId, 1, quarter, ...given],
      },
    ];
  }
}

// PostgreSQL would give a decimal, as text.
const sum = (sql: string, name: string) => `CAST(SUM(${sql}) AS bigint) AS "${name}"`;

const noFigures = (): Figures => ({
  counts: Object.fromEntries(names.map((name) => [name, 0])) as Record<Counter, number>,
  latencies: new Map(),
  endUsers: 0,
});

/** Adds what a row has: counts, answers by latency, or end users. */
function add(figures: Figures, row: Row): void {
  for (const name of names) figures.counts[name] += Number(row[name] ?? 0);
  if ('answers' in row) {
    const bucket = 'bucket' in row ? Number(row['bucket']) : bucketOf(Number(row['latencyMs']));
    const answers = figures.latencies.get(bucket) ?? 0;
    figures.latencies.set(bucket, answers + Number(row['answers']));
  }
  figures.endUsers += Number(row['endUsers'] ?? 0);
}
