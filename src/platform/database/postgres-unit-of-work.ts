import type { DataSource, EntityManager } from 'typeorm';
import { classifyFailure } from './database-error.js';
import type { WaitingCommits } from './topology/waiting-commits.js';
import { UnitOfWork } from './unit-of-work.js';

const ATTEMPTS = 3;

export class PostgresUnitOfWork extends UnitOfWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly waitingCommits: WaitingCommits,
  ) {
    super();
  }

  protected override async transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    await this.waitingCommits.requireNone();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(async (manager) => {
          const result = await work(manager);
          // This one began before the first commit was found to wait.
          this.waitingCommits.requireNoneKnown();
          return result;
        });
      } catch (error) {
        this.waitingCommits.noteIfUnanswered(error);
        if (classifyFailure(error) !== 'conflict' || attempt === ATTEMPTS) throw error;
      }
    }
  }
}
