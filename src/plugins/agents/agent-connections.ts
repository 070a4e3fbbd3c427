import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import {
  DataSource,
  type EntityManager,
  IsNull,
  LessThan,
  LessThanOrEqual,
  Not,
  Repository,
} from 'typeorm';
import { mergeRows } from '../../usage/merge-rows.js';
import { type UsageEvent, type UsageWriter, WritesUsage } from '../../usage/usage-recorder.js';
import { sqlKeyStatus } from '../../api-keys/api-key-status.js';
import { Events } from '../../knowledge-bases/events/events.js';
import type { Actor } from '../../knowledge-bases/events/event.js';
import { GROUP_PREFIX } from '../../knowledge-bases/dashboard-auth/user-groups.js';
import {
  isMembership,
  SELECT_ALL_PUSHED_GROUPS,
  toMembershipParameters,
} from '../../knowledge-bases/directory/memberships.js';
import type { Principals } from '../../knowledge-bases/access-rules/principals.js';
import { KnowledgeBaseMember } from '../../knowledge-bases/knowledge-base-member.entity.js';
import { ApiKeyTransitions } from '../../api-keys/api-key-transitions.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { HOUR_MS } from '../../platform/jobs/retention.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { newId } from '../../platform/http/type-id.js';
import { AgentConnection } from './agent-connection.entity.js';
import { OAuthRecord } from './oauth-record.entity.js';

/** Until then its code must be redeemed. */
const FIRST_TOKENS_MS = 10 * 60 * 1000;
/** How long a person is believed to be in the groups that they signed in with. */
export const PERSON_MS = 30 * 24 * HOUR_MS;
/** Clients that nobody has connected yet; beyond it the oldest are forgotten. */
const MAX_UNUSED_CLIENTS = 5000;

export type NewConnection = Pick<
  AgentConnection,
  'apiKeyId' | 'clientId' | 'clientName' | 'clientHost' | 'resource' | 'scopes'
> &
  Pick<AgentConnection, 'personId' | 'endUserId' | 'principals'>;

/** A connection as its grant has it. */
export type Begun = Pick<AgentConnection, 'id' | 'scopes'>;

/** Begins, extends and ends connections of agents. */
@Injectable()
@WritesUsage()
export class AgentConnections implements UsageWriter {
  private readonly logger = new Logger(AgentConnections.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectRepository(AgentConnection) private readonly connections: Repository<AgentConnection>,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
    private readonly transitions: ApiKeyTransitions,
  ) {}

  /**
   * Begins a connection, which has no tokens yet.
   *
   * @param kbId the knowledge base that owns the key
   * @param actor the person, or the key
   */
  async begin(kbId: string, actor: Actor, connection: NewConnection): Promise<Begun> {
    const id = newId('conn');
    const createdAt = new Date();
    await this.unitOfWork.run(async (manager) => {
      await manager.insert(AgentConnection, {
        ...connection,
        ...{ id, state: 'active', createdAt, connectedAt: null, lastUsedAt: null, requests: 0 },
        expiresAt: new Date(createdAt.getTime() + FIRST_TOKENS_MS),
      });
      await this.events.recordChange(manager, actor, {
        ...{ kbId, action: 'agent.connected', targetId: id },
        details: toDetails(connection),
      });
    });
    return { id, scopes: connection.scopes };
  }

  /**
   * Begins a connection in the name of a person, or goes on with the one that the client has already.
   *
   * @param kbId the knowledge base that owns the key
   * @param actor the key
   */
  async beginOrContinue(kbId: string, actor: Actor, connection: NewConnection): Promise<Begun> {
    const { apiKeyId, clientId, endUserId, resource, scopes, principals } = connection;
    const found = await this.connections.findOneBy({
      ...{ apiKeyId, clientId, resource, state: 'active' },
      endUserId: endUserId ?? IsNull(),
    });
    if (!found) return this.begin(kbId, actor, connection);
    await this.unitOfWork.run((manager) =>
      manager.update(AgentConnection, { id: found.id }, { scopes, principals }),
    );
    return { id: found.id, scopes };
  }

  /** @returns false where it has ended */
  async extend(manager: EntityManager, id: string, expiresAt: Date): Promise<boolean> {
    const active = { id, state: 'active' } as const;
    const connection = await manager.findOneBy(AgentConnection, active);
    const end = connection ? findEnd(connection) : 0;
    if (!connection || end <= Date.now()) return false;
    const until = new Date(Math.min(end, expiresAt.getTime()));
    const { affected } = await manager.update(AgentConnection, active, {
      connectedAt: connection.connectedAt ?? new Date(),
      ...(connection.expiresAt < until && { expiresAt: until }),
    });
    return affected === 1;
  }

  /**
   * Whether a connection may get further tokens: it has not ended, its key works, and its person is a member.
   */
  async isUsable(id: string): Promise<boolean> {
    const connection = await this.connections
      .createQueryBuilder('connection')
      .innerJoinAndSelect('connection.apiKey', 'key')
      .where({ id, state: 'active' })
      .andWhere(`${sqlKeyStatus('key', this.dataSource)} = 'usable'`)
      .getOne();
    if (!connection) return false;
    const memberships = await this.findMemberships(connection);
    return memberships?.has(connection.apiKey.ownerId) ?? true;
  }

