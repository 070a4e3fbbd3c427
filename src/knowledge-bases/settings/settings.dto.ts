import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsNumber, IsOptional, MaxLength } from 'class-validator';
import { IsOrigin } from '../../platform/config/validators.js';
import { ApiInteger } from '../../platform/openapi/api-fields.js';
import { IsInteger, IsNumberWithin } from '../../platform/http/fields.js';
import { MAX_ORIGIN_LENGTH } from '../../platform/http/origin.js';
import { IsText, Trim } from '../../platform/http/text.js';
import type { AnswerSettings, Settings } from './settings.service.js';

/** Null brings back the default; what is left out stays. */
export class UpdateSettingsDto {
  /**
   * Instructions for the model, before the passages: at most 8000 characters.
   * @example 'Answer briefly and in the language of the question.'
   */
  @IsOptional() @IsText(0, 8000) system_prompt?: string | null;

  /** Of the model, 0 to 2; null leaves it to the provider. */
  @IsOptional() @IsNumberWithin(0, 2) temperature?: number | null;

  /**
   * One that the operator lists; `extractive` answers without one; null takes the operator’s choice.
   * @example null
   */
  @IsOptional()
  @Trim()
  @IsText(1, 200)
  model?: string | null;

  /** Passages per question where the request names no number. */
  @IsOptional() @IsInteger(1, 50) top_k?: number | null;

  /** Passages below this score are left out; a request may name its own. */
  @IsOptional() @IsNumber() min_score?: number | null;

  /**
   * How much of a question the documents must speak of for an answer, from 0 (always answer) to 1
   * (every word); null for the calibrated threshold.
   * @example null
   */
  @IsOptional() @IsNumberWithin(0, 1) answer_threshold?: number | null;

  /**
   * The answer where the documents have none: 1 to 2000 characters.
   * @example 'I do not know. Please write to support@shop.example.com.'
   */
  @IsOptional() @IsText(1, 2000) refusal_text?: string | null;

  /** How many earlier messages of a conversation the model gets. */
  @IsOptional() @IsInteger(0, 100) history_messages?: number | null;

  /** Words per passage; documents indexed before have `needs_reindex`. */
  @IsOptional() @IsInteger(20, 2000) chunk_size?: number | null;

  /** Words that a passage repeats of the one before; less than half of `chunk_size`. */
  @IsOptional() @IsInteger(0, 500) chunk_overlap?: number | null;

  /** Requests per key and minute, for keys without a limit of their own. */
  @IsOptional() @IsInteger(1, 1_000_000) rate_limit_per_minute?: number | null;

  /** Requests per end user of a key and minute, for keys without a limit of their own; null for none. */
  @IsOptional() @IsInteger(1, 1_000_000) rate_limit_per_end_user?: number | null;

  /** Chat messages per day (UTC), all keys together; null for no limit. */
  @IsOptional() @IsInteger(0, 100_000_000) daily_message_limit?: number | null;

  /** Web origins whose pages may ask, at most 100; empty for none, null for any. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @MaxLength(MAX_ORIGIN_LENGTH, { each: true })
  @IsOrigin()
  // The field itself has no example: tried out as it is, it would shut out Swagger UI's own page.
  @ApiProperty({
    items: { type: 'string', maxLength: MAX_ORIGIN_LENGTH, example: 'https://shop.example.com' },
  })
  allowed_origins?: string[] | null;

  /** Conversations are erased so many days after their last message; null keeps them. */
  @IsOptional() @IsInteger(1, 3650) retention_days?: number | null;

  /**
   * How long API keys work at most, in days: new keys and successors get an `expires_at` accordingly.
   * Null for no limit. Existing keys stay as they are.
   */
  @IsOptional() @IsInteger(1, 3650) key_max_age_days?: number | null;

  /**
   * Where the model fails, whether the answer is quoted from the documents (`model: "extractive"`)
   * rather than 502 or 504.
   */
  @IsOptional() @IsBoolean() fallback_to_extractive?: boolean | null;
}

export class SettingsDto {
  system_prompt: string | null;
  temperature: number | null;
  model: string | null;
  /** @example 5 */
  @ApiInteger() top_k: number;
  min_score: number | null;
  answer_threshold: number | null;
  /** @example 'I could not find anything about this in the knowledge base.' */
  refusal_text: string;
  /** @example 10 */
  @ApiInteger() history_messages: number;
  /** @example 300 */
  @ApiInteger() chunk_size: number;
  /** @example 30 */
  @ApiInteger() chunk_overlap: number;
  /** @example 6000 */
  @ApiInteger() rate_limit_per_minute: number;
  @ApiInteger() rate_limit_per_end_user: number | null;
  @ApiInteger() daily_message_limit: number | null;
  allowed_origins: string[] | null;
  @ApiInteger() retention_days: number | null;
  @ApiInteger() key_max_age_days: number | null;
  /** @example false */
  fallback_to_extractive: boolean;
}

/** The settings that decide about an answer, as sent to the client. */
export const toAnswerSettingsDto = (settings: AnswerSettings) => ({
  system_prompt: settings.systemPrompt,
  temperature: settings.temperature,
  model: settings.model,
  top_k: settings.topK,
  min_score: settings.minScore,
  answer_threshold: settings.answerThreshold,
  refusal_text: settings.refusalText,
  fallback_to_extractive: settings.fallbackToExtractive,
});

export const toSettingsDto = (settings: Settings): SettingsDto => ({
  system_prompt: settings.systemPrompt,
  temperature: settings.temperature,
  model: settings.model,
  top_k: settings.topK,
  min_score: settings.minScore,
  answer_threshold: settings.answerThreshold,
  refusal_text: settings.refusalText,
  history_messages: settings.historyMessages,
  chunk_size: settings.chunkSize,
  chunk_overlap: settings.chunkOverlap,
  rate_limit_per_minute: settings.rateLimitPerMinute,
  rate_limit_per_end_user: settings.rateLimitPerEndUser,
  daily_message_limit: settings.dailyMessageLimit,
  allowed_origins: settings.allowedOrigins,
  retention_days: settings.retentionDays,
  key_max_age_days: settings.keyMaxAgeDays,
  fallback_to_extractive: settings.fallbackToExtractive,
});
