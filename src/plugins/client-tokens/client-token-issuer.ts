import { Injectable } from '@nestjs/common';
import { invalidField } from '../../platform/problems/problem.js';
import { groupPrincipal, userPrincipal } from '../../knowledge-bases/access-rules/principals.js';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import type { ClientTokenDto, CreateClientTokenDto } from './client-token.dto.js';
import { ClientTokens } from './client-tokens.js';
import { type ApiKeyScope, CLIENT_TOKEN_SCOPES, requireScope } from '../../api-keys/scope.js';

const DEFAULT_SECONDS = 900;
/** A request body with a token is limited to 64 KiB, part of which the question needs. */
const MAX_LENGTH = 49_152;

@Injectable()
export class ClientTokenIssuer {
  constructor(private readonly tokens: ClientTokens) {}

  /** @throws Problem `insufficient_scope` when the token would be wider than the key */
  issue(apiKey: ApiKeyPrincipal, dto: CreateClientTokenDto): ClientTokenDto {
    const scopes = grantedScopes(apiKey, dto.scopes);
    const lifeMs = (dto.expires_in_seconds ?? DEFAULT_SECONDS) * 1000;
    // JWTs store their expiry in whole seconds.
    const expiresAt = new Date(Math.floor((Date.now() + lifeMs) / 1000) * 1000);
    const claims = {
      keyId: apiKey.id,
      endUserId: dto.end_user_id,
      principals: principalsFor(dto),
      scopes,
      filter: dto.filter ?? undefined,
      allowedOrigins: dto.allowed_origins ?? null,
      dpopJkt: dto.sender_constraint?.jkt,
    };
    const clientToken = this.tokens.sign(claims, expiresAt);
    if (clientToken.length > MAX_LENGTH) {
      const field = dto.groups ? 'groups' : 'filter';
      throw invalidField(
        field,
        `groups, filter and allowed_origins make a token of more than ${MAX_LENGTH} bytes`,
      );
    }
    return {
      client_token: clientToken,
      expires_at: expiresAt.toISOString(),
      end_user_id: dto.end_user_id,
      scopes,
    };
  }
}

/** The principals of the end user, without duplicates. */
const principalsFor = ({ end_user_id: id, groups = [] }: CreateClientTokenDto): string[] => [
  ...new Set([userPrincipal(id), ...groups.map(groupPrincipal)]),
];

function grantedScopes(
  { scopes }: ApiKeyPrincipal,
  requested: readonly ApiKeyScope[] | undefined,
): ApiKeyScope[] {
  const grantable = CLIENT_TOKEN_SCOPES.filter((scope) => scopes.includes(scope));
  if (requested === undefined) return grantable;
  for (const scope of requested) requireScope(grantable, [scope]);
  return [...requested];
}
