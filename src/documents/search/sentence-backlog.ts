import type { DataSource } from 'typeorm';
import { toFairShare, type FairShare } from '../../knowledge-bases/fair-share-lookup.js';
import { sqlParameter } from '../../platform/database/dialect.js';

/** One index lookup per knowledge base. */
const waiting = (model: string) => `
  SELECT id AS "kbId", created_by AS "createdBy" FROM knowledge_bases k
  WHERE state = 'active' AND EXISTS (
    SELECT 1 FROM passage_vectors v
    WHERE v.model = ${model} AND v.kb_id = k.id AND v.sentence_vectors IS NULL)
  ORDER BY id`;

/**
 * Knowledge bases with sentences that lack vectors. Users take turns, and so do the knowledge bases of
 * each user.
 */
export class SentenceBacklog {
  /** The knowledge bases still to come in this round: one per user. */
  private round: FairShare[] = [];
  /** The knowledge base that had the last turn, by user. */
  private last: ReadonlyMap<string, string> = new Map();

  constructor(private readonly dataSource: DataSource) {}

  async next(model: string): Promise<string | undefined> {
    if (this.round.length === 0) {
      const rows = await this.dataSource.query<{ kbId: string; createdBy: string | null }[]>(
        waiting(sqlParameter(this.dataSource, 0)),
        [model],
      );
      const fairShares = rows.map(({ kbId, createdBy }) => toFairShare(kbId, createdBy));
      this.round = [...Map.groupBy(fairShares, ({ userId }) => userId)].flatMap(([userId, own]) => {
        const last = this.last.get(userId) ?? '';
        return own.find(({ kbId }) => kbId > last) ?? own.slice(0, 1);
      });
      this.last = new Map(this.round.map(({ userId, kbId }) => [userId, kbId]));
    }
    return this.round[0]?.kbId;
  }

  /** Notes that the knowledge base has had its turn. */
  note(kbId: string): void {
    this.round = this.round.filter((fairShare) => fairShare.kbId !== kbId);
  }
}
