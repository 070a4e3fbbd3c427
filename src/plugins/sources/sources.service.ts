import { Events, shownId } from '../../knowledge-bases/events/events.js';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import type { SettledPaths } from '@latchkey/sources/access-paths';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import { changedFields } from '../../knowledge-bases/audit/changed-fields.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { lockRows } from '../../platform/database/dialect.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { invalidField, Problem, quotaReached } from '../../platform/problems/problem.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { requireNoLegalHold } from '../../knowledge-bases/settings/legal-hold.js';
import { KeptRule } from '../../documents/kept-rule.entity.js';
import { PassagePurge } from '../../documents/passage-purge.js';
import { OIKB } from './oikb-kind.js';
import { nextRunAt, type Schedule, scheduleProblem } from './schedule.js';
import { SourceCredentials } from './source-credentials.js';
import { SourceDocuments } from './source-documents.js';
import { hasOtherServer, SourceKinds, type SourceType } from './source-kinds.js';
import type { CreateSourceDto, ScheduleDto, UpdateSourceDto } from './source-requests.dto.js';
import { SourceRuns } from './source-runs.js';
import { type ConnectedSourceDto, toConnectedSourceDto } from './source.dto.js';
import { Source } from './source.entity.js';

type NewSource = Pick<
  Source,
  'kbId' | 'userId' | 'type' | 'name' | 'onDelete' | 'schedule' | 'config'
> &
  Pick<CreateSourceDto, 'credentials'>;

const CHANGE = { role: 'member', lock: 'knowledge base' } as const;
const MAX_SOURCES = 100;

@Injectable()
@ResolvesResource({ resource: 'source', prefix: 'src' })
export class SourcesService implements ResourceResolver {
  constructor(
    @InjectRepository(Source) private readonly sources: Repository<Source>,
    private readonly access: KnowledgeBaseAccess,
    private readonly fairShares: FairShareLookup,
    private readonly events: Events,
    private readonly idempotency: Idempotency,
    private readonly kinds: SourceKinds,
    private readonly credentials: SourceCredentials,
    private readonly documents: SourceDocuments,
    private readonly runs: SourceRuns,
    private readonly jobs: Jobs,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.sources.findOneBy({ id }))?.kbId;
  }

  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateSourceDto,
    request?: IdempotentRequest,
  ): Promise<ConnectedSourceDto> {
    await this.access.require(user, kbId, 'member');
    const { type, name, on_delete: onDelete = 'delete' } = dto;
    const parsed = this.kinds.parse(type, dto.config, dto.credentials ?? null);
    const schedule = toSchedule(dto.schedule);
    requireUnscheduled(type, schedule);
    const fairShare = await this.fairShares.findFairShare(kbId);
    const source = await this.access.change(user, kbId, CHANGE, async (manager) => {
      const { answer } = await this.idempotency.once(manager, user.id, request, async () => {
        const config = parsed.config as object;
        const { credentials } = dto;
        const fields = { ...fairShare, type, name, onDelete, schedule, config, credentials };
        return { id: await this.insert(manager, user, fields) };
      });
      return manager.findOneBy(Source, { id: answer.id });
    });
    // The source was deleted after the request that this one repeats.
    if (!source) throw new Problem('idempotency_conflict');
    return toConnectedSourceDto(source);
  }

  /** Connects a source that has no schedule, unless `find` finds one. */
  async findOrConnect(
    user: DashboardUser,
    kbId: string,
    { type, config }: { readonly type: SourceType; readonly config: object },
    find: (manager: EntityManager) => Promise<Source | undefined>,
  ): Promise<Source> {
    const fairShare = await this.fairShares.findFairShare(kbId);
    return this.access.change(user, kbId, CHANGE, async (manager) => {
      const existing = await find(manager);
      if (existing) return existing;
      const others = await manager.countBy(Source, { kbId, type });
      const name = others === 0 ? type : `${type} ${others + 1}`;
      const fields = {
        ...fairShare,
        type,
        name,
        onDelete: 'delete',
        schedule: null,
        config,
      } as const;
      return manager.findOneByOrFail(Source, { id: await this.insert(manager, user, fields) });
    });
  }

  private async insert(
    manager: EntityManager,
    user: DashboardUser,
    { credentials, ...fields }: NewSource,
  ): Promise<string> {
    const { kbId, type, name } = fields;
    if ((await manager.countBy(Source, { kbId })) >= MAX_SOURCES) {
      throw quotaReached('sources of a knowledge base', MAX_SOURCES);
    }
    const id = newId('src');
    const createdAt = await databaseNow(manager);
    await manager.insert(Source, {
      ...{ id, ...fields, state: 'active' },
      ...this.credentials.seal(id, credentials),
      nextRunAt: nextRunAt(fields.schedule, createdAt),
      ...{
        accessPaths: null,
        lastSyncedAt: null,
        createdBy: shownId(user),
        createdAt,
        updatedAt: createdAt,
      },
    });
    const event = {
      kbId,
      action: 'source.created',
      targetId: id,
      details: { type, name },
    } as const;
    await this.events.recordChange(manager, user, event);
    return id;
  }

  async list(
    user: DashboardUser,
    kbId: string,
    query: PageQueryDto,
  ): Promise<Page<ConnectedSourceDto>> {
    await this.access.requireMember(user, kbId);
    return paginate(
      this.sources.createQueryBuilder('source').where({ kbId }),
      query,
      toConnectedSourceDto,
    );
  }

  async get(user: DashboardUser, id: string): Promise<ConnectedSourceDto> {
    return toConnectedSourceDto(await this.find(user, id));
  }

  async update(user: DashboardUser, id: string, dto: UpdateSourceDto): Promise<ConnectedSourceDto> {
    const schedule = dto.schedule === undefined ? undefined : toSchedule(dto.schedule);
    return this.change(user, id, async (manager, source) => {
      requireUnscheduled(source.type, schedule);
      const { config } = this.parsed(source, dto);
      const now = await databaseNow(manager);
      const state = dto.state ?? source.state;
      const resumes = state === 'active' && source.state === 'paused';
      const isScheduled = schedule !== undefined || resumes;
      await manager.update(
        Source,
        { id },
        {
          ...{ name: dto.name, onDelete: dto.on_delete, schedule, config, updatedAt: now },
          ...(config && { accessPaths: keptPaths(source, config) }),
          ...(dto.credentials !== undefined && this.credentials.seal(id, dto.credentials)),
          // The results of earlier runs are kept for unchanged paths.
          state: dto.state === 'active' && !resumes ? source.state : state,
          ...(isScheduled && { nextRunAt: nextRunAt(schedule ?? source.schedule, now) }),
          ...(state === 'paused' && { nextRunAt: null }),
        },
      );
      if (dto.state === 'paused') await this.runs.cancel(manager, id);
      const details = { fields: changedFields(dto) };
      const { kbId } = source;
      const event = { kbId, action: 'source.updated', targetId: id, details } as const;
      await this.events.recordChange(manager, user, event);
      return toConnectedSourceDto(await manager.findOneByOrFail(Source, { id }));
    });
  }

  /** When this returns, a running run changes nothing more. */
  async delete(user: DashboardUser, id: string, documents: 'delete' | 'keep'): Promise<void> {
    await this.change(user, id, async (manager, { kbId, name, type }) => {
      await requireNoLegalHold(manager, kbId);
      await this.runs.cancel(manager, id);
      const isDeleted = documents === 'delete';
      const deleted = isDeleted ? await this.documents.removeAll(manager, kbId, id) : 0;
      if (!isDeleted) await this.documents.detach(manager, id);
      await manager.delete(KeptRule, { ownerId: id });
      await manager.delete(Source, { id });
      const details = { type, name, documents, deleted };
      const event = { kbId, action: 'source.deleted', targetId: id, details } as const;
      await this.events.recordChange(manager, user, event);
    });
    this.jobs.start(PassagePurge);
  }

  /**
   * The source, for a user who may see it.
   *
   * @throws Problem `not_found`
   */
  async find(user: DashboardUser, id: string): Promise<Source> {
    const source = await this.sources.findOneBy({ id });
    if (!source) throw new Problem('not_found');
    await this.access.requireMember(user, source.kbId);
    return source;
  }

  /** Runs `work` in a transaction, with the knowledge base and the source locked. */
  async change<T>(
    user: DashboardUser,
    id: string,
    work: (manager: EntityManager, source: Source) => Promise<T>,
  ): Promise<T> {
    const { kbId } = await this.find(user, id);
    return this.access.change(user, kbId, CHANGE, async (manager) => {
      const rows = manager.createQueryBuilder(Source, 'source').where({ id });
      const source = await lockRows(rows).getOne();
      if (!source) throw new Problem('not_found');
      return work(manager, source);
    });
  }

  /** @throws Problem `validation_failed` */
  private parsed(source: Source, dto: UpdateSourceDto): { config?: object } {
    if (dto.config === undefined && dto.credentials === undefined) return {};
    const config = dto.config ?? source.config;
    // Otherwise a user could send another user's credentials to a server of their choice.
    if (
      source.credentials !== null &&
      dto.credentials === undefined &&
      hasOtherServer(source.config, config)
    ) {
      throw invalidField('credentials', 'credentials must be given again for another server');
    }
    const credentials =
      dto.credentials === undefined ? this.credentials.open(source) : dto.credentials;
    if (credentials === undefined) {
      throw invalidField('credentials', 'credentials cannot be decrypted: enter them again');
    }
    return { config: this.kinds.parse(source.type, config, credentials).config as object };
  }
}

