import { IsIn, IsOptional, Matches } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ApiId, idSchema } from '../../platform/openapi/api-fields.js';
import { IsInstant } from '../../platform/http/instant.js';
import { PageQueryDto } from '../../platform/http/page.dto.js';
import { IsText } from '../../platform/http/text.js';
import { CHANGES, type Change } from '../events/event.js';

export class ListAuditEventsDto extends PageQueryDto {
  /** Only events of this user, or of `leak-report`. */
  @IsOptional() @IsText(1, 255) actor?: string;

  /** Only changes of this kind. */
  @IsOptional()
  @IsIn(CHANGES)
  @ApiProperty({ enum: CHANGES, enumName: 'Change' })
  action?: Change;

  /** Only events at or after this time; a date means its midnight, UTC. */
  @IsOptional() @IsInstant() from?: string;

  /** Only events before this time. */
  @IsOptional() @IsInstant() to?: string;
}

export class ListOwnedAuditEventsDto extends ListAuditEventsDto {
  /** Only events of this knowledge base, which may be deleted by now. */
  @IsOptional()
  @Matches(new RegExp(idSchema('kb').pattern))
  @ApiId('kb', null)
  kb_id?: string;
}