  /**
   * The knowledge bases that the person of a connection is a member of, with the groups that were pushed for each;
   * undefined for a connection of nobody in particular.
   */
  async findMemberships({
    personId,
    principals,
  }: Pick<AgentConnection, 'personId' | 'principals'>): Promise<
    ReadonlyMap<string, Principals> | undefined
  > {
    if (personId === null) return undefined;
    const groups = (principals ?? []).filter((one) => one.startsWith(GROUP_PREFIX));
    const { manager } = this.dataSource;
    const members = await manager
      .createQueryBuilder(KnowledgeBaseMember, 'member')
      .where(isMembership('member'), toMembershipParameters({ id: personId, groups }))
      .getMany();
    const pushed = await manager
      .createQueryBuilder()
      .select(['counted."kbId" AS "kbId"', 'counted.principal AS principal'])
      .from(`(${SELECT_ALL_PUSHED_GROUPS})`, 'counted')
      .setParameters({ userId: personId })
      .getRawMany<{ kbId: string; principal: string }>();
    const byKb = Map.groupBy(pushed, ({ kbId }) => kbId);
    return new Map(
      members.map(({ kbId }) => [kbId, (byKb.get(kbId) ?? []).map(({ principal }) => principal)]),
    );
  }

  /**
   * Ends a connection with all its tokens.
   *
   * @param actor who ends it; by default the key, as where a token was stolen
   * @returns false where it has ended before
   */
  end(id: string, actor?: Actor): Promise<boolean> {
    return this.unitOfWork.run((manager) => this.endIn(manager, id, actor));
  }

  /** As `end`, in the caller's transaction. */
  async endIn(manager: EntityManager, id: string, actor?: Actor): Promise<boolean> {
    const connection = await manager.findOne(AgentConnection, {
      where: { id },
      relations: { apiKey: true },
      withDeleted: true,
    });
    if (!connection) return false;
    const active = { id, state: 'active' } as const;
    const { affected } = await manager.update(AgentConnection, active, { state: 'deactivated' });
    await manager.delete(OAuthRecord, { connectionId: id });
    if (affected !== 1) return false;
    const { apiKey } = connection;
    const { ownerId: kbId, id: keyId } = apiKey;
    const by = actor ?? { id: keyId, requestId: '' };
    await this.events.recordChange(manager, by, {
      ...{ kbId, action: 'agent.disconnected', targetId: id },
      details: toDetails(connection),
    });
    if (connection.personId !== null) {
      // Nobody has the secret of the key.
      const details = { prefix: apiKey.prefix };
      await this.transitions.apply(manager, by, 'revoke', apiKey, { details });
    }
    return true;
  }

  /**
   * Ends connections of persons that have expired, or whose persons have left, since their keys count; and
   * forgets clients that nobody uses.
   */
  @Job({ every: HOUR_MS, singleton: 'agent-connections' })
  async tidy({ now, mayContinue }: JobRound): Promise<void> {
    const at = await now();
    const open = await this.connections.findBy({ state: 'active', personId: Not(IsNull()) });
    for (const { id, expiresAt } of open) {
      if (!(await mayContinue())) return;
      try {
        if (expiresAt <= at || !(await this.isUsable(id))) await this.end(id);
      } catch (error) {
        // The next round tries again.
        this.logger.error(error);
      }
    }
    if (await mayContinue()) await this.forgetClients();
  }

  private async forgetClients(): Promise<void> {
    const unused = `NOT EXISTS (SELECT 1 FROM agent_connections c WHERE c.client_id = oauth_records.id)`;
    await this.unitOfWork.run(async (manager) => {
      const newestToForget = await manager
        .createQueryBuilder(OAuthRecord, 'oauth_records')
        .where({ model: 'Client' })
        .andWhere(unused)
        .orderBy('oauth_records.createdAt', 'DESC')
        .skip(MAX_UNUSED_CLIENTS)
        .take(1)
        .getOne();
      if (!newestToForget) return;
      const { createdAt } = newestToForget;
      await manager
        .createQueryBuilder()
        .delete()
        .from(OAuthRecord)
        .where({ model: 'Client', createdAt: LessThanOrEqual(createdAt) })
        .andWhere(unused)
        .execute();
    });
  }

  async writeUsage(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    const uses = events.flatMap((event) =>
      event.kind === 'use' && event.connectionId !== undefined
        ? [{ id: event.connectionId, at: event.at, count: event.count }]
        : [],
    );
    // Sorted, so that two processes lock rows in the same order.
    const merged = mergeRows(
      uses,
      ({ id }) => id,
      (one, other) => ({
        ...one,
        at: one.at > other.at ? one.at : other.at,
        count: one.count + other.count,
      }),
    );
    for (const { id, at, count } of merged) {
      await manager
        .createQueryBuilder()
        .update(AgentConnection)
        .set({ requests: () => 'requests + :count' })
        .where({ id })
        .setParameters({ count })
        .execute();
      const isLater = [{ lastUsedAt: IsNull() }, { lastUsedAt: LessThan(at) }];
      await manager
        .createQueryBuilder()
        .update(AgentConnection)
        .set({ lastUsedAt: at })
        .where(isLater.map((condition) => ({ ...condition, id })))
        .execute();
    }
  }
}

/** When a person must sign in again; never for others. Milliseconds since 1970. */
const findEnd = ({ personId, createdAt }: AgentConnection): number =>
  personId === null ? Infinity : createdAt.getTime() + PERSON_MS;

const toDetails = ({ apiKeyId, clientName, clientHost, clientId }: NewConnection) => ({
  key_id: apiKeyId,
  client_name: clientName,
  client_host: clientHost,
  client_id: clientId,
});
