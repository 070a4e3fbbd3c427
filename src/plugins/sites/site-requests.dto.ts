import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsOptional,
  Matches,
  MaxLength,
} from 'class-validator';
import {
  IsInteger,
  IsNested,
  IsOptionalNotNull,
  IsOrigin,
  MAX_ORIGIN_LENGTH,
} from '../../platform/http/fields.js';
import { IsText, Trim } from '../../platform/http/text.js';
import { COLOR_SCHEMES, POSITIONS, type SiteState, type SiteTheme } from './site.entity.js';

/** Nothing that would be more than one origin in a policy. */
const WEB_ORIGIN = /^https?:\/\/[^*;,'"\s]+$/;
const MAX_SUGGESTION = 200;

export class SiteThemeDto implements SiteTheme {
  /** The colour of buttons and links. */
  @IsOptionalNotNull()
  @Matches(/^#[\da-fA-F]{3}(?:[\da-fA-F]{3})?$/, {
    message: 'accent must be a colour such as #0b6e4f',
  })
  @MaxLength(7)
  @ApiProperty({ example: '#0b6e4f' })
  accent?: string;

  /** The corner of the page in which the button is. */
  @IsOptionalNotNull() @IsIn(POSITIONS) position?: (typeof POSITIONS)[number];

  /** `auto` follows the visitor’s system. */
  @IsOptionalNotNull() @IsIn(COLOR_SCHEMES) color_scheme?: (typeof COLOR_SCHEMES)[number];
}

export class CreateSiteDto {
  /**
   * 1 to 100 characters; visitors see it as the title of the chat.
   * @example 'Help centre'
   */
  @Trim() @IsText(1, 100) name: string;

  /** The origins of the pages that may show the chat, at most 20. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @MaxLength(MAX_ORIGIN_LENGTH, { each: true })
  @IsOrigin()
  @Matches(WEB_ORIGIN, {
    each: true,
    message: 'origins must begin with http:// or https://, and have no wildcards',
  })
  @ApiProperty({
    items: { type: 'string', maxLength: MAX_ORIGIN_LENGTH },
    example: ['https://shop.example.com'],
  })
  origins: string[];

  /**
   * What the chat says first, at most 500 characters; null for a greeting in the language of the page.
   * @example 'Ask me anything about orders and returns.'
   */
  @IsOptional() @IsText(1, 500) greeting?: string | null;

  /** Questions to begin with, at most 5. */
  @IsOptionalNotNull()
  @IsArray()
  @ArrayMaxSize(5)
  @IsText(1, MAX_SUGGESTION, { each: true })
  @ApiProperty({
    items: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_SUGGESTION,
      example: 'How long may I return an order?',
    },
  })
  suggestions?: string[];

  @IsOptionalNotNull() @IsNested(() => SiteThemeDto) theme?: SiteThemeDto;

  /**
   * Where visitors find a person to talk to: an http, https or mailto address; null for nowhere.
   * @example 'https://shop.example.com/contact'
   */
  @IsOptional()
  @Matches(/^(?:https?:\/\/|mailto:)[^\s"<>]+$/, {
    message: 'contact_url must begin with https://, http:// or mailto:',
  })
  @IsText(1, 2048)
  contact_url?: string | null;

  /**
   * The questions of all visitors in a day (UTC), 1 to 1,000,000: what the site can cost.
   * @example 500
   */
  @IsOptionalNotNull() @IsInteger(1, 1_000_000) daily_messages?: number;

  /**
   * The questions of one visitor in a minute, 1 to 600.
   * @example 10
   */
  @IsOptionalNotNull() @IsInteger(1, 600) per_visitor_per_minute?: number;

  /**
   * The questions of one address in 24 hours, 1 to 1,000,000, so that nobody alone can use up the day; null for no
   * limit, where all visitors come from one address.
   * @example 200
   */
  @IsOptional() @IsInteger(1, 1_000_000) per_address_per_day?: number | null;

  /**
   * The work that a browser does before a visitor’s first question: finding one of 2 to this power numbers, 0
   * (none) to 22. 16 takes a phone a third of a second.
   * @example 16
   */
  @IsOptionalNotNull() @IsInteger(0, 22) proof_of_work?: number;
}

const STATES = ['active', 'paused'] as const;

/** Fields that are left out stay as they are. */
export class UpdateSiteDto extends PartialType(CreateSiteDto, { skipNullProperties: false }) {
  /** A paused site answers nothing from the next request on. */
  @IsOptionalNotNull() @IsIn(STATES) state?: SiteState;
}
