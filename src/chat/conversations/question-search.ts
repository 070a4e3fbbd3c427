import { Injectable } from '@nestjs/common';
import { toComparableName } from '@latchkey/text/person-name';
import { type Parameter, ReportQueries } from '../../platform/reports/report-queries.js';
import { ReportLimiter } from '../../knowledge-bases/report-limiter.js';
import { DASHBOARD_LIMITS, FairLimiter } from '../../knowledge-bases/fair-limiter.js';
import { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { classifyFailure } from '../../platform/database/database-error.js';
import { containing } from '../../platform/database/dialect.js';
import { Problem } from '../../platform/problems/problem.js';
import { sqlKeyOfPlace } from './asked-at.js';
import type { ListConversationsDto } from './conversation-query.dto.js';

/** The number of questions that a search reads. */
const MAX_SEARCHED = 20_000;
/** The number of conversations that a search finds, the newest first. */
const MAX_FOUND = 1000;
/** The number of words of `q` that are used. */
const MAX_WORDS = 10;

/**
 * Finds conversations by the words of their questions. Answers are not searched: some are based on
 * documents that the reader may not see, and a match would reveal their content.
 */
@Injectable()
export class QuestionSearch {
  /** One search runs at a time, so that other reports get their turn. */
  private readonly searches = new FairLimiter(1, DASHBOARD_LIMITS);

  constructor(
    private readonly queries: ReportQueries,
    private readonly limiter: ReportLimiter,
    private readonly fairShares: FairShareLookup,
  ) {}

  /**
   * @param signal aborted when nobody waits any more; what has not begun then is not begun
   * @returns the ids of those with a question that has every word of `q`, the newest first
   * @throws Problem `knowledge_base_busy` when it would wait or take too long
   */
  async find(
    kbId: string,
    q: string,
    { end_user_id: endUserId, environment, from, to, asked_at: place }: ListConversationsDto,
    signal: AbortSignal,
  ): Promise<string[]> {
    const parameters: Parameter[] = [];
    const parameter = (value: Parameter) => `$${parameters.push(value)}`;
    const instant = (text: string) => parameter(this.queries.instant(Date.parse(text)));
    const conditions = [
      `c.kb_id = ${parameter(kbId)}`,
      ...(endUserId === undefined
        ? []
        : [
            `(c.compared_end_user_id = ${parameter(toComparableName(endUserId))}
              OR c.compared_end_user_id IS NULL AND c.end_user_id = ${parameter(endUserId)})`,
          ]),
      ...(environment === undefined ? [] : [`c.environment = ${parameter(environment)}`]),
      ...(place === undefined ? [] : [`c.api_key_id = (${sqlKeyOfPlace(parameter(place))})`]),
      ...(from === undefined ? [] : [`c.created_at >= ${instant(from)}`]),
      ...(to === undefined ? [] : [`c.created_at < ${instant(to)}`]),
    ];
    // The order of the index that the conditions use, so that no more rows are read than needed.
    const isByTime = endUserId === undefined && (from !== undefined || to !== undefined);
    const words = q.trim().split(/\s+/).slice(0, MAX_WORDS);
    const hasWords = words
      .map((word) => `LOWER(asked.content) LIKE LOWER(${parameter(containing(word))}) ESCAPE '\\'`)
      .join(' AND ');
    // CROSS JOIN makes SQLite begin with the conversations.
    const sql = `SELECT DISTINCT asked.id AS id
      FROM (SELECT c.id, m.content FROM conversations c CROSS JOIN messages m
        WHERE ${conditions.join(' AND ')} AND m.conversation_id = c.id AND m.role = 'user'
        ORDER BY c.${isByTime ? 'created_at' : 'id'} DESC LIMIT ${MAX_SEARCHED}) AS asked
      WHERE ${hasWords} ORDER BY asked.id DESC LIMIT ${MAX_FOUND}`;
    const rows = await this.searches.run(await this.fairShares.findFairShare(kbId), signal, () =>
      this.limiter.run(kbId, () => this.run(sql, parameters)),
    );
    return rows.map(({ id }) => String(id));
  }

  private async run(sql: string, parameters: readonly Parameter[]) {
    try {
      return await this.queries.run(sql, parameters);
    } catch (error) {
      if (classifyFailure(error) !== 'cancelled') throw error;
      const detail = 'The search took too long: choose a shorter period.';
      throw new Problem('knowledge_base_busy', { detail, headers: { 'retry-after': '1' } });
    }
  }
}
