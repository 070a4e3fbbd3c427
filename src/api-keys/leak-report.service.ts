import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ApiKeyLookup } from './api-key-lookup.js';
import { ApiKeyTransitions } from './api-key-transitions.js';
import type { LeakVerdictDto } from './leak-report.dto.js';
import { isWellFormedSecret, prefixOf } from './secret.js';

const ACTOR = 'leak-report';

/** Where a report comes from. */
export interface LeakReporter {
  readonly requestId: string;
  readonly ip: string;
}

/**
 * Revokes keys that were found where they do not belong, such as in a public repository. Whoever
 * reports a secret could also use it, so no other credential is needed.
 */
@Injectable()
export class LeakReportService {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly unitOfWork: UnitOfWork,
    private readonly transitions: ApiKeyTransitions,
  ) {}

  async report(secrets: readonly string[], reporter: LeakReporter): Promise<LeakVerdictDto[]> {
    const verdicts: LeakVerdictDto[] = [];
    for (const [index, secret] of secrets.entries()) {
      verdicts.push({ index, status: await this.reportOne(secret, reporter) });
    }
    return verdicts;
  }

  private async reportOne(
    secret: string,
    { requestId, ip }: LeakReporter,
  ): Promise<LeakVerdictDto['status']> {
    const key = isWellFormedSecret(secret) ? await this.lookup.find(secret, ip) : undefined;
    if (!key || key.deleted) return 'unknown';
    const actor = { id: ACTOR, requestId };
    const details = { prefix: prefixOf(secret) };
    const revoked = await this.unitOfWork.run((manager) =>
      this.transitions.apply(manager, actor, 'reportLeak', key, { details }),
    );
    return revoked ? 'revoked' : 'already_revoked';
  }
}
