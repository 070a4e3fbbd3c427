import { Events } from '../../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { SourceError } from '@latchkey/sources/source-kind';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { hasRuledDocuments } from '../../knowledge-bases/access-rules/readable.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import type { RunSourceDto, SourceAddressDto } from './source-requests.dto.js';
import { ConnectionTests } from './connection-tests.js';
import { OIKB } from './oikb-kind.js';
import { SourceConnections } from './source-connections.js';
import { SourceRunJob } from './source-run-job.js';
import { SourceRun } from './source-run.entity.js';
import { NO_COUNTS, SourceRuns } from './source-runs.js';
import {
  type ConnectedSourceDto,
  type SourceRunDto,
  type SourceTestDto,
  toRunDto,
  toConnectedSourceDto,
} from './source.dto.js';
import { SourcesService } from './sources.service.js';

const TEST_MS = 20_000;

/** Starts, lists and cancels runs for users. */
@Injectable()
export class SourceRunsService {
  constructor(
    @InjectRepository(SourceRun) private readonly stored: Repository<SourceRun>,
    private readonly sources: SourcesService,
    private readonly access: KnowledgeBaseAccess,
    private readonly events: Events,
    private readonly idempotency: Idempotency,
    private readonly runs: SourceRuns,
    private readonly jobs: Jobs,
    private readonly connections: SourceConnections,
    private readonly tests: ConnectionTests,
  ) {}

  /** Starts a run, or returns a running one of the same kind. */
  async run(
    user: DashboardUser,
    sourceId: string,
    { preview = false, confirm = false }: RunSourceDto,
    request?: IdempotentRequest,
  ): Promise<SourceRunDto> {
    const run = await this.sources.change(user, sourceId, async (manager, source) => {
      const { answer } = await this.idempotency.once(manager, user.id, request, async () => {
        if (source.type === OIKB && (preview || !confirm)) {
          throw invalidField('confirm', 'confirm must be true: oikb itself runs such a source');
        }
        const queued =
          source.type === OIKB
            ? await this.runs.beginByClient(manager, source, { confirm })
            : await this.runs.queueRun(manager, source, { preview, confirm });
        if (queued.isPreview !== preview || (confirm && !queued.isConfirmed)) {
          throw new Problem('source_running');
        }
        const { kbId } = source;
        const details = { run_id: queued.id, preview, confirm };
        const event = {
          kbId,
          action: 'source.run_requested',
          targetId: sourceId,
          details,
        } as const;
        await this.events.recordChange(manager, user, event);
        return { id: queued.id };
      });
      return manager.findOneBy(SourceRun, { id: answer.id });
    });
    if (!run) throw new Problem('idempotency_conflict');
    this.jobs.start(SourceRunJob);
    return toRunDto(run);
  }

  async list(
    user: DashboardUser,
    sourceId: string,
    query: PageQueryDto,
  ): Promise<Page<SourceRunDto>> {
    const { kbId } = await this.sources.find(user, sourceId);
    const role = await this.access.requireMember(user, kbId);
    const runs = this.stored.createQueryBuilder('run').where({ sourceId });
    const { manager } = this.stored;
    const isReader = role === 'viewer';
    const counts =
      isReader && (await hasRuledDocuments(manager, kbId)) ? { counts: NO_COUNTS } : {};
    // Keys reveal what documents are about, and viewers may not be allowed to read all documents.
    return paginate(runs, query, (run) => ({
      ...toRunDto({ ...run, ...counts }),
      ...(isReader && { errors: [] }),
    }));
  }

  /** Cancels the unfinished run, if there is one. */
  async cancel(user: DashboardUser, sourceId: string): Promise<ConnectedSourceDto> {
    return this.sources.change(user, sourceId, async (manager, source) => {
      await this.runs.cancel(manager, sourceId);
      return toConnectedSourceDto(source);
    });
  }

  /** Tests a connection without storing anything. */
  async test(
    user: DashboardUser,
    kbId: string,
    { type, config, credentials }: SourceAddressDto,
  ): Promise<SourceTestDto> {
    await this.access.require(user, kbId, 'member');
    return this.tests.run(user.id, () => this.tryConnection(type, config, credentials ?? null));
  }

  private async tryConnection(
    type: string,
    config: object,
    credentials: object | null,
  ): Promise<SourceTestDto> {
    const signal = AbortSignal.timeout(TEST_MS);
    try {
      await this.connections.test(type, config, credentials, signal);
      return { ok: true };
    } catch (error) {
      if (error instanceof SourceError) {
        return { ok: false, error: { code: error.code, message: error.message } };
      }
      if (!signal.aborted) throw error;
      return { ok: false, error: { code: 'timeout', message: 'The source does not answer.' } };
    }
  }
}
