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
  IsNested,
  IsNestedList,
  IsOptionalNotNull,
  IsQueryBoolean,
} from '../platform/http/fields.js';
import { ApiId } from '../platform/openapi/api-fields.js';
import { IsFutureInstant } from '../platform/http/instant.js';
import { BudgetDto, IsBudget } from '../knowledge-bases/budgets/budget.dto.js';
import { type ApiKeyEnvironment, ENVIRONMENTS } from '../knowledge-bases/key-environment.js';
import { ArePrincipals } from '../knowledge-bases/access-rules/access-rule.dto.js';
import { ApiFilterModels, IsFilter } from '../knowledge-bases/metadata-filter/filter.dto.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { PageQueryDto } from '../platform/http/page.dto.js';
import { IsText, Trim } from '../platform/http/text.js';
import { SenderConstraintDto } from './sender-constraint.dto.js';
import { MAX_KNOWLEDGE_BASES } from './knowledge-base-ids.js';
import { API_KEY_SCOPES, type ApiKeyScope, DEFAULT_SCOPES } from './scope.js';

const MAX_IP_RANGE_LENGTH = '0000:0000:0000:0000:0000:ffff:255.255.255.255/128'.length;

const IsIpRange = (options: ValidationOptions) =>
  ValidateBy(
    {
      name: 'isIpRange',
      validator: {
        // A zone such as %eth0 is meaningful on one machine only.
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
    // The limit also protects ArrayUnique, whose time grows with the square of the length.
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

/** The longest time that a rotated key still works, in seconds. */
const MAX_GRACE_SECONDS = 2_592_000;

export class SelfRotationDto {
  /**
   * How long the old key still works, in seconds, at most 30 days; 0 stops it at once.
   * @example 86400
   */
  @IsInteger(0, MAX_GRACE_SECONDS) grace_seconds: number;
}

@ApiFilterModels()
export class CreateApiKeyDto {
  /**
   * The application that uses the key: 1 to 100 characters; surrounding white space is removed.
   * @example 'Shop backend'
   */
  @Trim() @IsText(1, 100) name: string;

  /** The environment is part of the secret, so that a live key cannot be mistaken for a test key. */
  @IsIn(ENVIRONMENTS) environment: ApiKeyEnvironment;

  /**
   * At most 1000 characters; null for none.
   * @example 'Answers questions in the order form'
   */
  @IsOptional() @IsText(0, 1000) description?: string | null;

  /** When the key expires: a time in the future, with a time zone; null for never. */
  @IsOptional() @IsFutureInstant() expires_at?: string | null;

  /**
   * Requests per minute, 1 to 1,000,000; null to use the knowledge base’s limit.
   * @example 600
   */
  @IsOptional() @IsInteger(1, 1_000_000) rate_limit_per_minute?: number | null;

  /**
   * Requests per minute of one end user (`end_user_id` of the request or the client token), 1 to 1,000,000;
   * null to use the knowledge base’s limit, if it has one.
   * @example 60
   */
  @IsOptional() @IsInteger(1, 1_000_000) rate_limit_per_end_user?: number | null;

  /**
   * How much the key and its successors may use together in a day or month; null for no budget.
   * @example { "messages": 10000, "period": "month", "soft": 0.8 }
   */
  @IsOptional() @IsBudget() budget?: BudgetDto | null;

  /** Up to 100 IPv4 or IPv6 addresses and CIDR ranges from which the key may be used; null for any. */
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
   * Restricts the key to documents with matching metadata, whatever a request asks for; null for all. It
   * cannot be combined with `documents:write`.
   */
  @IsOptional() @IsFilter() filter?: MetadataFilter | null;

  /**
   * The principals whose documents the key may read if access rules apply, besides `everyone`; empty for
   * none. Its client tokens read as their end users instead.
   */
  @IsOptionalNotNull() @ArePrincipals() principals?: string[];

  /** Lets the holder rotate the key with the key itself, at `POST /key/rotate`; null for members only. */
  @IsOptional()
  @IsNested(() => SelfRotationDto)
  self_rotation?: SelfRotationDto | null;

  /** Whose proof (RFC 9449) each request with the key needs; null for none. */
  @IsOptional()
  @IsNested(() => SenderConstraintDto)
  sender_constraint?: SenderConstraintDto | null;
}

@ApiFilterModels()
export class KeyKnowledgeBaseDto extends PickType(CreateApiKeyDto, ['scopes', 'filter']) {
  @IsString() @ApiId('kb') kb_id: string;
}

export class CreateSharedApiKeyDto extends OmitType(CreateApiKeyDto, ['scopes', 'filter']) {
  /**
   * The knowledge bases of the key. The first one is the main one, whose settings and limits apply.
   * @example [{ "kb_id": "kb_01kafdp6ygf4rs4s2cr5cvzwkc" }]
   */
  @IsNestedList(() => KeyKnowledgeBaseDto, MAX_KNOWLEDGE_BASES)
  @ArrayMinSize(1)
  @ArrayUnique(({ kb_id }: Partial<KeyKnowledgeBaseDto>) => kb_id)
  kbs: KeyKnowledgeBaseDto[];
}

export class UpdateApiKeyDto extends PartialType(OmitType(CreateApiKeyDto, ['environment']), {
  skipNullProperties: false,
}) {}

export class RotateApiKeyDto {
  /**
   * How long the old key still works, in seconds, at most 30 days; 0 stops it at once.
   * @example 86400
   */
  @IsOptionalNotNull() @IsInteger(0, MAX_GRACE_SECONDS) grace_period_seconds?: number = 86_400;
}

export class ListApiKeysDto extends PageQueryDto {
  /** Only keys that can (true) or cannot (false) be used now. */
  @IsOptional() @IsQueryBoolean() active?: boolean;

  /**
   * Only keys whose name or prefix contains this text, in any case. If you send a whole key, only its
   * prefix is used; but leave the rest out, because URLs are logged.
   */
  @IsOptional() @IsText(1, 255) q?: string;

  /** Only keys of this environment. */
  @IsOptional() @IsIn(ENVIRONMENTS) environment?: ApiKeyEnvironment;
}
