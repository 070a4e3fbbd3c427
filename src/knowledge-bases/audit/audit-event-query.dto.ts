import { IsIn, IsOptional, Matches } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { ApiId, idSchema } from '../../platform/openapi/api-fields.js';
import { IsInstant } from '../../platform/http/instant.js';
import { PageQueryDto } from '../../platform/http/page.dto.js';
import { IsText } from '../../platform/http/text.js';
import { CHANGES, type Change } from '../events/event.js';

export class ListAuditEventsDto extends PageQueryDto {
  /** Only what this user did, or `leak-report`. */
  @IsOptional() @IsText(1, 255) actor?: string;

  /** Only such changes. */
  @IsOptional()
  @IsIn(CHANGES)
  @ApiProperty({ enum: CHANGES, enumName: 'Change' })
  action?: Change;

  /** Only what was done then or later; a date means its midnight, UTC. */
  @IsOptional() @IsInstant() from?: string;

  /** Only what was done before. */
  @IsOptional() @IsInstant() to?: string;
}

export class ListOwnedAuditEventsDto extends ListAuditEventsDto {
  /** Only of this knowledge base, which may be deleted by now. */
  @IsOptional()
  @Matches(new RegExp(idSchema('kb').pattern))
  @ApiId('kb', null)
  kb_id?: string;
}
