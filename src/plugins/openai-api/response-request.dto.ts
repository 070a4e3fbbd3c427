import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { AreKnowledgeBaseIds } from '../../api-keys/knowledge-base-ids.js';
import { IsInteger, IsNumberWithin } from '../../platform/http/fields.js';
import { MAX_JSON_BYTES } from '../../platform/http/json-body.js';
import { IsText } from '../../platform/http/text.js';
import { IsAbsentFeature, IsPlainTextFormat } from './openai-fields.js';
import { IsResponseInput } from './response-input.js';

const MAX_INTEGER = 2 ** 31 - 1;

/** OpenAI's request for a response: what a knowledge base can do of it. */
export class ResponseRequestDto {
  /**
   * `latchkey`, or the id of a knowledge base of the key, which is then the one that is asked.
   * @example 'latchkey'
   */
  @IsString() @ApiProperty({ maxLength: MAX_JSON_BYTES }) model: string;

  /** As `kb_ids` of `/chat`. */
  @AreKnowledgeBaseIds() kb_ids?: string[];

  /** The question, or messages of which the last is the question. */
  @IsResponseInput() input: unknown;

  /** Added to the knowledge base’s own instructions. */
  @IsOptional() @IsText(0, 8000) instructions?: string | null;

  /** Goes on with the conversation of that response of the same key; `input` is then the question alone. */
  @IsOptional() @IsText(1, 255) previous_response_id?: string | null;

  @IsOptional() @IsBoolean() stream?: boolean | null;

  // Sampling parameters have no effect if no language model is configured.
  @IsOptional() @IsNumberWithin(0, 2) temperature?: number | null;
  @IsOptional() @IsNumberWithin(0, 1) top_p?: number | null;
  @IsOptional() @IsInteger(1, MAX_INTEGER) max_output_tokens?: number | null;

  /** The end user, as `end_user_id` of `/chat`. */
  @IsOptional() @IsText(1, 255) user?: string | null;

  // Accepted without an effect.
  @IsOptional() @ApiHideProperty() include?: unknown;
  @IsOptional() @ApiHideProperty() metadata?: unknown;
  @IsOptional() @ApiHideProperty() parallel_tool_calls?: unknown;
  @IsOptional() @ApiHideProperty() prompt_cache_key?: unknown;
  @IsOptional() @ApiHideProperty() prompt_cache_retention?: unknown;
  @IsOptional() @ApiHideProperty() reasoning?: unknown;
  @IsOptional() @ApiHideProperty() safety_identifier?: unknown;
  @IsOptional() @ApiHideProperty() service_tier?: unknown;
  @IsOptional() @ApiHideProperty() store?: unknown;
  @IsOptional() @ApiHideProperty() stream_options?: unknown;
  @IsOptional() @ApiHideProperty() tools?: unknown;
  @IsOptional() @ApiHideProperty() max_tool_calls?: unknown;
  @IsOptional() @ApiHideProperty() truncation?: unknown;

  // Not supported, but clients may send them with values that leave the feature off.
  @IsAbsentFeature(['none', 'auto']) @ApiHideProperty() tool_choice?: unknown;
  @IsAbsentFeature([false]) @ApiHideProperty() background?: unknown;
  @IsAbsentFeature([0]) @ApiHideProperty() top_logprobs?: unknown;
  @IsPlainTextFormat() @ApiHideProperty() text?: unknown;
}
