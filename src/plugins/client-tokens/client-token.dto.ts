import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, MaxLength } from 'class-validator';
import {
  IsInteger,
  IsNested,
  IsOptionalNotNull,
  IsOrigin,
  MAX_ORIGIN_LENGTH,
} from '../../platform/http/fields.js';
import { IsText } from '../../platform/http/text.js';
import { MAX_PRINCIPALS } from '../../knowledge-bases/access-rules/principals.js';
import { ApiInstant } from '../../platform/openapi/api-fields.js';
import { ApiFilterModels, IsFilter } from '../../knowledge-bases/metadata-filter/filter.dto.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { IsScopes } from '../../api-keys/api-key-requests.dto.js';
import { SenderConstraintDto } from '../../api-keys/sender-constraint.dto.js';
import { CredentialDto } from '../../api-keys/credential.dto.js';
import { type ApiKeyScope, CLIENT_TOKEN_SCOPES } from '../../api-keys/scope.js';

@ApiFilterModels()
export class CreateClientTokenDto extends CredentialDto {
  /**
   * Your own id of the person who asks: 1 to 255 characters. The token gives no access to other persons’
   * conversations.
   * @example 'customer-4711'
   */
  @IsText(1, 255) end_user_id: string;

  /**
   * How long the token works, in seconds: from a minute to an hour.
   * @example 900
   */
  @IsOptionalNotNull() @IsInteger(60, 3600) expires_in_seconds?: number = 900;

  /**
   * The groups of this person, up to 500. Access rules that allow or deny these groups apply to the person,
   * in place of those that name the key’s `principals`.
   * @example ["support"]
   */
  @IsOptionalNotNull()
  @IsArray()
  @ArrayMaxSize(MAX_PRINCIPALS)
  @IsText(1, 255, { each: true })
  @ApiProperty({
    maxItems: MAX_PRINCIPALS,
    items: { type: 'string', minLength: 1, maxLength: 255 },
  })
  groups?: string[];

  /** Scopes of the token, among the key’s `query`, `chat` and `feedback`; all of these by default. */
  @IsOptionalNotNull() @IsScopes() scopes?: ApiKeyScope[];

  /** Restricts the token to a part of the key’s documents; null for no further restriction. */
  @IsOptional() @IsFilter() filter?: MetadataFilter | null;

  /**
   * Web origins whose pages may use the token, among those that the knowledge base allows; empty for none,
   * null for no further restriction.
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @MaxLength(MAX_ORIGIN_LENGTH, { each: true })
  @IsOrigin()
  // There is no example, because Swagger UI would send it and lock out its own page.
  @ApiProperty({ items: { type: 'string', maxLength: MAX_ORIGIN_LENGTH } })
  allowed_origins?: string[] | null;

  /** Whose proof (RFC 9449) each request with the token needs; null for none. */
  @IsOptional()
  @IsNested(() => SenderConstraintDto)
  sender_constraint?: SenderConstraintDto | null;
}

export class ClientTokenDto {
  /**
   * Use it wherever an API key can be used, in one person’s browser or app. It need not be stored. A token
   * of more than 8 KB, with many groups, is too long for headers: send it as `api_key`.
   * @example 'rag_client_eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjdXN0b21lci00NzExIn0.signature'
   */
  @ApiProperty({ pattern: '^rag_client_' }) client_token: string;
  @ApiInstant() expires_at: string;
  /** @example 'customer-4711' */
  end_user_id: string;
  /** @example ["query", "chat", "feedback"] */
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...CLIENT_TOKEN_SCOPES] } })
  scopes: ApiKeyScope[];
}
