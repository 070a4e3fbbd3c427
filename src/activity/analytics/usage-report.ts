import { Injectable } from '@nestjs/common';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { quarterOf } from '../usage/quarter.js';
import { type Counter, COUNTER_NAMES, COUNTERS } from '../usage/roll-up.js';
import { addFigures, addRow, type Figures, isEmpty, noFigures } from './figures.js';
import {
  type Parameter,
  type QuarterRange,
  ReportQueries,
  type ReportRow,
} from './report-queries.js';
import { quartersOverlapping, split } from './report-ranges.js';
import type { Interval } from './time-range.js';

/** The requests that a report covers: those of a knowledge base, or of one of its environments. */
export interface Scope {
  readonly kbId: string;
  readonly environment?: ApiKeyEnvironment;
}

/** The SQL of each counter for one usage record. Refused requests have no record. */
const COUNTER_SQL: Record<Exclude<Counter, 'refused'>, string> = {
  queries: `CASE WHEN kind = 'query' THEN 1 ELSE 0 END`,
  chats: `CASE WHEN kind = 'chat' THEN 1 ELSE 0 END`,
  conversations: 'CASE WHEN began_conversation THEN 1 ELSE 0 END',
  answered: 'CASE WHEN answered THEN 1 ELSE 0 END',
  unanswered: 'CASE WHEN NOT answered THEN 1 ELSE 0 END',
  up: `CASE WHEN rating = 'up' THEN 1 ELSE 0 END`,
  down: `CASE WHEN rating = 'down' THEN 1 ELSE 0 END`,
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
};

// PostgreSQL's SUM of bigints is `numeric`, which the driver returns as text.
const sum = (sql: string, name: string) => `CAST(SUM(${sql}) AS bigint) AS "${name}"`;

const ROLL_UP_SUMS = [
  ...COUNTER_NAMES.map((name) => sum(COUNTERS[name], name)),
  `string_agg(latencies, ',') AS latencies`,
].join();
const RECORD_SUMS = Object.entries(COUNTER_SQL)
  .map(([name, sql]) => sum(sql, name))
  .join();

/**
 * Adds up the roll-up's counts by quarter hour. Where an interval begins or ends within a quarter hour
 * (an edge), it adds up single usage records instead.
 */
@Injectable()
export class UsageReport {
  constructor(private readonly queries: ReportQueries) {}

  /** @returns the figures of each interval, in order, and their totals over `whole` */
  async byInterval(
    scope: Scope,
    whole: Interval,
    intervals: readonly Interval[],
  ): Promise<{ totals: Figures; series: Figures[] }> {
    const parts = intervals.map(split);
    const overlapping = intervals.map(quartersOverlapping);
    const [endUsers, [allEndUsers = {}], counts, edges] = await Promise.all([
      this.endUsers(scope, overlapping),
      this.endUsers(scope, [quartersOverlapping(whole)]),
      this.queries.runForRanges(
        `SELECT ${ROLL_UP_SUMS} FROM usage_counts ${inRange(scope)}`,
        parametersOf(scope),
        parts.map((part) => part.whole),
      ),
      Promise.all(parts.map(({ edges }) => this.edges(scope, 'kb_id', edges))),
    ]);
    const totals = noFigures();
    addRow(totals, allEndUsers);
    const series = intervals.map((_, index) => {
      const figures = noFigures();
      for (const row of [counts[index], endUsers[index], ...(edges[index] ?? [])]) {
        if (row) addRow(figures, row);
      }
      addFigures(totals, figures);
      return figures;
    });
    return { totals, series };
  }

  /** @returns the figures of each key that was used in the interval */
  async byApiKey(scope: Scope, interval: Interval): Promise<Map<string, Figures>> {
    const { whole, edges } = split(interval);
    const results = await Promise.all([
      // Two queries with half of the end users each, because SQLite's reports run in two threads.
      ...['= 0', '<> 0'].map((half) =>
        this.queries.runForRanges(
          `SELECT "group", COUNT(*) AS "endUsers" FROM (
             SELECT DISTINCT api_key_id AS "group", +end_user FROM usage_end_users ${inRange(scope)}
               AND end_user % 2 ${half}
           ) AS seen GROUP BY 1`,
          parametersOf(scope),
          [quartersOverlapping(interval)],
        ),
      ),
      this.queries.runForRanges(
        `SELECT api_key_id AS "group", ${ROLL_UP_SUMS} FROM usage_counts ${inRange(scope)}
         GROUP BY 1`,
        parametersOf(scope),
        [whole],
      ),
      this.edges(scope, 'api_key_id', edges),
    ]);
    const byKey = new Map<string, Figures>();
    for (const row of results.flat()) {
      const key = String(row['group']);
      const figures = byKey.get(key) ?? noFigures();
      byKey.set(key, figures);
      addRow(figures, row);
    }
    // A key may have counts of zero: a withdrawn rating subtracts what the rating had added.
    return new Map([...byKey].filter(([, figures]) => !isEmpty(figures)));
  }

  private endUsers(scope: Scope, ranges: readonly QuarterRange[]): Promise<ReportRow[]> {
    // `+end_user` keeps SQLite from using the index by end user, of which it would read every row.
    // PostgreSQL runs SELECT DISTINCT in a subquery faster than COUNT(DISTINCT).
    return this.queries.runForRanges(
      `SELECT COUNT(*) AS "endUsers" FROM (
         SELECT DISTINCT +end_user FROM usage_end_users ${inRange(scope)}
       ) AS seen`,
      parametersOf(scope),
      ranges,
    );
  }

  /**
   * Counts parts of quarter hours by single records. Refused requests have none, so those of the
   * whole quarter hour are counted.
   */
  private async edges(
    scope: Scope,
    group: string,
    edges: readonly Interval[],
  ): Promise<ReportRow[]> {
    const rows = await Promise.all(
      edges.flatMap(({ start, end }) => {
        const moments = [start, end].map((moment) => this.queries.instant(moment));
        const parameters = [...parametersOf(scope), ...moments];
        const records = `FROM usage_records ${ofScope(scope)}
          AND created_at >= $${parameters.length - 1} AND created_at < $${parameters.length}`;
        const quarter = quarterOf(new Date(start));
        return [
          this.queries.run(
            `SELECT ${group} AS "group", ${RECORD_SUMS} ${records} GROUP BY 1`,
            parameters,
          ),
          this.queries.run(
            `SELECT ${group} AS "group", latency_ms AS "latencyMs", COUNT(*) AS answers
             ${records} AND kind <> 'conversation' GROUP BY 1, 2`,
            parameters,
          ),
          this.queries.runForRanges(
            `SELECT ${group} AS "group", ${sum('refused', 'refused')}
             FROM usage_counts ${inRange(scope)} GROUP BY 1`,
            parametersOf(scope),
            [{ first: quarter, next: quarter + 1 }],
          ),
        ];
      }),
    );
    return rows.flat();
  }
}

const ofScope = ({ environment }: Scope) =>
  `WHERE kb_id = $1 ${environment ? 'AND environment = $2' : ''}`;

const parametersOf = ({ kbId, environment }: Scope): Parameter[] => [
  kbId,
  ...(environment ? [environment] : []),
];

const inRange = (scope: Scope) => `${ofScope(scope)} AND quarter >= $first AND quarter < $next`;
