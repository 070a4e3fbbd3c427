import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../platform/jobs/background-job.js';
import { type Claim, DocumentClaims } from './document-claims.js';
import { LEASE_MS } from './indexing-limits.js';

/** Keeps the claims of documents that this process is indexing. */
@Injectable()
export class LeaseRenewal extends BackgroundJob {
  private readonly claims = new Set<Claim>();

  constructor(private readonly documentClaims: DocumentClaims) {
    super(LEASE_MS / 3);
  }

  add(claims: readonly Claim[]): void {
    for (const claim of claims) this.claims.add(claim);
  }

  remove(claims: readonly Claim[]): void {
    for (const claim of claims) this.claims.delete(claim);
  }

  protected override async run(): Promise<void> {
    if (this.claims.size > 0) await this.documentClaims.renew([...this.claims]);
  }
}
