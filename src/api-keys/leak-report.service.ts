import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ApiKeyLookup, FoundApiKey } from './api-key-lookup.js';
import { ApiKey } from './api-key.entity.js';
import type { LeakVerdictDto } from './leak-report.dto.js';
import { isWellFormedSecret, prefixOf } from './secret.js';

const ACTOR = 'leak-report';

/** Where a report comes from. */
export interface LeakReporter {
  readonly requestId: string;
  readonly ip: string;
}

/**
 * Revokes keys that were found where they do not belong. Whoever holds a secret could use it, so
 * holding it is reason enough to stop it.
 */
@Injectable()
export class LeakReportService {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly unitOfWork: UnitOfWork,
    private readonly auditLog: AuditLog,
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
    reporter: LeakReporter,
  ): Promise<LeakVerdictDto['status']> {
    const key = isWellFormedSecret(secret)
      ? await this.lookup.find(secret, reporter.ip)
      : undefined;
    if (!key || key.deleted) return 'unknown';
    return (await this.revoke(key, prefixOf(secret), reporter)) ? 'revoked' : 'already_revoked';
  }

  private revoke(
    { id, kbId }: FoundApiKey,
    prefix: string,
    { requestId }: LeakReporter,
  ): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.update(
        ApiKey,
        { id, state: 'active', deletedAt: IsNull() },
        { state: 'deactivated', revokedAt: new Date(), revokedBy: ACTOR },
      );
      if (affected !== 1) return false;
      await this.auditLog.record(
        manager,
        { id: ACTOR, requestId },
        { kbId, action: 'api_key.reported_as_leaked', targetId: id, details: { prefix } },
      );
      return true;
    });
  }
}
