import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Not, IsNull, Repository } from 'typeorm';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import {
  type KeyConnection,
  type KeyConnections,
  KnowsKeyConnections,
} from '../../api-keys/key-connections.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { Actor } from '../../knowledge-bases/events/event.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { Problem } from '../../platform/problems/problem.js';
import { AgentConnection } from './agent-connection.entity.js';
import { AgentConnections } from './agent-connections.js';
import { type ConnectionDto, toConnectionDto } from './connection.dto.js';

const MAX_SHOWN = 100;

/** Lists and ends the connections of agents for those who manage the keys. */
@Injectable()
@ResolvesResource({ resource: 'connection', prefix: 'conn', withoutDocuments: true })
@KnowsKeyConnections()
export class ConnectionsService implements ResourceResolver, KeyConnections {
  constructor(
    @InjectRepository(AgentConnection) private readonly connections: Repository<AgentConnection>,
    private readonly keys: ApiKeysService,
    private readonly access: KnowledgeBaseAccess,
    private readonly agents: AgentConnections,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.find(id))?.apiKey.ownerId;
  }

  /** @throws Problem `not_found` */
  async list(
    user: DashboardUser,
    keyId: string,
    query: PageQueryDto,
  ): Promise<Page<ConnectionDto>> {
    await this.keys.find(user, keyId);
    const connected = this.connections.createQueryBuilder('connection').where(ofKey(keyId));
    return paginate(connected, query, toConnectionDto);
  }

  async findConnections(keyId: string): Promise<KeyConnection[]> {
    const found = await this.connections.find({
      where: ofKey(keyId),
      order: { id: 'DESC' },
      take: MAX_SHOWN,
    });
    return found.map(({ connectedAt, ...connection }) => ({
      ...connection,
      connectedAt: connectedAt ?? connection.createdAt,
    }));
  }

  async endConnection(keyId: string, id: string, actor: Actor): Promise<boolean> {
    const isOfKey = await this.connections.existsBy({ id, apiKeyId: keyId });
    return isOfKey && this.agents.end(id, actor);
  }

  /** Ends a connection: once this returns, every later request with its tokens is refused. */
  async end(user: DashboardUser, id: string): Promise<void> {
    const connection = await this.find(id);
    if (!connection) throw new Problem('not_found');
    const { ownerId: kbId } = connection.apiKey;
    const options = { role: 'member', lock: 'knowledge base' } as const;
    const hasEnded = await this.access.change(user, kbId, options, (manager) =>
      this.agents.endIn(manager, id, user),
    );
    if (!hasEnded) throw new Problem('not_found');
  }

  private find(id: string): Promise<AgentConnection | null> {
    return this.connections.findOne({
      where: { id, state: 'active' },
      relations: { apiKey: true },
    });
  }
}

/** The connections that have tokens. */
const ofKey = (apiKeyId: string) => ({
  apiKeyId,
  state: 'active' as const,
  connectedAt: Not(IsNull()),
  expiresAt: MoreThan(new Date()),
});
