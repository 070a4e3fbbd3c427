import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { ApiInstant } from '../platform/openapi/api-fields.js';
import {
  type KnowledgeBaseMember,
  MEMBER_ROLES,
  type MemberRole,
} from './knowledge-base-member.entity.js';

export class PutMemberDto {
  /**
   * Viewers read; members also change keys, documents, settings and conversations; owners also change
   * members and delete the knowledge base.
   * @example 'member'
   */
  @IsIn(MEMBER_ROLES) @ApiProperty({ enum: [...MEMBER_ROLES] }) role: MemberRole;
}

export class MemberDto {
  /**
   * A user, or `group:` and the name of a group.
   * @example 'bob'
   */
  user_id: string;
  @ApiProperty({ enum: [...MEMBER_ROLES] }) role: MemberRole;
  @ApiInstant() created_at: string;
}

export const toMemberDto = (member: KnowledgeBaseMember): MemberDto => ({
  user_id: member.writtenId ?? member.userId,
  role: member.role,
  created_at: member.createdAt.toISOString(),
});
