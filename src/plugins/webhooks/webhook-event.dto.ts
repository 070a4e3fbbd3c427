import { ApiProperty } from '@nestjs/swagger';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { ApiId, ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';

/** The payload of an event: ids and states, never a secret or the text of a document. */
class EventDataDto {
  @ApiId('kb') kb_id: string;
}

export class DocumentEventDataDto extends EventDataDto {
  @ApiId('doc') document_id: string;
  /** @example 'policies/returns' */
  external_id: string | null;
  status: 'ready' | 'failed';
  /** Of a document that failed, such as `parse_failed`. */
  error_code: string | null;
}

export class ApiKeyEventDataDto extends EventDataDto {
  @ApiId('key') api_key_id: string;
  environment: ApiKeyEnvironment;
  state: 'active' | 'deactivated' | 'deleted';
  @ApiInstant(null) expires_at: string | null;
  /** The key that it replaces. */
  @ApiId('key', null) rotated_from: string | null;
  /** Its successor. */
  @ApiId('key', null) rotated_to: string | null;
}

export class ApiKeyExpiryEventDataDto extends ApiKeyEventDataDto {
  /** At most so many days are left: 7 or 1. */
  @ApiInteger({ minimum: 1, maximum: 7 }) days_before: number;
}

export class ApiKeyBudgetEventDataDto extends EventDataDto {
  /** Whose answer reached it. */
  @ApiId('key') api_key_id: string;
  environment: ApiKeyEnvironment;
  unit: 'messages' | 'tokens' | 'cost';
  period: 'day' | 'month';
  /** The soft limit, or 1 for the whole budget. */
  @ApiProperty({ minimum: 0, maximum: 1 }) share: number;
  @ApiProperty({ minimum: 0 }) limit: number;
  @ApiProperty({ minimum: 0 }) used: number;
  /** When the next period begins. */
  @ApiInstant() resets_at: string;
}

export class UnansweredEventDataDto extends EventDataDto {
  @ApiId('conv') conversation_id: string;
  @ApiId('msg') message_id: string;
  @ApiId('key') api_key_id: string;
  environment: ApiKeyEnvironment;
  /** @example false */
  answered: boolean;
}

export class RatingEventDataDto extends EventDataDto {
  @ApiId('conv') conversation_id: string;
  @ApiId('msg') message_id: string;
  @ApiId('key') api_key_id: string;
  /** Null when the rating was withdrawn. */
  rating: 'up' | 'down' | null;
}

export class SourceEventDataDto extends EventDataDto {
  @ApiId('src') source_id: string;
  @ApiId('run') run_id: string;
  state: 'active' | 'paused' | 'failing' | 'needs_confirmation';
  /** Of `source.failed`, such as `unreachable`. */
  error_code: string | null;
}

export class TestEventDataDto extends EventDataDto {
  @ApiId('wh') webhook_id: string;
}
