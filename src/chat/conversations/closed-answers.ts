import { Injectable } from '@nestjs/common';
import { ReportQueries, type ReportRow } from '../../platform/reports/report-queries.js';
import { ReportLimiter } from '../../knowledge-bases/report-limiter.js';
import {
  ClosedDocuments,
  toCitedDocument,
  parseCitedDocument,
} from '../../documents/closed-documents.js';
import type { Principals } from '../../knowledge-bases/access-rules/principals.js';
import {
  type DashboardUser,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';

/** The number of newest answers that are checked. */
const MAX_ANSWERS = 20_000;

/** The newest answers of a knowledge base, of which rules hide some from the reader. */
export interface NewestAnswers {
  /** The ids of conversations with a hidden answer. */
  readonly closed: ReadonlySet<string>;
  /** The id of the last conversation that was not checked completely; undefined if all were. */
  readonly after: string | undefined;
}

/**
 * Finds answers that are hidden from a reader of conversations, because they may quote documents that the
 * reader may not see. To the reader, their questions were not answered.
 */
@Injectable()
export class ClosedAnswers {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly documents: ClosedDocuments,
    private readonly queries: ReportQueries,
    private readonly limiter: ReportLimiter,
  ) {}

  /**
   * Finds the documents that a user may not read.
   *
   * @param kbId of the conversations
   * @param documents as `toCitedDocument` names them
   */
  async findClosedDocuments(
    user: DashboardUser,
    kbId: string,
    documents: readonly string[],
  ): Promise<Set<string>> {
    const readers = new Map([[kbId, getPrincipals(user)]]);
    const others = documents
      .map((one) => parseCitedDocument(one, kbId).kbId)
      .filter((id) => id !== kbId);
    for (const id of await this.knowledgeBases.findVisible(user, others)) {
      const pushedGroups = await this.knowledgeBases.pushedGroups(user, id);
      readers.set(id, [...getPrincipals({ id: user.id, groups: user.groups }), ...pushedGroups]);
    }
    return this.documents.findClosed(kbId, documents, (id): Principals | undefined =>
      readers.get(id),
    );
  }

  /** Finds conversations with a hidden answer. */
  findClosedConversations(
    user: DashboardUser,
    kbId: string,
    ids: readonly string[],
  ): Promise<Set<string>> {
    return this.findClosedOwners(user, kbId, 'conversation_id', ids);
  }

  /** Finds hidden answers. */
  findClosedAnswers(
    user: DashboardUser,
    kbId: string,
    ids: readonly string[],
  ): Promise<Set<string>> {
    return this.findClosedOwners(user, kbId, 'id', ids);
  }

  /** Finds the newest answers of a knowledge base; undefined if nothing hides any. */
  async findNewest(user: DashboardUser, kbId: string): Promise<NewestAnswers | undefined> {
    if (!(await this.mayBeClosed(kbId))) return undefined;
    const newest = (
      columns: string,
    ) => `SELECT ${columns} FROM conversations c CROSS JOIN messages m
      WHERE c.kb_id = $1 AND m.conversation_id = c.id AND m.answered
      ORDER BY c.id DESC LIMIT ${MAX_ANSWERS}`;
    const [rows, counted] = await this.limiter.run(kbId, () =>
      Promise.all([
        this.queries.run(
          this.sqlUsedDocuments(
            'conversation_id',
            newest('m.conversation_id, m.sources, m.told_document_ids'),
          ),
          [kbId],
        ),
        this.queries.run(
          `SELECT COUNT(*) AS count, MIN(id) AS last FROM (${newest('c.id')}) AS looked_at`,
          [kbId],
        ),
      ]),
    );
    const [{ count, last } = {}] = counted;
    return {
      closed: await this.findClosed(user, kbId, rows),
      after: Number(count) < MAX_ANSWERS ? undefined : String(last),
    };
  }

  private async findClosedOwners(
    user: DashboardUser,
    kbId: string,
    column: 'id' | 'conversation_id',
    ids: readonly string[],
  ): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const answers = `SELECT ${column}, sources, told_document_ids FROM messages
      WHERE ${this.queries.isIn(column, '$1')} AND answered`;
    const rows = await this.queries.run(this.sqlUsedDocuments(column, answers), [
      JSON.stringify(ids),
    ]);
    return this.findClosed(user, kbId, rows);
  }

  /** @param answers a statement with `column`, `sources` and `told_document_ids` */
  private sqlUsedDocuments(column: string, answers: string): string {
    const { queries } = this;
    return `WITH answers AS (${answers})
      SELECT DISTINCT answers.${column} AS owner, source.value ->> 'document_id' AS document_id,
        source.value ->> 'kb_id' AS kb_id
      FROM answers CROSS JOIN ${queries.entries('answers.sources', 'json')} AS source
      UNION SELECT answers.${column}, context.value, NULL
      FROM answers CROSS JOIN ${queries.entries('answers.told_document_ids', 'text')} AS context`;
  }

  private async findClosed(
    user: DashboardUser,
    kbId: string,
    rows: readonly ReportRow[],
  ): Promise<Set<string>> {
    const used = rows.map(({ owner, document_id: id, kb_id: sourceKbId }) => ({
      owner: String(owner),
      document: toCitedDocument(
        { document_id: String(id), ...(typeof sourceKbId === 'string' && { kb_id: sourceKbId }) },
        kbId,
      ),
    }));
    const documents = [...new Set(used.map(({ document }) => document))];
    const closed = await this.findClosedDocuments(user, kbId, documents);
    return new Set(used.filter(({ document }) => closed.has(document)).map(({ owner }) => owner));
  }

  /** Nothing can be hidden if there never were rules and no key opens another knowledge base as well. */
  private async mayBeClosed(kbId: string): Promise<boolean> {
    if ((await this.documents.findRuleVersions([kbId])).get(kbId)) return true;
    const sql = `SELECT 1 AS found FROM api_key_grants own
      JOIN api_key_grants other ON other.key_id = own.key_id AND other.kb_id <> own.kb_id
      WHERE own.kb_id = $1 LIMIT 1`;
    return (await this.queries.run(sql, [kbId])).length > 0;
  }
}
