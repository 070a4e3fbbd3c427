import type { KeyRefusal, KeyUse, UsedKey } from '../usage/key-use.js';

/** Records uses of keys. UsageRecorder implements it; guards know no more of it than this. */
export abstract class KeyUses {
  /** Records an event in memory; it is written later. */
  abstract record(event: KeyUse | KeyRefusal): void;
}

export const toUsedKey = ({ id, kbId, environment }: UsedKey): UsedKey => ({
  id,
  kbId,
  environment,
});

/**
 * Whether a status counts as the refusal of an existing key: revoked, expired, not allowed or over its
 * limit.
 */
export const isRefusal = (status: number): boolean => [401, 403, 429].includes(status);