/** Keeps the results of earlier runs for paths whose rule has not changed. */
function keptPaths(
  { config: former, accessPaths }: Source,
  config: { readonly access?: object },
): SettledPaths | null {
  const rules = { access: null, access_tags: null };
  const isElsewhere = !isDeepStrictEqual({ ...former, ...rules }, { ...config, ...rules });
  if (isElsewhere || !accessPaths) return null;
  const { access = {} } = config;
  return Object.fromEntries(
    // Those of sidecars begin with a slash.
    Object.entries(accessPaths).filter(
      ([path]) => path.startsWith('/') || Object.hasOwn(access, path),
    ),
  );
}

/** @throws Problem `validation_failed` for a schedule of a source that a client runs */
function requireUnscheduled(type: string, schedule: Schedule | null | undefined): void {
  if (type === OIKB && schedule) {
    throw invalidField('schedule', 'schedule must be left out: oikb itself runs such a source');
  }
}

/** @throws Problem `validation_failed` */
function toSchedule(dto: ScheduleDto | null | undefined): Schedule | null {
  if (!dto) return null;
  const { every_minutes, cron, timezone } = dto;
  if (every_minutes !== undefined && cron === undefined && timezone === undefined) {
    return { every_minutes };
  }
  if (every_minutes !== undefined || cron === undefined) {
    throw invalidField('schedule', 'schedule must have either every_minutes or cron');
  }
  const problem = scheduleProblem(cron, timezone ?? 'UTC');
  if (problem !== undefined) throw invalidField('schedule', problem);
  return { cron, timezone: timezone ?? 'UTC' };
}
