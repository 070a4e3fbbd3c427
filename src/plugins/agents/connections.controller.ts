import { Delete, Get, Query } from '@nestjs/common';
import { Access } from '../../knowledge-bases/access.js';
import { DashboardController } from '../../knowledge-bases/dashboard-auth/dashboard-controller.js';
import {
  CurrentUser,
  type DashboardUser,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { succeeded, SuccessDto } from '../../platform/http/success.dto.js';
import { IdParam } from '../../platform/http/type-id.js';
import { Operation } from '../../platform/openapi/operation.js';
import { ConnectionDto } from './connection.dto.js';
import { ConnectionsService } from './connections.service.js';

@DashboardController('API keys')
export class ConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  /**
   * List the agents that are connected to a key
   * @remarks Somebody who has the key connected them on the page behind `/oauth/authorize`. Each has tokens
   * of its own, which end with the key.
   */
  @Get('api-keys/:key_id/connections')
  @Access('key', 'viewer', 'keys:read')
  @Operation({ page: ConnectionDto })
  listConnections(
    @CurrentUser() user: DashboardUser,
    @IdParam('key') keyId: string,
    @Query() query: PageQueryDto,
  ): Promise<Page<ConnectionDto>> {
    return this.connections.list(user, keyId, query);
  }

  /**
   * Disconnect an agent
   * @remarks This takes effect at once: every request that starts after this response is refused. The key
   * goes on working.
   */
  @Delete('connections/:connection_id')
  @Access('connection', 'member', 'keys:write')
  deleteConnection(
    @CurrentUser() user: DashboardUser,
    @IdParam('conn', 'connection_id') id: string,
  ): Promise<SuccessDto> {
    return succeeded(this.connections.end(user, id));
  }
}
