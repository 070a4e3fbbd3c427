import { IsIn } from 'class-validator';
import { ApiInstant } from '../openapi/api-fields.js';
import type { KnowledgeBaseMember, MemberRole } from './knowledge-base-member.entity.js';

export class PutMemberDto {
  /** Owners also change members and delete the knowledge base. */
  @IsIn(['owner', 'member'])
  role: MemberRole;
}

export class MemberDto {
  /** @example 'bob' */
  user_id: string;
  role: MemberRole;
  @ApiInstant()
  created_at: string;
}

export const toMemberDto = (member: KnowledgeBaseMember): MemberDto => ({
  user_id: member.userId,
  role: member.role,
  created_at: member.createdAt.toISOString(),
});
