import type { DataSource, EntityManager } from 'typeorm';

/**
 * Reads that a replica may serve. Access decisions (keys, memberships, roles, conversations of a
 * caller) read from the primary instead, through repositories.
 */
export abstract class Reads {
  /**
   * Runs `work` on a server that has every change acknowledged before the call by any process.
   *
   * @param work reads only, one statement after the other; it may be run twice
   */
  abstract latest<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
}

/** Reads from the primary, if there is no replica. */
export class PrimaryReads extends Reads {
  constructor(private readonly primary: DataSource) {
    super();
  }

  override latest<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return work(this.primary.manager);
  }
}
