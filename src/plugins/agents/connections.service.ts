import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Not, IsNull, Repository } from 'typeorm';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { Problem } from '../../platform/problems/problem.js';
import { AgentConnection } from './agent-connection.entity.js';
import { AgentConnections } from './agent-connections.js';
import { type ConnectionDto, toConnectionDto } from './connection.dto.js';

/** Lists and ends the connections of agents for those who manage the keys. */
@Injectable()
@ResolvesResource({ resource: 'conn', prefix: 'conn', withoutDocuments: true })
export class ConnectionsService implements ResourceResolver {
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
    const connected = this.connections
      .createQueryBuilder('connection')
      .where({ apiKeyId: keyId, state: 'active', connectedAt: Not(IsNull()) })
      .andWhere({ expiresAt: MoreThan(new Date()) });
    return paginate(connected, query, toConnectionDto);
  }

  /** Ends a connection: once this returns, every later request with its tokens is refused. */
  async end(user: DashboardUser, id: string): Promise<void> {
    const connection = await this.find(id);
    if (!connection) throw new Problem('not_found');
    await this.access.requireMember(user, connection.apiKey.ownerId);
    if (!(await this.agents.end(id, user))) throw new Problem('not_found');
  }

  private find(id: string): Promise<AgentConnection | null> {
    return this.connections.findOne({
      where: { id, state: 'active' },
      relations: { apiKey: true },
    });
  }
}
