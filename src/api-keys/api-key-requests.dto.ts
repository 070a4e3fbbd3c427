import { applyDecorators } from '@nestjs/common';
import { ApiProperty, OmitType, PartialType, PickType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  ValidateBy,
  ValidationOptions,
} from 'class-validator';
import { isIpRange } from '../platform/config/ip-address.js';
import {
  IsInteger,
  IsNestedList,
  IsOptionalNotNull,
  IsQueryBoolean,
} from '../platform/http/fields.js';
import { ApiId } from '../platform/openapi/api-fields.js';
import { IsFutureInstant } from '../platform/http/instant.js';
import { BudgetDto, IsBudget } from '../knowledge-bases/budgets/budget.dto.js';
import { type ApiKeyEnvironment, ENVIRONMENTS } from '../knowledge-bases/key-environment.js';
import { ArePrincipals } from '../knowledge-bases/access-rules/access-rule.dto.js';
import { MANAGEMENT_SCOPES, type ManagementScope } from '../knowledge-bases/management-scope.js';
import { ApiFilterModels, IsFilter } from '../knowledge-bases/metadata-filter/filter.dto.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { PageQueryDto } from '../platform/http/page.dto.js';
import { IsText, Trim } from '../platform/http/text.js';
import { MAX_KNOWLEDGE_BASES } from './knowledge-base-ids.js';
import { API_KEY_SCOPES, type ApiKeyScope, DEFAULT_SCOPES } from './scope.js';

const MAX_IP_RANGE_LENGTH = '0000:0000:0000:0000:0000:ffff:255.255.255.255/128'.length;

const IsIpRange = (options: ValidationOptions) =>
  ValidateBy(
    {
      name: 'isIpRange',
      validator: {
        // A zone such as %eth0 has a meaning on one machine only.
        validate: (value: unknown) => isIpRange(value) && !value.includes('%'),
        defaultMessage: () => '$property must hold IP addresses and CIDR ranges',
      },
    },
    options,
  );

/** A non-empty list of scopes without repetition. */
export const IsScopes = (scopes: readonly string[] = API_KEY_SCOPES) =>
  applyDecorators(
    IsArray(),
    ArrayMinSize(1),
    // Also decides before ArrayUnique, whose time grows with the square of the length.
    ArrayMaxSize(scopes.length),
    ArrayUnique(),
    IsIn([...scopes], { each: true }),
    ApiProperty({
      type: 'array',
      minItems: 1,
      maxItems: scopes.length,
      uniqueItems: true,
      items: { type: 'string', enum: [...scopes] },
    }),
  );

@ApiFilterModels()
export class CreateApiKeyDto {
  /**
   * Where the key is used: 1 to 100 characters; white space around it is cut off.
   * @example 'Shop backend'
   */
  @Trim() @IsText(1, 100) name: string;

  /** It is part of the secret, so that a live key cannot be mistaken for a test key. */
  @IsIn(ENVIRONMENTS) environment: ApiKeyEnvironment;

  /**
   * At most 1000 characters; null for none.
   * @example 'Answers questions in the order form'
   */
  @IsOptional() @IsText(0, 1000) description?: string | null;

  /**
   * When the key stops by itself: in the future, with a time zone; null for never.
   */
  @IsOptional() @IsFutureInstant() expires_at?: string | null;

  /**
   * Requests per minute, 1 to 1,000,000; null takes the knowledge base's limit.
   * @example 600
   */
  @IsOptional() @IsInteger(1, 1_000_000) rate_limit_per_minute?: number | null;

  /**
   * Requests per minute in the name of one end user (`end_user_id`, of the request or the client token),
   * 1 to 1,000,000; null takes the knowledge base's limit, if it has one.
   * @example 60
   */
  @IsOptional() @IsInteger(1, 1_000_000) rate_limit_per_end_user?: number | null;

  /**
   * How much the key and its successors may use together in a day or month; null for any amount.
   * @example { "messages": 10000, "period": "month", "soft": 0.8 }
   */
  @IsOptional() @IsBudget() budget?: BudgetDto | null;

  /**
   * Up to 100 IPv4 or IPv6 addresses and CIDR ranges the key may be used from; null for any.
   */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsIpRange({ each: true })
  @ApiProperty({ items: { type: 'string', maxLength: MAX_IP_RANGE_LENGTH } })
  allowed_ips?: string[] | null;

  /**
   * What the key may be used for: asking (`query`, `chat`), rating answers (`feedback`), reading and
   * changing documents by your own ids (`documents:read`, `documents:write`).
   * @example ["query", "chat", "feedback"]
   */
  @IsOptionalNotNull()
  @IsScopes()
  // An initializer would be a default of UpdateApiKeyDto too.
  @ApiProperty({ default: DEFAULT_SCOPES })
  scopes?: ApiKeyScope[];

  /**
   * The documents that the key opens, by their metadata, whatever a request asks for; null for all. Not
   * together with `documents:write`.
   */
  @IsOptional() @IsFilter() filter?: MetadataFilter | null;

  /**
   * In whose name the key reads documents that have rules, beside `everyone`; empty for nobody. Its client
   * tokens read in the name of their end users instead.
   */
  @IsOptionalNotNull() @ArePrincipals() principals?: string[];
}

@ApiFilterModels()
export class KeyKnowledgeBaseDto extends PickType(CreateApiKeyDto, ['scopes', 'filter']) {
  @IsString() @ApiId('kb') kb_id: string;
}

export class CreateSharedApiKeyDto extends OmitType(CreateApiKeyDto, ['scopes', 'filter']) {
  /**
   * What it opens. The first one is the main one: its settings and limits apply.
   * @example [{ "kb_id": "kb_01kafdp6ygf4rs4s2cr5cvzwkc" }]
   */
  @IsNestedList(() => KeyKnowledgeBaseDto, MAX_KNOWLEDGE_BASES)
  @ArrayMinSize(1)
  @ArrayUnique(({ kb_id }: Partial<KeyKnowledgeBaseDto>) => kb_id)
  kbs: KeyKnowledgeBaseDto[];
}

export class CreateManagementKeyDto extends PickType(CreateApiKeyDto, [
  'name',
  'expires_at',
  'allowed_ips',
]) {
  /**
   * Which operations it opens. `keys:write` holds the other two of keys.
   * @example ["keys:write"]
   */
  @IsScopes(MANAGEMENT_SCOPES) scopes: ManagementScope[];
}

export class UpdateApiKeyDto extends PartialType(OmitType(CreateApiKeyDto, ['environment']), {
  skipNullProperties: false,
}) {}

export class RotateApiKeyDto {
  /**
   * How long the old key still works, in seconds: 0 stops it at once, at most 30 days.
   * @example 86400
   */
  @IsOptionalNotNull() @IsInteger(0, 2_592_000) grace_period_seconds?: number = 86_400;
}

export class ListApiKeysDto extends PageQueryDto {
  /** Only keys that can, or cannot, be used now. */
  @IsOptional() @IsQueryBoolean() active?: boolean;

  /**
   * Only keys whose name or prefix contains this, in any case. Of a whole key only the prefix is looked
   * up, but leave the rest out: addresses are written to logs.
   */
  @IsOptional() @IsText(1, 255) q?: string;

  /** Only keys of this environment. */
  @IsOptional() @IsIn(ENVIRONMENTS) environment?: ApiKeyEnvironment;
}
