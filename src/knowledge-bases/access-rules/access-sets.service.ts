import { Events } from '../events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Not, Repository } from 'typeorm';
import { sqlParameter } from '../../platform/database/dialect.js';
import { Reads } from '../../platform/database/reads.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Problem } from '../../platform/problems/problem.js';
import { type ResourceResolver, ResolvesResource } from '../access.js';
import { changedFields } from '../audit/changed-fields.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../knowledge-base-access.js';
import { requireNoLegalHold } from '../settings/legal-hold.js';
import { insertSet, toRule, updateSet } from './access-rules.js';
import {
  type AccessSetDto,
  type CreateAccessSetDto,
  toAccessSetDto,
  type UpdateAccessSetDto,
} from './access-set.dto.js';
import { AccessSet } from './access-set.entity.js';

const CHANGE = { role: 'member', lock: 'knowledge base' } as const;
const NAMED = { name: Not(IsNull()) };

/** Named rules, which many documents refer to. */
@Injectable()
@ResolvesResource({ resource: 'access_set', prefix: 'as' })
export class AccessSetsService implements ResourceResolver {
  constructor(
    @InjectRepository(AccessSet) private readonly sets: Repository<AccessSet>,
    private readonly reads: Reads,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly events: Events,
    private readonly idempotency: Idempotency,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.sets.findOneBy({ id, ...NAMED }))?.kbId;
  }

  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateAccessSetDto,
    request?: IdempotentRequest,
  ): Promise<AccessSetDto> {
    const { answer } = await this.knowledgeBases.change(user, kbId, CHANGE, (manager) =>
      this.idempotency.once(manager, user.id, request, async () => {
        const at = new Date();
        const described = { kbId, name: dto.name, hash: null, rule: toRule(dto) };
        const set = { id: newId('as'), ...described, createdAt: at, updatedAt: at };
        await insertSet(manager, set);
        const action = 'access_set.created';
        await this.events.recordChange(manager, user, { kbId, action, targetId: set.id });
        return toAccessSetDto({ ...set } as AccessSet, new Map());
      }),
    );
    return answer;
  }

  async list(user: DashboardUser, kbId: string, query: PageQueryDto): Promise<Page<AccessSetDto>> {
    await this.knowledgeBases.require(user, kbId, CHANGE.role);
    return this.reads.latest(async (manager) => {
      const sets = manager.createQueryBuilder(AccessSet, 'access_set').where({ kbId, ...NAMED });
      const { data, ...page } = await paginate(sets, query, (set) => set);
      const counts = await documentCounts(
        manager,
        data.map(({ id }) => id),
      );
      return { data: data.map((set) => toAccessSetDto(set, counts)), ...page };
    });
  }

  async update(user: DashboardUser, id: string, dto: UpdateAccessSetDto): Promise<AccessSetDto> {
    const { kbId } = await this.find(id);
    return this.knowledgeBases.change(user, kbId, CHANGE, async (manager) => {
      const set = await manager.findOneBy(AccessSet, { id, ...NAMED });
      if (!set) throw new Problem('not_found');
      const fields = changedFields(dto);
      if (fields.length === 0) return withCount(manager, set);
      const { name = set.name, allow = set.rule.allow, deny = set.rule.deny } = dto;
      await updateSet(manager, set, { name, rule: toRule({ allow, deny }) });
      const event = { kbId, action: 'access_set.updated', targetId: id, details: { fields } };
      await this.events.recordChange(manager, user, { ...event, action: 'access_set.updated' });
      return withCount(manager, await manager.findOneByOrFail(AccessSet, { id }));
    });
  }

  /** Deletes a set. A set in use cannot be deleted: its documents would become public or unreadable. */
  async delete(user: DashboardUser, id: string): Promise<void> {
    const { kbId } = await this.find(id);
    await this.knowledgeBases.change(user, kbId, CHANGE, async (manager) => {
      await requireNoLegalHold(manager, kbId);
      const set = sqlParameter(manager.dataSource, 0);
      const [used] = await manager.query<object[]>(
        `SELECT 1 AS used FROM documents WHERE access_set_id = ${set} AND state <> 'deactivated' LIMIT 1`,
        [id],
      );
      if (used) throw new Problem('access_set_in_use');
      const { affected } = await manager.delete(AccessSet, { id, ...NAMED });
      if (affected !== 1) throw new Problem('not_found');
      await this.events.recordChange(manager, user, {
        kbId,
        action: 'access_set.deleted',
        targetId: id,
      });
    });
  }

  private async find(id: string): Promise<AccessSet> {
    const set = await this.sets.findOneBy({ id, ...NAMED });
    if (!set) throw new Problem('not_found');
    return set;
  }
}

const withCount = async (manager: EntityManager, set: AccessSet): Promise<AccessSetDto> =>
  toAccessSetDto(set, await documentCounts(manager, [set.id]));

/** The number of documents of each set, by its id. Sets without documents are missing. */
async function documentCounts(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const parameters = ids.map((_, index) => sqlParameter(manager.dataSource, index));
  const rows = await manager.query<{ id: string; count: number | string }[]>(
    `SELECT access_set_id AS id, COUNT(*) AS count FROM documents
     WHERE access_set_id IN (${parameters.join(', ')}) AND state = 'active' GROUP BY access_set_id`,
    [...ids],
  );
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}
