import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { ArrayUnique, IsBoolean, IsIn, Matches } from 'class-validator';
import { IsNestedList, IsOptionalNotNull } from '../../platform/http/fields.js';
import { IsText, Trim } from '../../platform/http/text.js';
import { ApiId, ApiInstant, idSchema } from '../../platform/openapi/api-fields.js';
import {
  MEMBER_ROLES,
  type MemberRole,
} from '../../knowledge-bases/knowledge-base-member.entity.js';

const MAX_KNOWLEDGE_BASES = 100;

export class ServiceAccountRoleDto {
  @Matches(new RegExp(idSchema('kb').pattern)) @ApiId('kb') kb_id: string;
  /** @example 'member' */
  @IsIn(MEMBER_ROLES) @ApiProperty({ enum: [...MEMBER_ROLES] }) role: MemberRole;
}

export class CreateServiceAccountDto {
  /**
   * 1 to 100 characters; surrounding white space is removed.
   * @example 'Deployment'
   */
  @Trim() @IsText(1, 100) name: string;

  /** Its knowledge bases, which you must own, with its role in each. */
  @IsOptionalNotNull()
  @IsNestedList(() => ServiceAccountRoleDto, MAX_KNOWLEDGE_BASES)
  @ArrayUnique(({ kb_id }: Partial<ServiceAccountRoleDto>) => kb_id)
  kbs?: ServiceAccountRoleDto[];

  /** Whether it may create knowledge bases, which it then owns. */
  @IsOptionalNotNull() @IsBoolean() all?: boolean;
}

export class UpdateServiceAccountDto extends PartialType(
  OmitType(CreateServiceAccountDto, ['all']),
  { skipNullProperties: false },
) {}

export class ServiceAccountDto {
  @ApiId('sa') id: string;
  /** @example 'Deployment' */
  name: string;
  kbs: ServiceAccountRoleDto[];
  /** Whether it may create knowledge bases. */
  all: boolean;
  /** @example 'alice' */
  created_by: string;
  @ApiInstant() created_at: string;
}
