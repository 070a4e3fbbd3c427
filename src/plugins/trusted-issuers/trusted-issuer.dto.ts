import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import {
  ApiFilter,
  ApiFilterModels,
  IsFilter,
} from '../../knowledge-bases/metadata-filter/filter.dto.js';
import type { FieldContext } from '../../platform/http/dto-fields.js';
import { hasLength, isStorableText, IsText, Trim } from '../../platform/http/text.js';
import { ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import type { ApiKeyGrant } from '../../api-keys/api-key-grant.entity.js';
import type { ApiKey } from '../../api-keys/api-key.entity.js';
import { IsScopes } from '../../api-keys/api-key-requests.dto.js';
import { type ApiKeyScope, CLIENT_TOKEN_SCOPES } from '../../api-keys/scope.js';
import type { RequiredClaims, TrustedIssuer } from './trusted-issuer.entity.js';

const MAX_CLAIMS = 20;
const MAX_TEXT = 255;

const isClaimValue = (value: unknown) =>
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (isStorableText(value) && hasLength(value, 0, MAX_TEXT));

/** Claims by name, each with a text, number or boolean. */
const areClaims = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(value).every(
    ([name, claim]) => isStorableText(name) && hasLength(name, 1, MAX_TEXT) && isClaimValue(claim),
  );

const IsClaims = () =>
  ValidateBy(
    {
      name: 'isClaims',
      validator: {
        validate: areClaims,
        defaultMessage: () =>
          `$property must be an object of texts of at most ${MAX_TEXT} characters, numbers and booleans`,
      },
    },
    { context: { maxFields: MAX_CLAIMS } satisfies FieldContext },
  );

const CLAIM_SCHEMA = {
  oneOf: [{ type: 'string', maxLength: MAX_TEXT }, { type: 'number' }, { type: 'boolean' }],
};

const ApiClaims = () =>
  ApiProperty({
    type: 'object',
    maxProperties: MAX_CLAIMS,
    additionalProperties: CLAIM_SCHEMA,
    example: { repository: 'shop/site', ref: 'refs/heads/main' },
  });

@ApiFilterModels()
export class CreateTrustedIssuerDto {
  /**
   * The `iss` of its tokens: an https URL, below which the issuer publishes its keys.
   * @example 'https://token.actions.githubusercontent.com'
   */
  @Trim() @IsText(1, 1000) issuer: string;

  /**
   * The only `aud` of its tokens: a name of this knowledge base that no other service uses.
   * @example 'https://kb.shop.example.com'
   */
  @IsText(1, 255) audience: string;

  /**
   * The `sub` of its tokens, in which `*` matches any characters; null for any. If others use the issuer
   * too, restrict it to your own tokens, here or in `claims`.
   * @example 'repo:shop/site:ref:refs/heads/main'
   */
  @IsOptional() @IsText(1, 255) subject?: string | null;

  /** Up to 20 further claims of its tokens with their required values. */
  @IsOptional() @IsClaims() @ApiClaims() claims?: RequiredClaims | null;

  /**
   * The scopes of the client tokens.
   * @example ["query"]
   */
  @IsScopes(CLIENT_TOKEN_SCOPES) scopes: ApiKeyScope[];

  /** The documents that the client tokens may read; null for all. */
  @IsOptional() @IsFilter() filter?: MetadataFilter | null;
}

export class TrustedIssuerDto {
  @ApiId('trust') id: string;
  @ApiId('kb') kb_id: string;
  /** The key under which its client tokens are counted in analytics and costs. It has no secret. */
  @ApiId('key') api_key_id: string;
  /** @example 'https://token.actions.githubusercontent.com' */
  issuer: string;
  /** @example 'https://kb.shop.example.com' */
  audience: string;
  /** @example 'repo:shop/site:ref:refs/heads/main' */
  subject: string | null;
  @ApiClaims() claims: RequiredClaims | null;
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...CLIENT_TOKEN_SCOPES] } })
  scopes: ApiKeyScope[];
  @ApiFilter() filter: MetadataFilter | null;
  @ApiInstant() created_at: string;
  /** @example 'alice' */
  created_by: string;
  /** Accurate to 5 seconds. */
  @ApiInstant(null) last_used_at: string | null;
}

export const toTrustedIssuerDto = (
  { id, issuer, audience, subject, claims }: Omit<TrustedIssuer, 'apiKey' | 'apiKeyId'>,
  key: Pick<ApiKey, 'id' | 'ownerId' | 'createdAt' | 'createdBy'> &
    Partial<Pick<ApiKey, 'activity'>> & {
      readonly grants: readonly Pick<ApiKeyGrant, 'scopes' | 'filter'>[];
    },
): TrustedIssuerDto => ({
  id,
  kb_id: key.ownerId,
  api_key_id: key.id,
  issuer,
  audience,
  subject,
  claims,
  scopes: key.grants[0]?.scopes ?? [],
  filter: key.grants[0]?.filter ?? null,
  created_at: key.createdAt.toISOString(),
  created_by: key.createdBy,
  last_used_at: key.activity?.lastUsedAt?.toISOString() ?? null,
});
