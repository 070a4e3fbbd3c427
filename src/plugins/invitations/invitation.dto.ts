import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';
import {
  MEMBER_ROLES,
  type MemberRole,
} from '../../knowledge-bases/knowledge-base-member.entity.js';
import { IsOptionalNotNull } from '../../platform/http/fields.js';
import { ApiId, ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';
import { INVITATION_STATES, type InvitationState } from './invitation-state.js';

const MAX_DAYS = 30;
const MAX_USES = 100;

export class CreateInvitationDto {
  /**
   * The role of those who accept it.
   * @example 'member'
   */
  @IsIn(MEMBER_ROLES) @ApiProperty({ enum: [...MEMBER_ROLES] }) role: MemberRole;

  /** For how many days it can be accepted: 7 by default. */
  @IsOptionalNotNull()
  @IsInt()
  @Min(1)
  @Max(MAX_DAYS)
  @ApiInteger({ minimum: 1, maximum: MAX_DAYS })
  valid_days?: number;

  /** How many people may accept it: one by default. */
  @IsOptionalNotNull()
  @IsInt()
  @Min(1)
  @Max(MAX_USES)
  @ApiInteger({ minimum: 1, maximum: MAX_USES })
  max_uses?: number;
}

export class InvitationDto {
  @ApiId('inv') id: string;
  @ApiProperty({ enum: [...MEMBER_ROLES] }) role: MemberRole;
  /** `open` can be accepted; `used` was accepted by as many people as it was for. */
  @ApiProperty({ enum: [...INVITATION_STATES] }) state: InvitationState;
  @ApiInteger({ minimum: 1 }) max_uses: number;
  /** How many people have accepted it. */
  @ApiInteger({ minimum: 0 }) uses: number;
  created_by: string;
  @ApiInstant() created_at: string;
  @ApiInstant() expires_at: string;
}

export class CreatedInvitationDto extends InvitationDto {
  /**
   * Opens the invitation in the console. It is shown only this once: whoever has it can accept it.
   * @example 'https://kb.example.com/console/invitation#3q2-7wXvRkM0n8kYt1s5b9cJfLZpQxWvUe4hGdAaB6o'
   */
  @ApiProperty({ format: 'uri' }) url: string;
}

export class InvitationTokenDto {
  /**
   * What the link has after `#`.
   * @example '3q2-7wXvRkM0n8kYt1s5b9cJfLZpQxWvUe4hGdAaB6o'
   */
  @IsString() @Length(43, 43) token: string;
}

export class InvitationPreviewDto {
  @ApiId('kb') kb_id: string;
  kb_name: string;
  @ApiProperty({ enum: [...MEMBER_ROLES] }) role: MemberRole;
  created_by: string;
  @ApiInstant() expires_at: string;
  /** The role that you have there now; null if you are no member. */
  @ApiProperty({ enum: [...MEMBER_ROLES, null] })
  current_role: MemberRole | null;
}

export class AcceptedInvitationDto {
  @ApiId('kb') kb_id: string;
  /** Your role there from now on. */
  @ApiProperty({ enum: [...MEMBER_ROLES] }) role: MemberRole;
}
