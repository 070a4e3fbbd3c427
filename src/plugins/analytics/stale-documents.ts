import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type CitedAnswers, HasCitedAnswers } from '../../documents/cited-answers.js';
import { sqlIsValid } from '../../documents/search/validity.js';
import type { Principals } from '../../knowledge-bases/access-rules/principals.js';
import { sqlIsReadable, withEveryone } from '../../knowledge-bases/access-rules/readable-sql.js';
import { DEFAULT_LIMIT, type Page } from '../../platform/http/page.dto.js';
import { type Parameter, ReportQueries } from '../../platform/reports/report-queries.js';
import { QUARTERS_PER_DAY } from '../../usage/quarter.js';
import { afterCursor, decodeCursor, toInstant, toPage } from './ranked-page.js';
import {
  DEFAULT_STALE_DAYS,
  StaleDocumentDto,
  type StaleDocumentsQueryDto,
} from './stale-documents.dto.js';
import { toInterval } from './time-range.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Documents whose content has not changed for long, by the answers that cite them. */
@Injectable()
export class StaleDocuments implements OnModuleInit {
  private answers: CitedAnswers | undefined;

  constructor(
    private readonly queries: ReportQueries,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.answers = HasCitedAnswers.find(this.discovery)[0]?.instance;
  }

  /**
   * Finds them; documents that answers do not use any more, since they are not valid, are left out. A source
   * that still has a document as it was does not make it newer.
   *
   * @param principals only documents that these may read are named; undefined names all
   */
  async find(
    kbId: string,
    query: StaleDocumentsQueryDto,
    principals: Principals | undefined,
  ): Promise<Page<StaleDocumentDto>> {
    const { start, end } = toInterval(query);
    const [count, documentId] = decodeCursor(query.cursor, /^(\d+)\.(doc_[0-9a-z]{26})$/);
    const {
      limit = DEFAULT_LIMIT,
      environment,
      not_updated_days: days = DEFAULT_STALE_DAYS,
    } = query;
    const now = Date.now();
    const parameters: Parameter[] = [
      kbId,
      QUARTERS_PER_DAY * Math.floor(start / DAY_MS),
      QUARTERS_PER_DAY * Math.ceil(end / DAY_MS),
      this.queries.instant(now - days * DAY_MS),
      this.queries.instant(now),
      ...(environment ? [environment] : []),
    ];
    const readers = principals && `$${parameters.push(JSON.stringify(withEveryone(principals)))}`;
    const isReadable = readers
      ? sqlIsReadable('documents', '$1', (column) => this.queries.isIn(column, readers))
      : 'TRUE';
    const since = 'COALESCE(documents.content_since, documents.created_at)';
    const counted = `SELECT documents.id AS document_id, documents.title, documents.source_url,
        ${since} AS content_date, documents.synced_at, documents.valid_until, counted.count
      FROM (SELECT member AS document_id, CAST(SUM(requests) AS bigint) AS count
        FROM usage_members WHERE kb_id = $1 AND kind = 'document'
          AND quarter >= $2 AND quarter < $3 ${environment ? 'AND environment = $6' : ''}
        GROUP BY member) AS counted
      JOIN documents ON documents.id = counted.document_id AND documents.state = 'active'
      WHERE ${since} <= $4 AND ${sqlIsValid('documents', '$5')} AND ${isReadable}`;
    const after = afterCursor('document_id', count, documentId, parameters.length);
    const [rows, [total = {}]] = await Promise.all([
      this.queries.run(
        `SELECT * FROM (${counted}) AS found ${after.sql}
         ORDER BY count DESC, document_id DESC LIMIT ${limit + 1}`,
        [...parameters, ...after.parameters],
      ),
      this.queries.run(`SELECT COUNT(*) AS total FROM (${counted}) AS found`, parameters),
    ]);
    const page = toPage(rows, total, limit, {
      toRow: (row): StaleDocumentDto => ({
        document_id: String(row['document_id']),
        title: String(row['title']),
        source_url: typeof row['source_url'] === 'string' ? row['source_url'] : null,
        updated_at: toInstant(row['content_date']),
        synced_at: toOptionalInstant(row['synced_at']),
        valid_until: toOptionalInstant(row['valid_until']),
        count: Number(row['count']),
        curated_answers: [],
      }),
      toCursor: (row) => `${Number(row['count'])}.${String(row['document_id'])}`,
    });
    return { ...page, data: await this.withAnswers(kbId, page.data, principals) };
  }

  private async withAnswers(
    kbId: string,
    documents: readonly StaleDocumentDto[],
    principals: Principals | undefined,
  ): Promise<StaleDocumentDto[]> {
    const answers = (await this.answers?.findAll(kbId, principals)) ?? [];
    return documents.map((document) => ({
      ...document,
      curated_answers: answers
        .filter(({ sourceIds }) => sourceIds.includes(document.document_id))
        .map(({ id, reviewAt }) => ({ id, review_at: reviewAt?.toISOString() ?? null })),
    }));
  }
}

const toOptionalInstant = (value: unknown) => (value === null ? null : toInstant(value));
