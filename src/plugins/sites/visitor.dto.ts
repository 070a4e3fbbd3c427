import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { IsOptionalNotNull } from '../../platform/http/fields.js';
import { ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';
import { SiteThemeDto } from './site-requests.dto.js';
import type { SiteState } from './site.entity.js';

/** A challenge in the form of ALTCHA. */
export class ChallengeDto {
  /** @example 'SHA-256' */
  algorithm: string;
  /** The SHA-256 of `salt` and the wanted number, in lower-case hexadecimal. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' }) challenge: string;
  /** The number is less than this. */
  @ApiInteger({ minimum: 1 }) maxnumber: number;
  salt: string;
  signature: string;
}

export class BeginVisitDto {
  /** The solution: Base64 of JSON with `algorithm`, `challenge`, `number`, `salt` and `signature`. */
  @IsOptionalNotNull() @IsString() @MaxLength(2000) altcha?: string;

  /** The token that the visitor had, to go on with the visit after it has expired. */
  @IsOptionalNotNull() @IsString() @MaxLength(2000) client_token?: string;
}

export class VisitDto {
  /** The credential of the visitor on pages of this origin, for minutes. */
  client_token: string;
  @ApiInstant() expires_at: string;
}

/** What the widget shows. */
export class SiteViewDto {
  name: string;
  greeting: string | null;
  @ApiProperty({ items: { type: 'string', example: 'How long may I return an order?' } })
  suggestions: string[];
  theme: SiteThemeDto;
  contact_url: string | null;
  state: SiteState;
}
