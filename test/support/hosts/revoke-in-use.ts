import { expect } from '@jest/globals';
import { outcome } from '../client.js';
import { eventually } from '../service.js';
import type { Host } from './deployment.mjs';
import { ask, type HostsClient } from './hosts-client.js';

/** How keys were used on other hosts than the one that revoked them. */
export interface Uses {
  /** Successful ones that began before the answer to the revocation. */
  before: number;
  /** Uses that began after it, by their outcome. */
  after: Record<string, number>;
}

/**
 * Uses a new key on the hosts without a pause, two requests at a time on each, and revokes it
 * meanwhile; goes on for one more request in each of these lanes.
 *
 * @param revoker of a host that is not among them
 */
export async function revokeInUse(
  revoker: HostsClient,
  hosts: readonly Host[],
  kbId: string,
  uses: Uses,
): Promise<void> {
  const { id, api_key: secret } = await revoker.createApiKey(kbId);
  let isAnswered = false;
  const use = async (host: Host) => {
    for (;;) {
      const isAfter = isAnswered;
      const result = outcome(await ask(host, secret)());
      if (isAfter) {
        uses.after[result] = (uses.after[result] ?? 0) + 1;
        return;
      }
      if (result === '200') uses.before++;
    }
  };
  const lanes = [...hosts, ...hosts].map(use);
  const aim = uses.before + 2 * lanes.length;
  await eventually(() => uses.before >= aim);
  const answer = await revoker.call('PATCH', `/api-keys/${id}/revoke`);
  isAnswered = true;
  expect(outcome(answer)).toBe('200');
  await Promise.all(lanes);
  await revoker.call('DELETE', `/api-keys/${id}`);
}
