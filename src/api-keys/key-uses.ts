import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';

/** What is kept of the key of a request; an ApiKeyPrincipal has these fields. */
export interface UsedKey {
  readonly id: string;
  readonly kbId: string;
  readonly environment: ApiKeyEnvironment;
}

interface Event {
  readonly key: UsedKey;
  readonly at: Date;
  readonly ip: string;
  readonly count: number;
}

/** A successful request. */
export interface KeyUse extends Event {
  readonly kind: 'use';
}

/** A request with an existing key that was refused. */
export interface KeyRefusal extends Event {
  readonly kind: 'refusal';
  /** Whether the key was deactivated or deleted. */
  readonly isKeyInactive: boolean;
}

/** Where uses of keys are recorded: the guard knows no more of it. UsageRecorder implements it. */
export abstract class KeyUses {
  /** Returns before anything is written. */
  abstract record(event: KeyUse | KeyRefusal): void;
}

export const usedKey = ({ id, kbId, environment }: UsedKey): UsedKey => ({ id, kbId, environment });

/** Statuses that count as refusals of an existing key: revoked, expired, not allowed, over limit. */
export const isRefusal = (status: number): boolean => [401, 403, 429].includes(status);
