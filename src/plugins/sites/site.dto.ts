import { ApiProperty } from '@nestjs/swagger';
import { MAX_ORIGIN_LENGTH } from '../../platform/http/fields.js';
import { ApiId, ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';
import { SiteThemeDto } from './site-requests.dto.js';
import type { Site, SiteState } from './site.entity.js';

export class SiteDto {
  @ApiId('site') id: string;
  @ApiId('kb') kb_id: string;
  /** @example 'Help centre' */
  name: string;
  @ApiProperty({
    items: { type: 'string', maxLength: MAX_ORIGIN_LENGTH },
    example: ['https://shop.example.com'],
  })
  origins: string[];
  /** @example 'Ask me anything about orders and returns.' */
  greeting: string | null;
  @ApiProperty({ items: { type: 'string', example: 'How long may I return an order?' } })
  suggestions: string[];
  theme: SiteThemeDto;
  /** @example 'https://shop.example.com/contact' */
  contact_url: string | null;
  @ApiInteger({ minimum: 1 }) daily_messages: number;
  @ApiInteger({ minimum: 1 }) per_visitor_per_minute: number;
  @ApiInteger({ minimum: 1 }) per_address_per_day: number | null;
  @ApiInteger({ minimum: 0 }) proof_of_work: number;
  state: SiteState;
  /** The questions of today (UTC) that count towards `daily_messages`. */
  @ApiInteger({ minimum: 0 }) messages_today: number;
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
}

/** @param messagesToday of all visitors */
export function toSiteDto(site: Site, messagesToday: number): SiteDto {
  const { apiKey } = site;
  return {
    id: site.id,
    kb_id: apiKey.ownerId,
    name: site.name,
    origins: site.origins,
    greeting: site.greeting,
    suggestions: site.suggestions,
    theme: { ...site.theme },
    contact_url: site.contactUrl,
    daily_messages: apiKey.budget?.messages ?? 0,
    per_visitor_per_minute: apiKey.rateLimitPerEndUser ?? 0,
    per_address_per_day: site.perAddressPerDay,
    proof_of_work: site.proofOfWork,
    state: site.state,
    messages_today: messagesToday,
    created_at: site.createdAt.toISOString(),
    updated_at: site.updatedAt.toISOString(),
  };
}
