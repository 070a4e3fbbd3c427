import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
} from 'class-validator';
import { IsOptionalNotNull } from '../http/fields.js';
import { IsText, Trim } from '../http/text.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';

const EXAMPLE_EVENTS: WebhookEvent[] = ['document.failed', 'api_key.used_after_revocation'];

export class CreateWebhookDto {
  /**
   * Where events are sent: an https URL of at most 2048 characters on a public address, without
   * credentials. Redirects are not followed.
   * @example 'https://shop.example.com/hooks/latchkey'
   */
  @ApiProperty({ format: 'uri', pattern: '^https?://' })
  @Trim()
  @IsText(1, 2048)
  url: string;

  /** What it is told of: at least one event, each once. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(WEBHOOK_EVENTS.length)
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENTS, { each: true })
  @ApiProperty({
    enum: WEBHOOK_EVENTS,
    isArray: true,
    maxItems: WEBHOOK_EVENTS.length,
    uniqueItems: true,
    example: EXAMPLE_EVENTS,
  })
  events: WebhookEvent[];

  /**
   * At most 1000 characters; null for none.
   * @example 'Tells the shop’s on-call channel'
   */
  @IsOptional()
  @IsText(0, 1000)
  description?: string | null;
}

export class UpdateWebhookDto extends PartialType(CreateWebhookDto, { skipNullProperties: false }) {
  /** `active` sends again what happens from then on; `deactivated` sends nothing. */
  @IsOptionalNotNull()
  @IsIn(['active', 'deactivated'])
  state?: 'active' | 'deactivated';
}
