import type { DataSource } from 'typeorm';
import type { DocumentVersion } from '@latchkey/ranking/search-index';
import { sqlParameter } from '../../platform/database/dialect.js';
import { Passage } from '../passage.entity.js';
import { toFairShare, type FairShare } from '../../knowledge-bases/fair-share-lookup.js';

/** The number of passages that one query checks, so that it stays short. */
const PART = 2000;

/** The newest passage of each is found by one index lookup. */
const KNOWLEDGE_BASES = `
  SELECT id AS "kbId", created_by AS "createdBy",
    (SELECT MAX(number) FROM passages WHERE kb_id = knowledge_bases.id) AS newest
  FROM knowledge_bases WHERE state = 'active'`;

/** A range of passages of one knowledge base, some of which may lack vectors; `after` is exclusive. */
export interface PassageRange {
  readonly kbId: string;
  readonly after: number;
  readonly end: number;
}

interface Progress {
  /** All passages up to this number have vectors or were rejected by the model. */
  readonly checkedUpTo: number;
  /** The last round of the knowledge base; the lower, the longer it has waited. */
  readonly round: number;
}

/** Tracks which passages may lack vectors. Users take turns, and so do the knowledge bases of each user. */
export class VectorBacklog {
  private readonly progress = new Map<string, Progress>();
  /** By knowledge base: passages above this number were committed after its last round began. */
  private readonly committed = new Map<string, number>();
  private knowledgeBases: (FairShare & { readonly newest: number })[] = [];
  private newest = 0;
  /** Calls of lookAt() and reset(), and how many of them the list of knowledge bases reflects. */
  private extensions = 0;
  private extensionsRead = 0;
  private round = 0;

  constructor(private readonly dataSource: DataSource) {}

  /** Makes all passages be checked again. */
  reset(): void {
    this.progress.clear();
    this.committed.clear();
    this.extensions++;
  }

  /** Makes these passages be checked even if passages with higher numbers were committed earlier. */
  async lookAt(kbId: string, versions: readonly DocumentVersion[]): Promise<void> {
    for (const { documentId, version } of versions) {
      // The first passage of a document has its lowest number, and is found by one index lookup.
      const [first] = await this.dataSource.manager.find(Passage, {
        select: { number: true },
        where: { documentId, version },
        order: { position: 'ASC' },
        take: 1,
      });
      if (!first) continue;
      const before = first.number - 1;
      this.committed.set(kbId, Math.min(before, this.committed.get(kbId) ?? before));
    }
    this.extensions++;
  }

  /**
   * @param away knowledge bases to skip
   * @returns a range of one knowledge base for each user with unchecked passages
   */
  async nextRound(away: ReadonlySet<string>): Promise<PassageRange[]> {
    await this.refresh();
    const waiting = this.knowledgeBases.filter(
      ({ kbId, newest }) => this.getCheckedUpTo(kbId) < newest && !away.has(kbId),
    );
    const ofUsers = Map.groupBy(waiting, ({ userId }) => userId).values();
    const round = [...ofUsers].flatMap((own) => own.toSorted(this.byRound).slice(0, 1));
    return Promise.all(round.map(({ kbId }) => this.takeRange(kbId)));
  }

  /** Notes that the round of the knowledge base is over. */
  note({ kbId }: PassageRange, checkedUpTo: number): void {
    this.progress.set(kbId, { checkedUpTo, round: ++this.round });
  }

  private getCheckedUpTo(kbId: string): number {
    const checkedUpTo = this.progress.get(kbId)?.checkedUpTo ?? 0;
    return Math.min(checkedUpTo, this.committed.get(kbId) ?? checkedUpTo);
  }

  private readonly byRound = (one: FairShare, other: FairShare): number =>
    (this.progress.get(one.kbId)?.round ?? 0) - (this.progress.get(other.kbId)?.round ?? 0);

  private async refresh(): Promise<void> {
    const { extensions } = this;
    const [row] = await this.dataSource.query<{ newest: number | null }[]>(
      'SELECT MAX(number) AS newest FROM passages',
    );
    const newest = row?.newest ?? 0;
    if (newest === this.newest && extensions === this.extensionsRead) return;
    const rows =
      await this.dataSource.query<
        { kbId: string; createdBy: string | null; newest: number | null }[]
      >(KNOWLEDGE_BASES);
    this.knowledgeBases = rows.map(({ kbId, createdBy, newest: own }) => ({
      ...toFairShare(kbId, createdBy),
      newest: own ?? 0,
    }));
    this.newest = newest;
    this.extensionsRead = extensions;
  }

  private async takeRange(kbId: string): Promise<PassageRange> {
    const after = this.getCheckedUpTo(kbId);
    this.progress.set(kbId, { checkedUpTo: after, round: this.progress.get(kbId)?.round ?? 0 });
    this.committed.delete(kbId);
    const [id, last] = [0, 1].map((index) => sqlParameter(this.dataSource, index));
    const [row] = await this.dataSource.query<{ end: number | null }[]>(
      `SELECT MAX(number) AS "end" FROM (
         SELECT number FROM passages WHERE kb_id = ${id} AND number > ${last}
         ORDER BY number LIMIT ${PART}) part`,
      [kbId, after],
    );
    // If no passage is left, the remaining ones were deleted.
    return { kbId, after, end: row?.end ?? this.newest };
  }
}
