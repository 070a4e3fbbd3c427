import { ApiProperty } from '@nestjs/swagger';
import { SourceDto } from '../../chat/conversations/source.dto.js';
import { ApiCount, ApiId } from '../../platform/openapi/api-fields.js';
import { UrlCitationDto } from './openai-answers.dto.js';

export class ResponseAnnotationDto extends UrlCitationDto {
  type: 'url_citation';
}

export class ResponseTextDto {
  type: 'output_text';
  /** @example 'Customers may return any order within 30 days of delivery. [1]' */
  text: string;
  annotations: ResponseAnnotationDto[];
  /** Always empty. */
  @ApiProperty({ type: 'array', maxItems: 0, items: { type: 'object' } }) logprobs: never[];
}

export class ResponseMessageDto {
  /** @example 'msg_01kafdp6ygf4rs4s2cr5cvzwkc' */
  id: string;
  type: 'message';
  role: 'assistant';
  status: 'in_progress' | 'completed' | 'incomplete';
  content: ResponseTextDto[];
}

export class IncompleteDetailsDto {
  reason: 'max_output_tokens' | 'content_filter';
}

export class InputTokensDetailsDto {
  @ApiCount() cached_tokens: number;
}

export class OutputTokensDetailsDto {
  @ApiCount() reasoning_tokens: number;
}

/** Without a language model, the words of question and answer. */
export class ResponseUsageDto {
  @ApiCount() input_tokens: number;
  input_tokens_details: InputTokensDetailsDto;
  @ApiCount() output_tokens: number;
  output_tokens_details: OutputTokensDetailsDto;
  @ApiCount() total_tokens: number;
}

/** What OpenAI’s response has, and of ours `sources`, `answered`, what goes with them, and the ids. */
export class ResponseDto {
  /**
   * For `previous_response_id` of the next request.
   * @example 'resp_01kafdp6ygf4rs4s2cr5cvzwkc'
   */
  id: string;
  object: 'response';
  /** In seconds since 1970. */
  @ApiCount() created_at: number;
  status: 'completed' | 'incomplete';
  /** Null: a failure is an answer of its own. */
  @ApiProperty({ type: 'string' }) error: string | null;
  /** Why the answer ends early; else null. */
  incomplete_details: IncompleteDetailsDto | null;
  instructions: string | null;
  /** @example 'latchkey' */
  model: string;
  output: ResponseMessageDto[];
  parallel_tool_calls: boolean;
  previous_response_id: string | null;
  temperature: number | null;
  top_p: number | null;
  tool_choice: 'auto';
  /** Always empty. */
  @ApiProperty({ type: 'array', maxItems: 0, items: { type: 'object' } }) tools: never[];
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: {} })
  metadata: Record<string, string>;
  usage: ResponseUsageDto;
  sources: SourceDto[];
  /** False when the documents do not answer the question; the text is then the refusal. */
  answered: boolean;
  /** As in the answers of `/chat`; left out with a language model. */
  answer_value?: string;
  /** As in the answers of `/chat`; left out of an answer from documents. */
  kind?: 'smalltalk' | 'list';
  /** As in the answers of `/chat`; left out without a list of documents. */
  @ApiCount() total?: number;
  /** Somebody has written this answer. Else left out. */
  curated?: true;
  /** As in the answers of `/chat`; left out without a language model. */
  grounded?: boolean;
  /** As in the answers of `/chat`; left out with a language model. */
  confidence?: number;
  /** As in the answers of `/chat`; else left out. */
  conflict?: true;
  /** Where `answered` is false: up to three passages that may help. Else left out. */
  related?: SourceDto[];
  /** Null where the request was no question, and nothing is kept. */
  @ApiId('msg') message_id: string | null;
  /** As `message_id`. */
  @ApiId('conv') conversation_id: string | null;
}
