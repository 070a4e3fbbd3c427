import { Injectable } from '@nestjs/common';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { QUARTER_MS } from '../../usage/quarter.js';
import { COUNTER_NAMES, COUNTERS } from '../../usage/usage-counts.js';
import { addFigures, addRow, type UsageFigures, isEmpty, noFigures } from './figures.js';
import {
  type Parameter,
  type Range,
  ReportQueries,
  type ReportRow,
} from '../../platform/reports/report-queries.js';
import { quartersOverlapping, split } from './report-ranges.js';
import type { Interval } from './time-range.js';

/** The requests that a report covers: those of a knowledge base, or of one of its environments. */
export interface Scope {
  readonly kbId: string;
  readonly environment?: ApiKeyEnvironment;
}

// PostgreSQL's SUM of bigints is `numeric`, which the driver returns as text.
const sum = (sql: string, name: string) => `CAST(SUM(${sql}) AS bigint) AS "${name}"`;

/** No report shows the uses of a key, because they include requests that ask nothing. */
const SUMS = [
  ...COUNTER_NAMES.filter((name) => name !== 'uses').map((name) => sum(COUNTERS[name], name)),
  `string_agg(latencies, ',') AS latencies`,
].join();
const REFUSED = sum('refused', 'refused');

const BY_KEY = { columns: 'api_key_id AS "group",', groupBy: 'GROUP BY 1' };
const TOGETHER = { columns: '', groupBy: '' };

/**
 * Adds up the counts of quarter hours. Where an interval begins or ends within a quarter hour (an
 * edge), it adds up those of single requests instead.
 */
@Injectable()
export class UsageReport {
  constructor(private readonly queries: ReportQueries) {}

  /** @returns the figures of each interval, in order, and their totals over `whole` */
  async byInterval(
    scope: Scope,
    whole: Interval,
    intervals: readonly Interval[],
  ): Promise<{ totals: UsageFigures; series: UsageFigures[] }> {
    const parts = intervals.map(split);
    const [endUsers, [allEndUsers = {}], counts, edges] = await Promise.all([
      this.endUsers(scope, intervals.map(quartersOverlapping)),
      this.endUsers(scope, [quartersOverlapping(whole)]),
      this.counts(
        scope,
        'quarter',
        parts.map((part) => part.whole),
      ),
      Promise.all(parts.map((part) => this.edges(scope, part.edges))),
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
  async byApiKey(scope: Scope, interval: Interval): Promise<Map<string, UsageFigures>> {
    const { whole, edges } = split(interval);
    const results = await Promise.all([
      // Two queries with half of the end users each, because SQLite's reports run in two threads.
      ...[`< 'i'`, `>= 'i'`].map((half) =>
        this.queries.runForRanges(
          `SELECT "group", COUNT(*) AS "endUsers" FROM (
             SELECT DISTINCT api_key_id AS "group", member ${fromEndUsers(scope)} AND member ${half}
           ) AS seen GROUP BY 1`,
          [...listParameters(scope), END_USER],
          [quartersOverlapping(interval)],
        ),
      ),
      this.counts(scope, 'quarter', [whole], BY_KEY),
      this.edges(scope, edges, BY_KEY),
    ]);
    const byKey = new Map<string, UsageFigures>();
    for (const row of results.flat()) {
      const key = String(row['group']);
      const figures = byKey.get(key) ?? noFigures();
      byKey.set(key, figures);
      addRow(figures, row);
    }
    // A key may have counts of zero: a withdrawn rating subtracts what the rating had added.
    return new Map([...byKey].filter(([, figures]) => !isEmpty(figures)));
  }

  private endUsers(scope: Scope, ranges: readonly Range[]): Promise<ReportRow[]> {
    // PostgreSQL runs SELECT DISTINCT in a subquery faster than COUNT(DISTINCT).
    return this.queries.runForRanges(
      `SELECT COUNT(*) AS "endUsers" FROM (SELECT DISTINCT member ${fromEndUsers(scope)}) AS seen`,
      [...listParameters(scope), END_USER],
      ranges,
    );
  }

  private counts(
    scope: Scope,
    period: 'quarter' | 'request',
    intervals: readonly Interval[],
    { columns, groupBy } = TOGETHER,
    sums = SUMS,
  ): Promise<ReportRow[]> {
    return this.queries.runForRanges(
      `SELECT ${columns} ${sums} FROM usage_counts ${whereScope(scope)} AND period = '${period}'
         AND at_ms >= $first AND at_ms < $next ${groupBy}`,
      listParameters(scope),
      intervals.map(({ start, end }) => ({ first: start, next: end })),
    );
  }

  /**
   * Counts single requests for parts of quarter hours. Refused requests are stored per quarter hour only,
   * so the whole quarter hour is counted for them.
   */
  private async edges(
    scope: Scope,
    edges: readonly Interval[],
    grouping = TOGETHER,
  ): Promise<ReportRow[]> {
    if (edges.length === 0) return [];
    const quarters = edges.map(({ start }) => {
      const quarterStart = start - (start % QUARTER_MS);
      return { start: quarterStart, end: quarterStart + QUARTER_MS };
    });
    const rows = await Promise.all([
      this.counts(scope, 'request', edges, grouping),
      this.counts(scope, 'quarter', quarters, grouping, REFUSED),
    ]);
    return rows.flat();
  }
}

const whereScope = ({ environment }: Scope) =>
  `WHERE kb_id = $1 ${environment ? 'AND environment = $2' : ''}`;

const listParameters = ({ kbId, environment }: Scope): Parameter[] => [
  kbId,
  ...(environment ? [environment] : []),
];

/**
 * Passed as a parameter, so that SQLite does not choose the partial index of end users, whose every row it
 * would read.
 */
const END_USER = 'end_user';

const fromEndUsers = (scope: Scope) =>
  `FROM usage_members ${whereScope(scope)} AND kind = $${listParameters(scope).length + 1}
     AND quarter >= $first AND quarter < $next`;
