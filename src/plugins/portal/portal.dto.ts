import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, Length, Max, Min } from 'class-validator';
import { IsOptionalNotNull, IsQueryInteger } from '../../platform/http/fields.js';
import { IsText, Trim } from '../../platform/http/text.js';
import { ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';

const MAX_SECONDS = 7 * 24 * 60 * 60;

export class CreatePortalLinkDto {
  /** How long the link can be opened, in seconds: a day by default, at most a week. */
  @IsOptionalNotNull()
  @IsInt()
  @Min(60)
  @Max(MAX_SECONDS)
  @ApiInteger({ minimum: 60, maximum: MAX_SECONDS })
  expires_in?: number;

  /** Whether the key may be rotated there. */
  @IsOptionalNotNull() @IsBoolean() rotate?: boolean;

  /**
   * To whom you send it, at most 255 characters: the page names them before the link is opened.
   * @example 'Anna Weber, Web shop'
   */
  @IsOptionalNotNull() @Trim() @IsText(1, 255) recipient?: string;
}

export class PortalLinkDto {
  /**
   * Opens the portal, once. It is shown only this once: whoever has it can open it.
   * @example 'https://kb.example.com/portal#3q2-7wXvRkM0n8kYt1s5b9cJfLZpQxWvUe4hGdAaB6o'
   */
  @ApiProperty({ format: 'uri' }) url: string;
  @ApiInstant() expires_at: string;
}

/** What the page sends of its address. */
export class OpenPortalDto {
  @IsString() @Length(43, 43) token: string;
}

export class PortalUsageDto {
  /** How far the reader's time zone is east of UTC. */
  @IsQueryInteger(-24 * 60, 24 * 60) utc_offset_minutes: number;
}
