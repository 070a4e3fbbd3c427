import { Injectable } from '@nestjs/common';
import { DEFAULT_LIMIT, type Page } from '../../platform/http/page.dto.js';
import { newId } from '../../platform/http/type-id.js';
import type { Principals } from '../../knowledge-bases/access-rules/principals.js';
import { sqlIsReadable, withEveryone } from '../../knowledge-bases/access-rules/readable-sql.js';
import { QUARTERS_PER_DAY } from '../../usage/quarter.js';
import type { RankingQueryDto } from './analytics-query.dto.js';
import { TopDocumentDto, UnansweredQuestionDto } from './analytics.dto.js';
import { type Parameter, ReportQueries } from '../../platform/reports/report-queries.js';
import { afterCursor, decodeCursor, toInstant, toPage } from './ranked-page.js';
import { toInterval } from './time-range.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lists that are ordered by a count, the greatest first. */
@Injectable()
export class Rankings {
  constructor(private readonly queries: ReportQueries) {}

  /**
   * The cursor holds the latest question of the first page. The next pages leave later questions out, so
   * that new ones do not shift the pages.
   */
  async unanswered(kbId: string, query: RankingQueryDto): Promise<Page<UnansweredQuestionDto>> {
    const { start, end } = toInterval(query);
    const [count, topic, firstPageLatest] = decodeCursor(
      query.cursor,
      /^(\d+)\.(\d+)\.(msg_[0-9a-z]{26})$/,
    );
    const latest = firstPageLatest ?? newId('msg');
    const { limit = DEFAULT_LIMIT, environment } = query;
    const parameters: Parameter[] = [
      ...[kbId, this.queries.instant(start), this.queries.instant(end), latest],
      ...(environment ? [environment] : []),
    ];
    const from = `FROM unanswered_questions
      WHERE kb_id = $1 AND asked_at >= $2 AND asked_at < $3 AND message_id <= $4
        ${environment ? 'AND environment = $5' : ''}`;
    const groups = `SELECT topic, COUNT(*) AS count, MAX(asked_at) AS last_asked_at,
        MAX(message_id) AS message_id
      ${from} GROUP BY topic`;
    const after = afterCursor('topic', count, topic && Number(topic), parameters.length);
    const [rows, [total = {}]] = await Promise.all([
      this.queries.run(
        `SELECT found.*, messages.content AS question
         FROM (SELECT * FROM (${groups}) AS grouped ${after.sql}
           ORDER BY count DESC, topic DESC LIMIT ${limit + 1}) AS found
         JOIN messages ON messages.id = found.message_id
         ORDER BY found.count DESC, found.topic DESC`,
        [...parameters, ...after.parameters],
      ),
      this.queries.run(`SELECT COUNT(DISTINCT topic) AS total ${from}`, parameters),
    ]);
    return toPage(rows, total, limit, {
      toRow: (row) => ({
        question: String(row['question']),
        count: Number(row['count']),
        last_asked_at: toInstant(row['last_asked_at']),
      }),
      toCursor: (row) => [Number(row['count']), Number(row['topic']), latest].join('.'),
    });
  }

  /**
   * Counts the days (UTC) that the period overlaps. Deleted documents are left out.
   *
   * @param principals only documents that these may read are named; undefined names all
   */
  async topDocuments(
    kbId: string,
    query: RankingQueryDto,
    principals: Principals | undefined,
  ): Promise<Page<TopDocumentDto>> {
    const { start, end } = toInterval(query);
    const [count, documentId] = decodeCursor(query.cursor, /^(\d+)\.(doc_[0-9a-z]{26})$/);
    const { limit = DEFAULT_LIMIT, environment } = query;
    const parameters: Parameter[] = [
      kbId,
      QUARTERS_PER_DAY * Math.floor(start / DAY_MS),
      QUARTERS_PER_DAY * Math.ceil(end / DAY_MS),
      ...(environment ? [environment] : []),
    ];
    const readers = principals && `$${parameters.push(JSON.stringify(withEveryone(principals)))}`;
    const isReadable = readers
      ? sqlIsReadable('documents', '$1', (column) => this.queries.isIn(column, readers))
      : 'TRUE';
    const counted = `SELECT documents.id AS document_id, documents.title, counted.count
      FROM (SELECT member AS document_id, CAST(SUM(requests) AS bigint) AS count
        FROM usage_members WHERE kb_id = $1 AND kind = 'document'
          AND quarter >= $2 AND quarter < $3 ${environment ? 'AND environment = $4' : ''}
        GROUP BY member) AS counted
      JOIN documents ON documents.id = counted.document_id AND documents.state = 'active'
      WHERE ${isReadable}`;
    const after = afterCursor('document_id', count, documentId, parameters.length);
    const [rows, [total = {}]] = await Promise.all([
      this.queries.run(
        `SELECT * FROM (${counted}) AS found ${after.sql}
         ORDER BY count DESC, document_id DESC LIMIT ${limit + 1}`,
        [...parameters, ...after.parameters],
      ),
      this.queries.run(`SELECT COUNT(*) AS total FROM (${counted}) AS found`, parameters),
    ]);
    return toPage(rows, total, limit, {
      toRow: (row) => ({
        document_id: String(row['document_id']),
        title: String(row['title']),
        count: Number(row['count']),
      }),
      toCursor: (row) => `${Number(row['count'])}.${String(row['document_id'])}`,
    });
  }
}
