import { Injectable } from '@nestjs/common';
import { BILLION } from '../../knowledge-bases/budgets/budget.js';
import { endUserNumber } from '../../usage/end-user-number.js';
import type { CostFiguresDto, CostGroup, CostRowDto } from './costs.dto.js';
import {
  type Parameter,
  ReportQueries,
  type ReportRow,
} from '../../platform/reports/report-queries.js';
import { quartersOverlapping } from './report-ranges.js';
import type { Interval } from './time-range.js';
import type { Scope } from './usage-report.js';

const SUMS = [
  `CAST(SUM(requests) AS bigint) AS messages`,
  `CAST(SUM(prompt_tokens) AS bigint) AS "promptTokens"`,
  `CAST(SUM(completion_tokens) AS bigint) AS "completionTokens"`,
  `CAST(SUM(cost) AS bigint) AS cost`,
].join();
const GREATEST_FIRST = `ORDER BY SUM(cost) DESC,
  SUM(prompt_tokens + completion_tokens) DESC, SUM(requests) DESC, 1`;

/** The number of end users read by one query. */
const BATCH = 1000;

/** Adds up what answers cost. */
@Injectable()
export class CostReport {
  constructor(private readonly queries: ReportQueries) {}

  async totals(scope: Scope, interval: Interval): Promise<CostFiguresDto> {
    const { where, parameters } = conditions(scope, interval, 'model');
    const [row = {}] = await this.queries.run(
      `SELECT ${SUMS} FROM usage_members ${where}`,
      parameters,
    );
    return toFigures(row);
  }

  /** @returns the rows of the greatest cost, at most `limit` of them */
  async rows(
    scope: Scope,
    interval: Interval,
    group: CostGroup,
    limit: number,
  ): Promise<CostRowDto[]> {
    if (group === 'end_user') return this.endUserRows(scope, interval, limit);
    const { where, parameters } = conditions(scope, interval, 'model');
    const grouped = (column: string) =>
      `SELECT ${column} AS "group", ${SUMS} FROM usage_members ${where}
       GROUP BY 1 ${GREATEST_FIRST} LIMIT ${limit}`;
    if (group === 'model') {
      const rows = await this.queries.run(grouped('member'), parameters);
      return rows.map((row) => ({ model: String(row['group']), ...toFigures(row) }));
    }
    const rows = await this.queries.run(grouped('api_key_id'), parameters);
    const names = await this.queries.run(
      `SELECT id, name FROM api_keys JOIN api_key_grants opened ON opened.key_id = id
       WHERE opened.kb_id = $1`,
      [scope.kbId],
    );
    const nameById = new Map(names.map(({ id, name }) => [id, String(name)]));
    return rows.map((row) => ({
      api_key_id: String(row['group']),
      api_key_name: nameById.get(row['group']) ?? null,
      ...toFigures(row),
    }));
  }

  /** End users that were erased, and those beyond the limit, share one row. */
  private async endUserRows(
    scope: Scope,
    interval: Interval,
    limit: number,
  ): Promise<CostRowDto[]> {
    const { where, parameters } = conditions(scope, interval, 'end_user');
    // Numbers that begin with `-` are of end users who were erased.
    const rows = await this.queries.run(
      `SELECT member AS "group", ${SUMS} FROM usage_members ${where} AND member NOT LIKE '-%'
       GROUP BY 1 ${GREATEST_FIRST} LIMIT ${limit}`,
      parameters,
    );
    const totals = await this.totals(scope, interval);
    const numbers = new Set(rows.map((row) => String(row['group'])));
    const idByNumber = await this.endUserIds(scope.kbId, interval, numbers);
    const named: CostRowDto[] = [];
    const rest = { ...totals };
    for (const row of rows) {
      const endUserId = idByNumber.get(String(row['group']));
      if (endUserId === undefined) continue;
      const figures = toFigures(row);
      named.push({ end_user_id: endUserId, ...figures });
      for (const name of FIGURES) rest[name] -= figures[name];
    }
    if (rest.messages > 0) named.push({ end_user_id: null, ...rest, cost: rounded(rest.cost) });
    return named.slice(0, limit);
  }

  /** Usage stores numbers only, so the ids are looked up by number. */
  private async endUserIds(
    kbId: string,
    { start }: Interval,
    numbers: ReadonlySet<string>,
  ): Promise<Map<string, string>> {
    const idByNumber = new Map<string, string>();
    for (let last = ''; idByNumber.size < numbers.size;) {
      const rows = await this.queries.run(
        `SELECT DISTINCT end_user_id AS id FROM conversations
         WHERE kb_id = $1 AND end_user_id > $2 AND updated_at >= $3 ORDER BY 1 LIMIT ${BATCH}`,
        [kbId, last, this.queries.instant(start)],
      );
      for (const row of rows) {
        last = String(row['id']);
        const number = endUserNumber(kbId, last);
        if (numbers.has(number)) idByNumber.set(number, last);
      }
      if (rows.length < BATCH) break;
    }
    return idByNumber;
  }
}

const FIGURES = ['messages', 'prompt_tokens', 'completion_tokens', 'cost'] as const;

function conditions(
  { kbId, environment }: Scope,
  interval: Interval,
  kind: 'model' | 'end_user',
): { where: string; parameters: Parameter[] } {
  const { first, next } = quartersOverlapping(interval);
  return {
    // The kind is a parameter, so that SQLite does not use the partial index of end users.
    where: `WHERE kb_id = $1 AND kind = $2 AND quarter >= $3 AND quarter < $4
      ${environment ? 'AND environment = $5' : ''}`,
    parameters: [kbId, kind, first, next, ...(environment ? [environment] : [])],
  };
}

const toFigures = (row: ReportRow): CostFiguresDto => ({
  messages: Number(row['messages'] ?? 0),
  prompt_tokens: Number(row['promptTokens'] ?? 0),
  completion_tokens: Number(row['completionTokens'] ?? 0),
  cost: Number(row['cost'] ?? 0) / BILLION,
});

/** Rounds away the error of floating-point subtraction. */
const rounded = (cost: number) => Math.round(cost * BILLION) / BILLION;
