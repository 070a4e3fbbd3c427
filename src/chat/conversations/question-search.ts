import { Injectable } from '@nestjs/common';
import { type Parameter, ReportQueries } from '../../activity/analytics/report-queries.js';
import { ReportTurns } from '../../activity/analytics/report-turns.js';
import { containing } from '../../platform/database/dialect.js';
import type { ListConversationsDto } from './conversation-query.dto.js';

/** Conversations whose questions one search reads: on SQLite and PostgreSQL in 0.1 s. */
const MAX_SEARCHED = 20_000;
/** The newest that a search finds. */
const MAX_FOUND = 1000;
/** More words of `q` are not looked for. */
const MAX_WORDS = 10;

/**
 * Finds conversations by the words of their questions. Answers are not searched: some rest on documents that
 * the reader may not see, and what they are found by would tell of them.
 */
@Injectable()
export class QuestionSearch {
  constructor(
    private readonly queries: ReportQueries,
    private readonly turns: ReportTurns,
  ) {}

  /** @returns the ids of those with a question that has every word of `q`, the newest first */
  async find(
    kbId: string,
    q: string,
    { end_user_id: endUserId, environment, from, to }: ListConversationsDto,
  ): Promise<string[]> {
    const parameters: Parameter[] = [];
    const parameter = (value: Parameter) => `$${parameters.push(value)}`;
    const instant = (text: string) => parameter(this.queries.instant(Date.parse(text)));
    const conditions = [
      `kb_id = ${parameter(kbId)}`,
      ...(endUserId === undefined ? [] : [`end_user_id = ${parameter(endUserId)}`]),
      ...(environment === undefined ? [] : [`environment = ${parameter(environment)}`]),
      ...(from === undefined ? [] : [`created_at >= ${instant(from)}`]),
      ...(to === undefined ? [] : [`created_at < ${instant(to)}`]),
    ];
    const words = q.trim().split(/\s+/).slice(0, MAX_WORDS);
    const hasWords = words
      .map((word) => `LOWER(m.content) LIKE LOWER(${parameter(containing(word))}) ESCAPE '\\'`)
      .join(' AND ');
    const sql = `SELECT newest.id AS id
      FROM (SELECT id FROM conversations WHERE ${conditions.join(' AND ')}
        ORDER BY id DESC LIMIT ${MAX_SEARCHED}) AS newest
      WHERE EXISTS (SELECT 1 FROM messages m
        WHERE m.conversation_id = newest.id AND m.role = 'user' AND ${hasWords})
      ORDER BY newest.id DESC LIMIT ${MAX_FOUND}`;
    const rows = await this.turns.run(kbId, () => this.queries.run(sql, parameters));
    return rows.map(({ id }) => String(id));
  }
}
