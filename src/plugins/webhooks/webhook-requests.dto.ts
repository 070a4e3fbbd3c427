import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
} from 'class-validator';
import { IsOptionalNotNull } from '../../platform/http/fields.js';
import { IsText, Trim } from '../../platform/http/text.js';
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

  /** The events that are delivered to it: at least one, each once. */
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
   * @example 'Notifies the shop’s on-call channel'
   */
  @IsOptional() @IsText(0, 1000) description?: string | null;
}

export class UpdateWebhookDto extends PartialType(CreateWebhookDto, { skipNullProperties: false }) {
  /** `active` delivers the events that occur from then on; `deactivated` delivers none. */
  @IsOptionalNotNull() @IsIn(['active', 'deactivated']) state?: 'active' | 'deactivated';
}
