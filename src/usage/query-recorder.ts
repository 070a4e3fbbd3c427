import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { EntityManager, In } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { GroupCommit } from './group-commit.js';
import { recordQueries, Use } from './record-uses.js';
import { UsageRecord } from './usage-record.entity.js';

/** What may wait in memory while the database cannot be written. */
const MAX_KEPT = 30_000;
/** Rows in one statement: SQLite takes 32,766 parameters. */
const SLICE = 1000;

/**
 * Records each query before it is answered, many in one transaction. It outlives the process, also
 * one that is killed; only a power cut may take the last moments along, which spares every query
 * the wait for the disk.
 */
@Injectable()
export class QueryRecorder implements OnApplicationShutdown {
  private readonly logger = new Logger(QueryRecorder.name);
  private readonly group: GroupCommit<Use>;
  /** What could not be written: a full disk takes no answer from those who only read. */
  private kept: Use[] = [];

  constructor(private readonly unitOfWork: UnitOfWork) {
    this.group = new GroupCommit((uses) => this.write(uses));
  }

  /** Resolves when the query has been recorded. */
  record(use: Use): Promise<void> {
    return this.group.add(use);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.write([]);
  }

  /** What is kept comes after, so that what is new does not fail with it. */
  private async write(uses: readonly Use[]): Promise<void> {
    const failed = await this.writeSlices(uses, (_, slice) => Promise.resolve(slice));
    if (failed.length === 0) this.kept = await this.writeSlices(this.kept, unwritten);
    else this.kept = [...this.kept, ...failed].slice(-MAX_KEPT);
  }

  /** @returns what could not be written */
  private async writeSlices(
    uses: readonly Use[],
    choose: (manager: EntityManager, slice: readonly Use[]) => Promise<readonly Use[]>,
  ): Promise<Use[]> {
    for (let start = 0; start < uses.length; start += SLICE) {
      const slice = uses.slice(start, start + SLICE);
      try {
        await this.unitOfWork.run(async (manager) => {
          await recordQueries(manager, await choose(manager, slice));
        });
      } catch (error) {
        this.logger.error(error);
        return uses.slice(start);
      }
    }
    return [];
  }
}

/** Whether a commit that failed has happened all the same, only the database knows. */
async function unwritten(manager: EntityManager, uses: readonly Use[]): Promise<Use[]> {
  const written = await manager.find(UsageRecord, {
    select: { id: true },
    where: { id: In(uses.map(({ id }) => id)) },
  });
  const ids = new Set(written.map(({ id }) => id));
  return uses.filter(({ id }) => !ids.has(id));
}
