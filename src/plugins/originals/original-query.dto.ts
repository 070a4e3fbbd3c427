import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { IsQueryBoolean, IsQueryInteger } from '../../platform/http/fields.js';
import { IsText } from '../../platform/http/text.js';

export class OriginalQueryDto {
  /** The link of an `original_url`, instead of the header. */
  @IsOptional() @IsString() @ApiProperty({ maxLength: 16384 }) link?: string;

  /** The number of a page, slide, sheet or chapter, from 1: shows it instead of the original. */
  @IsOptional() @IsQueryInteger(1, 1_000_000) page?: number;

  /** The `chunk_id` of a passage to mark, on its page or on `page`. */
  @IsOptional() @IsText(1, 100) highlight?: string;
}

export class ContentQueryDto extends OriginalQueryDto {
  /** Has no effect: the service always sends the original itself. */
  @IsOptional() @IsQueryBoolean() @ApiProperty({ deprecated: true }) redirect?: boolean;
}
