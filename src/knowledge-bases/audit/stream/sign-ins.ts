import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { clientIp } from '../../../platform/config/ip-address.js';
import type { AuditNotes } from './audit-notes.js';
import { signInToOcsf } from './ocsf.js';

/** The number of tokens that are remembered, so that each is reported once. */
const MAX_TOKENS = 10_000;

/** Reports the first use of each token of the identity provider, in each process. */
export class SignIns {
  private readonly seen = new Set<string>();

  constructor(private readonly notes: AuditNotes) {}

  note(token: string, userId: string, request: FastifyRequest): void {
    if (!this.notes.isInScope('sign_ins')) return;
    const hash = createHash('sha256').update(token).digest('base64');
    if (this.seen.has(hash)) return;
    this.seen.add(hash);
    for (const oldest of this.seen) {
      if (this.seen.size <= MAX_TOKENS) break;
      this.seen.delete(oldest);
    }
    const { id } = request;
    const ip = clientIp(request);
    this.notes.add('sign_ins', (told) => signInToOcsf(told, { id, ip }, userId));
  }
}
