import { ArrayNotEmpty, IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { MAX_JSON_BYTES } from '../../platform/http/json-body.js';
import { IsInteger, IsNested, IsNestedList, IsNumberWithin } from '../../platform/http/fields.js';
import { AreKnowledgeBaseIds } from '../../api-keys/knowledge-base-ids.js';
import { IsText } from '../../platform/http/text.js';
import { IsAbsentFeature, IsTextContent, IsTextOrTexts } from './openai-fields.js';

const MAX_MESSAGES = 200;
const MAX_INTEGER = 2 ** 31 - 1;
const MAX_STOPS = 4;

export class ChatMessageDto {
  /** `developer` is another name of `system`. */
  @IsIn(['system', 'developer', 'user', 'assistant'], {
    message: '$property must be system, developer, user or assistant: there are no tools',
  })
  role: 'system' | 'developer' | 'user' | 'assistant';

  /** A text, or parts of type `text`. */
  @IsTextContent()
  @ApiProperty({ example: 'How long may customers return an order?' })
  content: string | { type: 'text'; text: string }[];

  @IsOptional()
  @IsString()
  @ApiProperty({ maxLength: MAX_JSON_BYTES })
  name?: string | null;

  // Clients send earlier answers back with these fields.
  @IsOptional() @ApiHideProperty() refusal?: unknown;
  @IsOptional() @ApiHideProperty() annotations?: unknown;
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

  /** The last is the question, those before it its history; nothing else of them is kept. */
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

  // Not supported, but clients may send them with values that leave the feature off.
  @IsAbsentFeature([1]) @ApiHideProperty() n?: unknown;
  @IsAbsentFeature([]) @ApiHideProperty() tools?: unknown;
  @IsAbsentFeature(['none', 'auto']) @ApiHideProperty() tool_choice?: unknown;
  @IsAbsentFeature([true, false]) @ApiHideProperty() parallel_tool_calls?: unknown;
  @IsAbsentFeature([]) @ApiHideProperty() functions?: unknown;
  @IsAbsentFeature(['none', 'auto']) @ApiHideProperty() function_call?: unknown;
  @IsAbsentFeature([false]) @ApiHideProperty() logprobs?: unknown;
  @IsAbsentFeature([0]) @ApiHideProperty() top_logprobs?: unknown;
  @IsAbsentFeature([false]) @ApiHideProperty() store?: unknown;
  @IsAbsentFeature(['auto', 'default']) @ApiHideProperty() service_tier?: unknown;
  @IsAbsentFeature([]) @ApiHideProperty() logit_bias?: unknown;
  @IsAbsentFeature([], 'text') @ApiHideProperty() response_format?: unknown;
}
