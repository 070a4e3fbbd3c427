import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { isRetryable } from './database-error.js';
import { UnitOfWork } from './unit-of-work.js';

const ATTEMPTS = 3;

export class PostgresUnitOfWork extends UnitOfWork {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  protected override async transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(work);
      } catch (error) {
        const retryable = error instanceof QueryFailedError && isRetryable(error.driverError);
        if (!retryable || attempt === ATTEMPTS) throw error;
      }
    }
  }
}
