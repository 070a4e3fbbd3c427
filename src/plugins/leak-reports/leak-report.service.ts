import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { redact } from '../../platform/http/redact.js';
import { ApiKeyLookup } from '../../api-keys/api-key-lookup.js';
import { ApiKeyTransitions } from '../../api-keys/api-key-transitions.js';
import type {
  GithubLeakDto,
  GithubLeakVerdictDto,
  GitlabLeakDto,
} from './github-leak-report.dto.js';
import type { LeakVerdictDto } from './leak-report.dto.js';
import { isManagementSecret, isWellFormedSecret, parsePrefix } from '../../api-keys/secret.js';

const ACTOR = 'leak-report';
const MAX_PLACE_LENGTH = 2000;

/** The place of a find can be of any length and can contain the secret. */
const shorten = (text: string | null | undefined): string | null =>
  text === null || text === undefined
    ? null
    : redact(text).slice(0, MAX_PLACE_LENGTH).toWellFormed();

type Outcome = LeakVerdictDto['status'] | 'deleted';

/** A report must not reveal that a deleted key existed. */
const toVerdict = (index: number, outcome: Outcome): LeakVerdictDto => ({
  index,
  status: outcome === 'deleted' ? 'unknown' : outcome,
});

export interface LeakReporter {
  readonly requestId: string;
  readonly ip: string;
}

/**
 * Revokes keys that were leaked, for example in a public repository. Whoever reports a secret could also
 * use it, so no other credential is needed.
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
      verdicts.push(toVerdict(index, await this.reportOne(secret, reporter)));
    }
    return verdicts;
  }

  /** Handles a report in GitHub's form. The place of each find is kept in the audit event. */
  async reportByGithub(
    leaks: readonly GithubLeakDto[],
    reporter: LeakReporter,
  ): Promise<GithubLeakVerdictDto[]> {
    const verdicts: GithubLeakVerdictDto[] = [];
    for (const { token, type, url, source } of leaks) {
      const status = await this.reportOne(token, reporter, {
        reported_by: 'github',
        type: shorten(type),
        url: shorten(url),
        source: shorten(source),
      });
      const label = status === 'unknown' ? 'false_positive' : 'true_positive';
      verdicts.push({ token_raw: token, token_type: type, label });
    }
    return verdicts;
  }

  /** Handles a report in GitLab's form. The place of each find is kept in the audit event. */
  async reportByGitlab(
    leaks: readonly GitlabLeakDto[],
    reporter: LeakReporter,
  ): Promise<LeakVerdictDto[]> {
    const verdicts: LeakVerdictDto[] = [];
    for (const [index, { token, type, url, location }] of leaks.entries()) {
      const status = await this.reportOne(token, reporter, {
        reported_by: 'gitlab',
        type: shorten(type),
        url: shorten(url ?? location),
      });
      verdicts.push(toVerdict(index, status));
    }
    return verdicts;
  }

  private async findKey(secret: string, ip: string) {
    if (isManagementSecret(secret)) {
      const key = await this.lookup.findManagementKey(secret, ip);
      return key && { id: key.id, status: key.status, ownerId: key.serviceAccountId };
    }
    return isWellFormedSecret(secret) ? this.lookup.find(secret, ip) : undefined;
  }

  private async reportOne(
    secret: string,
    { requestId, ip }: LeakReporter,
    place: object = {},
  ): Promise<Outcome> {
    const key = await this.findKey(secret, ip);
    if (!key) return 'unknown';
    if (key.status === 'deleted') return 'deleted';
    const actor = { id: ACTOR, requestId };
    const details = { prefix: parsePrefix(secret), ...place };
    const revoked = await this.unitOfWork.run((manager) =>
      this.transitions.apply(manager, actor, 'reportLeak', key, { details }),
    );
    return revoked ? 'revoked' : 'already_revoked';
  }
}
