import { PickType } from '@nestjs/swagger';
import { parseExpiry, type RequestedColumns } from '../../api-keys/api-key-issuer.js';
import { CreateApiKeyDto, IsScopes } from '../../api-keys/api-key-requests.dto.js';
import { MANAGEMENT_SCOPES, type ManagementScope } from '../../knowledge-bases/management-scope.js';

export class CreateManagementKeyDto extends PickType(CreateApiKeyDto, [
  'name',
  'expires_at',
  'allowed_ips',
]) {
  /**
   * The operations that the key may call. `keys:write` includes the other two scopes of keys.
   * @example ["keys:write"]
   */
  @IsScopes(MANAGEMENT_SCOPES) scopes: ManagementScope[];
}

export const toManagementKey = (dto: CreateManagementKeyDto): RequestedColumns => ({
  name: dto.name,
  description: null,
  environment: 'admin',
  expiresAt: parseExpiry(dto),
  rateLimitPerMinute: null,
  rateLimitPerEndUser: null,
  budget: null,
  allowedIps: dto.allowed_ips ?? null,
  managementScopes: dto.scopes,
  selfRotationGraceSeconds: null,
  dpopJkt: null,
  principals: [],
});
