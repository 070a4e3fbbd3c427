import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { IsQueryBoolean } from '../../platform/http/fields.js';

export class OriginalQueryDto {
  /** Of an `original_url`, instead of the header. */
  @IsOptional() @IsString() @ApiProperty({ maxLength: 16384 }) link?: string;
}

export class ContentQueryDto extends OriginalQueryDto {
  /** Of no effect: the service always sends the original itself. */
  @IsOptional() @IsQueryBoolean() @ApiProperty({ deprecated: true }) redirect?: boolean;
}
