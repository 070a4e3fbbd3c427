import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { clientIp } from '../../platform/config/ip-address.js';
import type { DashboardRequest } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { AuditNotes } from './audit-notes.js';
import { signInToOcsf } from './ocsf.js';

/** The number of tokens that are remembered, so that each is reported once. */
const MAX_TOKENS = 10_000;

/** Reports the first use of each token of the identity provider, in each process. */
@Injectable()
export class SignIns {
  private readonly seen = new Set<string>();

  constructor(private readonly notes: AuditNotes) {}

  note(request: DashboardRequest): void {
    const { id, tokenUser, headers } = request;
    if (tokenUser === undefined || !this.notes.isInScope('sign_ins')) return;
    const hash = createHash('sha256').update(String(headers.authorization)).digest('base64');
    if (this.seen.has(hash)) return;
    this.seen.add(hash);
    for (const oldest of this.seen) {
      if (this.seen.size <= MAX_TOKENS) break;
      this.seen.delete(oldest);
    }
    const ip = clientIp(request);
    this.notes.add('sign_ins', (event) => signInToOcsf(event, { id, ip }, tokenUser));
  }
}
