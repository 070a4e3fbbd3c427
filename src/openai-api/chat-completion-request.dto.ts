import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { HasLength } from '../http/text.js';
import { IsAbsentFeature, IsTextContent } from './openai-fields.js';

const MAX_MESSAGES = 200;

export class ChatMessageDto {
  /** `developer` is another name of `system`. */
  @IsIn(['system', 'developer', 'user', 'assistant'], {
    message: '$property must be system, developer, user or assistant: there are no tools',
  })
  role: 'system' | 'developer' | 'user' | 'assistant';

  /** A text, or parts of type `text`. */
  @IsTextContent()
  @ApiProperty({
    oneOf: [
      { type: 'string' },
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['type', 'text'],
          properties: { type: { type: 'string', enum: ['text'] }, text: { type: 'string' } },
        },
      },
    ],
    example: 'How long may customers return an order?',
  })
  content: string | { type: 'text'; text: string }[];

  @IsOptional()
  @IsString()
  name?: string | null;

  // An answer that a client sends back as it came has these.
  @IsOptional()
  @ApiHideProperty()
  refusal?: unknown;
  @IsOptional()
  @ApiHideProperty()
  annotations?: unknown;
}

export class StreamOptionsDto {
  /** Whether a last chunk has the token usage. */
  @IsOptional()
  @IsBoolean()
  include_usage?: boolean | null;

  @IsOptional()
  @IsBoolean()
  @ApiHideProperty()
  include_obfuscation?: boolean | null;
}

/** OpenAI's chat completion request: what a knowledge base can do of it. */
export class ChatCompletionRequestDto {
  /**
   * `latchkey`, or the id of the key’s knowledge base.
   * @example 'latchkey'
   */
  @IsString()
  model: string;

  /** The last is the question, those before it its history; nothing else of them is kept. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_MESSAGES)
  @ValidateNested({ each: true })
  @Type(() => ChatMessageDto)
  messages: ChatMessageDto[];

  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  @IsOptional()
  @ValidateNested()
  @Type(() => StreamOptionsDto)
  stream_options?: StreamOptionsDto | null;

  // Used where a language model is configured, and without effect where the documents are quoted.
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(2)
  temperature?: number | null;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  top_p?: number | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  max_tokens?: number | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  max_completion_tokens?: number | null;

  @IsOptional()
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  @IsString({ each: true })
  stop?: string | string[] | null;

  @IsOptional()
  @IsInt()
  seed?: number | null;

  @IsOptional()
  @IsNumber()
  @Min(-2)
  @Max(2)
  frequency_penalty?: number | null;

  @IsOptional()
  @IsNumber()
  @Min(-2)
  @Max(2)
  presence_penalty?: number | null;

  /** The end user, as `end_user_id` of `/chat`. */
  @IsOptional()
  @HasLength(1, 255)
  user?: string | null;

  // Clients send these with values that ask for nothing.
  @IsAbsentFeature([1])
  @ApiHideProperty()
  n?: unknown;
  @IsAbsentFeature([])
  @ApiHideProperty()
  tools?: unknown;
  @IsAbsentFeature(['none', 'auto'])
  @ApiHideProperty()
  tool_choice?: unknown;
  @IsAbsentFeature([true, false])
  @ApiHideProperty()
  parallel_tool_calls?: unknown;
  @IsAbsentFeature([])
  @ApiHideProperty()
  functions?: unknown;
  @IsAbsentFeature(['none', 'auto'])
  @ApiHideProperty()
  function_call?: unknown;
  @IsAbsentFeature([false])
  @ApiHideProperty()
  logprobs?: unknown;
  @IsAbsentFeature([0])
  @ApiHideProperty()
  top_logprobs?: unknown;
  @IsAbsentFeature([false])
  @ApiHideProperty()
  store?: unknown;
  @IsAbsentFeature(['auto', 'default'])
  @ApiHideProperty()
  service_tier?: unknown;
  @IsAbsentFeature([])
  @ApiHideProperty()
  logit_bias?: unknown;
  @IsAbsentFeature([], 'text')
  @ApiHideProperty()
  response_format?: unknown;
}
