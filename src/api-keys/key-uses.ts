import type { KeyRefusal, KeyUse } from '../activity/usage/usage-recorder.js';
import type { UsedKey } from '../activity/usage/used-key.js';

/** Where uses of keys are recorded: the guard knows no more of it. UsageRecorder implements it. */
export abstract class KeyUses {
  /** Returns before anything is written. */
  abstract record(event: KeyUse | KeyRefusal): void;
}

export const toUsedKey = ({ id, kbId, environment }: UsedKey): UsedKey => ({
  id,
  kbId,
  environment,
});

/** Statuses that count as refusals of an existing key: revoked, expired, not allowed, over limit. */
export const isRefusal = (status: number): boolean => [401, 403, 429].includes(status);
