import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, LessThan, Repository } from 'typeorm';
import type { UsageEvent, UsageWriter } from '../../usage/usage-recorder.js';
import { WritesUsage } from '../../usage/usage-recorder.js';
import { sqlKeyStatus } from '../../api-keys/api-key-status.js';
import { Events } from '../../knowledge-bases/events/events.js';
import type { Actor } from '../../knowledge-bases/events/event.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { newId } from '../../platform/http/type-id.js';
import { AgentConnection } from './agent-connection.entity.js';
import { OAuthRecord } from './oauth-record.entity.js';

/** Until then its code must be redeemed. */
const FIRST_TOKENS_MS = 10 * 60 * 1000;

export type NewConnection = Pick<
  AgentConnection,
  'apiKeyId' | 'clientId' | 'clientName' | 'clientHost' | 'resource' | 'scopes'
> &
  Pick<AgentConnection, 'endUserId' | 'principals'>;

/** A connection as its grant has it. */
export type Begun = Pick<AgentConnection, 'id' | 'scopes'>;

/** Begins, extends and ends connections of agents. */
@Injectable()
@WritesUsage()
export class AgentConnections implements UsageWriter {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectRepository(AgentConnection) private readonly connections: Repository<AgentConnection>,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
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
    const same = { apiKeyId, clientId, endUserId, resource, state: 'active' } as const;
    const found = await this.connections.findOneBy({ ...same, endUserId: endUserId ?? IsNull() });
    if (!found) return this.begin(kbId, actor, connection);
    await this.unitOfWork.run((manager) =>
      manager.update(AgentConnection, { id: found.id }, { scopes, principals }),
    );
    return { id: found.id, scopes };
  }

  /** @returns false where it has ended */
  async extend(manager: EntityManager, id: string, expiresAt: Date): Promise<boolean> {
    const active = { id, state: 'active' } as const;
    await manager.update(
      AgentConnection,
      { ...active, connectedAt: IsNull() },
      { connectedAt: new Date() },
    );
    await manager.update(
      AgentConnection,
      { ...active, expiresAt: LessThan(expiresAt) },
      { expiresAt },
    );
    return manager.existsBy(AgentConnection, active);
  }

  /**
   * Whether a connection may get further tokens: it has not ended, and its key works.
   */
  async isUsable(id: string): Promise<boolean> {
    return this.connections
      .createQueryBuilder('connection')
      .innerJoin('connection.apiKey', 'key')
      .where({ id, state: 'active' })
      .andWhere(`${sqlKeyStatus('key', this.dataSource)} = 'usable'`)
      .getExists();
  }

  /**
   * Ends a connection with all its tokens.
   *
   * @param actor who ends it; by default the key, as where a token was stolen
   * @returns false where it has ended before
   */
  end(id: string, actor?: Actor): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
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
      const { ownerId: kbId, id: keyId } = connection.apiKey;
      await this.events.recordChange(manager, actor ?? { id: keyId, requestId: '' }, {
        ...{ kbId, action: 'agent.disconnected', targetId: id },
        details: toDetails(connection),
      });
      return true;
    });
  }

  async writeUsage(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    for (const event of events) {
      if (event.kind !== 'use' || event.connectionId === undefined) continue;
      await manager
        .createQueryBuilder()
        .update(AgentConnection)
        .set({ lastUsedAt: event.at, requests: () => 'requests + :count' })
        .where({ id: event.connectionId })
        .setParameter('count', event.count)
        .execute();
    }
  }
}

const toDetails = ({ apiKeyId, clientName, clientHost, clientId }: NewConnection) => ({
  key_id: apiKeyId,
  client_name: clientName,
  client_host: clientHost,
  client_id: clientId,
});
