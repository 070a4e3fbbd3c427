import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { IsQueryBoolean, IsQueryInteger } from '../../platform/http/fields.js';
import { IsText } from '../../platform/http/text.js';

export class OriginalQueryDto {
  /** Of an `original_url`, instead of the header. */
  @IsOptional() @IsString() @ApiProperty({ maxLength: 16384 }) link?: string;

  /** Of pages, slides, sheets or chapters, from 1: this one as it is shown, instead of the original. */
  @IsOptional() @IsQueryInteger(1, 1_000_000) page?: number;

  /** The `chunk_id` of a passage, which is marked on its page, or on `page`. */
  @IsOptional() @IsText(1, 100) highlight?: string;
}

export class ContentQueryDto extends OriginalQueryDto {
  /** Of no effect: the service always sends the original itself. */
  @IsOptional() @IsQueryBoolean() @ApiProperty({ deprecated: true }) redirect?: boolean;
}
