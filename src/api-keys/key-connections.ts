import type { Actor } from '../knowledge-bases/events/event.js';
import { declareProviders } from '../platform/discovery/declared-providers.js';

/** An agent that somebody connected to a key. */
export interface KeyConnection {
  readonly id: string;
  readonly clientName: string;
  /** The host that vouches for the name; null if nobody does. */
  readonly clientHost: string | null;
  readonly connectedAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Knows the agents that are connected to a key. */
export interface KeyConnections {
  /** @returns the latest first, at most a hundred */
  findConnections(keyId: string): Promise<readonly KeyConnection[]>;

  /** @returns false if the key has no such agent */
  endConnection(keyId: string, id: string, actor: Actor): Promise<boolean>;
}

/** Declares the provider that knows them; without one there are none. */
export const KnowsKeyConnections = declareProviders<KeyConnections>();
