import { DataSource, EntityManager, QueryFailedError } from 'typeorm';
import { isRetryable } from './database-error.js';
import { together } from './together.js';
import { Durability, UnitOfWork } from './unit-of-work.js';

const ATTEMPTS = 3;

export class PostgresUnitOfWork extends UnitOfWork {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  protected override async transact<T>(
    work: (manager: EntityManager) => Promise<T>,
    durability: Durability,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(async (manager) => {
          if (durability === 'power loss') return work(manager);
          const [, result] = await together(
            manager,
            () => manager.query('SET LOCAL synchronous_commit = off'),
            () => work(manager),
          );
          return result;
        });
      } catch (error) {
        const again = error instanceof QueryFailedError && isRetryable(error.driverError);
        if (!again || attempt === ATTEMPTS) throw error;
      }
    }
  }
}
