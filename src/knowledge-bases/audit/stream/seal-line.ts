import { createHmac, type KeyObject } from 'node:crypto';
import type { OcsfEvent } from './ocsf.js';

/** The place of a line in the chain. */
export interface Place {
  readonly chainId: string;
  /** From 1, without gaps. */
  readonly sequence: number;
  /** The line's before; empty for the first. */
  readonly previousHash: string;
}

/** For `Peppers.derive`: of the keys that lines are sealed with. */
export const AUDIT_LOG_KEY = 'latchkey audit log';

/**
 * A line of AUDIT_LOG. Its last field, `hash`, is the HMAC-SHA-256 of all bytes before the comma in
 * front of it, in which the hash of the line before stands.
 */
export function sealLine(
  event: OcsfEvent,
  { chainId, sequence, previousHash }: Place,
  { pepperId, key }: { readonly pepperId: string; readonly key: KeyObject },
): { readonly line: string; readonly hash: string } {
  const { unmapped, ...rest } = event;
  const open = JSON.stringify({
    ...rest,
    metadata: { ...event.metadata, sequence },
    unmapped: {
      ...unmapped,
      chain_id: chainId,
      key_id: pepperId,
      prev_hash: previousHash,
    },
  }).slice(0, -2);
  const hash = createHmac('sha256', key).update(open).digest('hex');
  return { line: `${open},"hash":"${hash}"}}`, hash };
}
