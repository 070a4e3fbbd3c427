import { ApiProperty } from '@nestjs/swagger';
import { type ApiKeyScope, CLIENT_TOKEN_SCOPES } from '../../api-keys/scope.js';
import { ApiCount, ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import type { AgentConnection } from './agent-connection.entity.js';
import { type ResourceName, RESOURCES } from './resources.js';

export class ConnectionDto {
  @ApiId('conn') id: string;
  @ApiId('key') api_key_id: string;
  /**
   * The name that the client gives itself.
   * @example 'Claude'
   */
  client_name: string;
  /**
   * The host that vouches for the name; null if nobody does.
   * @example 'claude.ai'
   */
  client_host: string | null;
  /** The registration of the client, or the address of its metadata. */
  client_id: string;
  /** What its tokens are for, as a path below the service’s address. */
  @ApiProperty({ type: 'string', enum: [...RESOURCES] }) resource: ResourceName;
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...CLIENT_TOKEN_SCOPES] } })
  scopes: ApiKeyScope[];
  /** The person in whose name it asks; null for the key’s own. */
  end_user_id: string | null;
  @ApiInstant() created_at: string;
  /** When it ends unless it is used; a person’s own ends after 30 days in any case. */
  @ApiInstant() expires_at: string;
  /** Accurate to 5 seconds. */
  @ApiInstant(null) last_used_at: string | null;
  /** The requests with its tokens. */
  @ApiCount() requests: number;
}

export const toConnectionDto = (connection: Omit<AgentConnection, 'apiKey'>): ConnectionDto => ({
  id: connection.id,
  api_key_id: connection.apiKeyId,
  client_name: connection.clientName,
  client_host: connection.clientHost,
  client_id: connection.clientId,
  resource: connection.resource,
  scopes: connection.scopes,
  end_user_id: connection.endUserId,
  created_at: connection.createdAt.toISOString(),
  expires_at: connection.expiresAt.toISOString(),
  last_used_at: connection.lastUsedAt?.toISOString() ?? null,
  requests: connection.requests,
});
