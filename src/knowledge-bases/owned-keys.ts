import type { EntityManager } from 'typeorm';

/** The keys of a knowledge base or a service account. The API keys' module implements it. */
export abstract class OwnedKeys {
  /** Deletes the keys, after their owner, in the same transaction: their owner can be of two tables. */
  abstract deleteOf(manager: EntityManager, ownerId: string): Promise<void>;
}
