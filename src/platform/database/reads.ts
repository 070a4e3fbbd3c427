import type { DataSource, EntityManager } from 'typeorm';

/**
 * Reads for answers, which a replica may take. What decides on access (keys, memberships, roles,
 * conversations of a caller) is read from the primary instead, by its repository.
 */
export abstract class Reads {
  /**
   * Runs `work` where every change is visible that any process acknowledged before the call.
   *
   * @param work reads only, one statement after the other; it may be run twice
   */
  abstract latest<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
}

/** Without a replica. */
export class PrimaryReads extends Reads {
  constructor(private readonly primary: DataSource) {
    super();
  }

  override latest<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return work(this.primary.manager);
  }
}
