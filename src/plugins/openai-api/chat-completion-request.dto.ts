import { ArrayNotEmpty, IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { MAX_JSON_BYTES } from '../../platform/http/json-body.js';
import { IsInteger, IsNested, IsNestedList, IsNumberWithin } from '../../platform/http/fields.js';
import { AreKnowledgeBaseIds } from '../../api-keys/knowledge-base-ids.js';
import { IsText } from '../../platform/http/text.js';
import { MAX_MESSAGES } from './given-messages.js';
import {
  IsAbsentFeature,
  IsTextContent,
  IsTextOrTexts,
  type TextContent,
} from './openai-fields.js';

const MAX_INTEGER = 2 ** 31 - 1;
const MAX_STOPS = 4;

export class ChatMessageDto {
  /** `developer` is another name of `system`; what tools have answered is left out. */
  @IsIn(['system', 'developer', 'user', 'assistant', 'tool', 'function'])
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';

  /** A text, or parts of type `text`. */
  @IsOptional()
  @IsTextContent()
  @ApiProperty({ example: 'How long may customers return an order?' })
  content?: TextContent;

  @IsOptional()
  @IsString()
  @ApiProperty({ maxLength: MAX_JSON_BYTES })
  name?: string | null;

  // Clients send earlier answers back with these fields.
  @IsOptional() @ApiHideProperty() refusal?: unknown;
  @IsOptional() @ApiHideProperty() annotations?: unknown;
  @IsOptional() @ApiHideProperty() audio?: unknown;
  @IsOptional() @ApiHideProperty() function_call?: unknown;
  @IsOptional() @ApiHideProperty() reasoning_content?: unknown;
  @IsOptional() @ApiHideProperty() tool_calls?: unknown;
  @IsOptional() @ApiHideProperty() tool_call_id?: unknown;
}

export class StreamOptionsDto {
  /** Whether a last chunk has the token usage. */
  @IsOptional() @IsBoolean() include_usage?: boolean | null;

  @IsOptional()
  @IsBoolean()
  @ApiHideProperty()
  include_obfuscation?: boolean | null;
}

/** OpenAI's chat completion request: what a knowledge base can do of it. */
export class ChatCompletionRequestDto {
  /**
   * `latchkey`, or the id of a knowledge base of the key, which is then the one that is asked.
   * @example 'latchkey'
   */
  @IsString() @ApiProperty({ maxLength: MAX_JSON_BYTES }) model: string;

  /** As `kb_ids` of `/chat`. */
  @AreKnowledgeBaseIds() kb_ids?: string[];

  /**
   * The last is the question, those before it its history; nothing else of them is kept. Of more than 200, the
   * older ones are left out.
   */
  @ArrayNotEmpty()
  @IsNestedList(() => ChatMessageDto, MAX_MESSAGES)
  @ApiProperty({
    type: [ChatMessageDto],
    example: [{ role: 'user', content: 'How long may customers return an order?' }],
  })
  messages: ChatMessageDto[];

  @IsOptional() @IsBoolean() stream?: boolean | null;

  @IsOptional()
  @IsNested(() => StreamOptionsDto)
  stream_options?: StreamOptionsDto | null;

  // Sampling parameters have no effect if no language model is configured.
  @IsOptional() @IsNumberWithin(0, 2) temperature?: number | null;
  @IsOptional() @IsNumberWithin(0, 1) top_p?: number | null;
  @IsOptional() @IsInteger(1, MAX_INTEGER) max_tokens?: number | null;
  @IsOptional() @IsInteger(1, MAX_INTEGER) max_completion_tokens?: number | null;
  @IsOptional() @IsTextOrTexts(MAX_STOPS) stop?: string | string[] | null;
  @IsOptional() @IsInteger(-MAX_INTEGER, MAX_INTEGER) seed?: number | null;

  @IsOptional() @IsNumberWithin(-2, 2) frequency_penalty?: number | null;
  @IsOptional() @IsNumberWithin(-2, 2) presence_penalty?: number | null;

  /** The end user, as `end_user_id` of `/chat`. */
  @IsOptional() @IsText(1, 255) user?: string | null;

  // Accepted without an effect.
  @IsOptional() @ApiHideProperty() metadata?: unknown;
  @IsOptional() @ApiHideProperty() min_p?: unknown;
  @IsOptional() @ApiHideProperty() parallel_tool_calls?: unknown;
  @IsOptional() @ApiHideProperty() prompt_cache_key?: unknown;
  @IsOptional() @ApiHideProperty() prompt_cache_retention?: unknown;
  @IsOptional() @ApiHideProperty() reasoning_effort?: unknown;
  @IsOptional() @ApiHideProperty() safety_identifier?: unknown;
  @IsOptional() @ApiHideProperty() service_tier?: unknown;
  @IsOptional() @ApiHideProperty() store?: unknown;
  @IsOptional() @ApiHideProperty() tools?: unknown;
  @IsOptional() @ApiHideProperty() top_k?: unknown;
  @IsOptional() @ApiHideProperty() verbosity?: unknown;

  // Not supported, but clients may send them with values that leave the feature off.
  @IsAbsentFeature([1]) @ApiHideProperty() n?: unknown;
  @IsAbsentFeature(['none', 'auto']) @ApiHideProperty() tool_choice?: unknown;
  @IsAbsentFeature([]) @ApiHideProperty() functions?: unknown;
  @IsAbsentFeature(['none', 'auto']) @ApiHideProperty() function_call?: unknown;
  @IsAbsentFeature([false]) @ApiHideProperty() logprobs?: unknown;
  @IsAbsentFeature([0]) @ApiHideProperty() top_logprobs?: unknown;
  @IsAbsentFeature([]) @ApiHideProperty() logit_bias?: unknown;
  @IsAbsentFeature([], 'text') @ApiHideProperty() response_format?: unknown;
}
