import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsInteger, IsOptionalNotNull } from '../../platform/http/fields.js';
import { HasLength, IsText, Trim } from '../../platform/http/text.js';
import { CHANNEL_TYPES, type ChannelState, type ChannelType } from './channel.entity.js';

/** What a secret is made of, whoever issues it. */
const VISIBLE = /^[!-~]+$/;
const MAX_SECRET = 500;
const visible = { message: '$property must be visible ASCII characters' };

export class CreateChannelDto {
  @IsOptionalNotNull() @IsIn(CHANNEL_TYPES) type?: ChannelType;

  /**
   * 1 to 100 characters.
   * @example 'Slack of the shop'
   */
  @Trim() @IsText(1, 100) name: string;

  /**
   * With which Slack signs its requests; without it they are refused. It is never shown again.
   */
  @IsOptional()
  @ApiProperty({ writeOnly: true, pattern: VISIBLE.source })
  @Trim()
  @HasLength(1, MAX_SECRET)
  @Matches(VISIBLE, visible)
  signing_secret?: string | null;

  /**
   * With which the bot answers; Slack is asked which workspace it is for. It is never shown again.
   */
  @IsOptional()
  @ApiProperty({ writeOnly: true, pattern: VISIBLE.source })
  @Trim()
  @HasLength(1, MAX_SECRET)
  @Matches(VISIBLE, visible)
  bot_token?: string | null;

  /**
   * The questions of everybody in a day (UTC), 1 to 1,000,000: what the channel can cost.
   * @example 500
   */
  @IsOptionalNotNull() @IsInteger(1, 1_000_000) daily_messages?: number;

  /**
   * The questions of one person in a minute, 1 to 600.
   * @example 10
   */
  @IsOptionalNotNull() @IsInteger(1, 600) per_user_per_minute?: number;
}

const STATES = ['active', 'paused'] as const;

/** Fields that are left out stay as they are. */
export class UpdateChannelDto extends PartialType(OmitType(CreateChannelDto, ['type']), {
  skipNullProperties: false,
}) {
  /** A paused channel answers nothing from the next question on. */
  @IsOptionalNotNull() @IsIn(STATES) state?: ChannelState;
}
