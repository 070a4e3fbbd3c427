import { ApiProperty, PartialType } from '@nestjs/swagger';
import { ApiCount, ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import { IsText, Trim } from '../../platform/http/text.js';
import { AccessRuleDto, ArePrincipals } from './access-rule.dto.js';
import type { AccessSet } from './access-set.entity.js';

export class CreateAccessSetDto extends AccessRuleDto {
  /** @example 'Human resources' */
  @Trim() @IsText(1, 100) name: string;
}

export class UpdateAccessSetDto extends PartialType(CreateAccessSetDto, {
  skipNullProperties: false,
}) {}

export class AccessSetDto {
  @ApiId('as') id: string;
  @ApiId('kb') kb_id: string;
  /** @example 'Human resources' */
  name: string;
  /** @example ["group:hr"] */
  allow: string[];
  /** @example [] */
  deny: string[];
  /**
   * The number of documents that use it.
   * @example 12
   */
  @ApiCount() document_count: number;
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
}

export class CheckAccessDto {
  /** The principals whose access is checked; `everyone` is implied. */
  @ArePrincipals() @ApiProperty({ example: ['group:support'] }) principals: string[];
}

export class AccessCheckDto {
  allowed: boolean;
  /**
   * What decided: an entry of the rule, `no entry`, or `default_access`.
   * @example 'allow group:support'
   */
  by: string;
}

export const toAccessSetDto = (
  { id, kbId, name, rule, ...set }: AccessSet,
  documentCounts: ReadonlyMap<string, number>,
): AccessSetDto => ({
  id,
  kb_id: kbId,
  name: name ?? '',
  ...rule,
  document_count: documentCounts.get(id) ?? 0,
  created_at: set.createdAt.toISOString(),
  updated_at: set.updatedAt.toISOString(),
});
