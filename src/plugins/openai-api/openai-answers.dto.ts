import { ApiProperty, PickType } from '@nestjs/swagger';
import { FoundPassageDto } from '../../documents/search/passage.dto.js';
import { SourceDto } from '../../chat/conversations/source.dto.js';
import { ApiCount, ApiId, ApiInteger } from '../../platform/openapi/api-fields.js';
import { PROBLEMS } from '../../platform/problems/problem.js';

/** Where an answer cites a source, by the characters of `content`. */
export class UrlCitationDto {
  @ApiInteger({ minimum: 0 }) start_index: number;
  @ApiInteger({ minimum: 0 }) end_index: number;
  /** @example 'Returns policy' */
  title: string;
  /**
   * The document’s `source_url`, or a URN with its id.
   * @example 'https://shop.example.com/returns'
   */
  url: string;
}

export class AnnotationDto {
  type: 'url_citation';
  url_citation: UrlCitationDto;
}

export class CompletionMessageDto {
  role: 'assistant';
  /** @example 'Customers may return any order within 30 days of delivery. [1]' */
  content: string;
  @ApiProperty({ type: 'string', nullable: true }) refusal: null;
  annotations: AnnotationDto[];
}

export class CompletionChoiceDto {
  @ApiInteger({ minimum: 0, maximum: 0 }) index: number;
  message: CompletionMessageDto;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) logprobs: null;
  finish_reason: 'stop' | 'length' | 'content_filter';
}

/** Without a language model, the words of question and answer. */
export class CompletionUsageDto {
  @ApiCount() prompt_tokens: number;
  @ApiCount() completion_tokens: number;
  @ApiCount() total_tokens: number;
}

/** OpenAI’s chat completion, and of ours `sources`, `answered`, what goes with them, and the ids. */
export class ChatCompletionDto {
  /** @example 'chatcmpl-msg_01kafdp6ygf4rs4s2cr5cvzwkc' */
  id: string;
  object: 'chat.completion';
  /** In seconds since 1970. */
  @ApiCount() created: number;
  /** @example 'latchkey' */
  model: string;
  choices: CompletionChoiceDto[];
  usage: CompletionUsageDto;
  sources: SourceDto[];
  /** False when the documents do not answer the question; the content is then the refusal. */
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

export class ModelDto {
  /** @example 'latchkey' */
  id: string;
  object: 'model';
  /** In seconds since 1970. */
  @ApiCount() created: number;
  /** @example 'latchkey' */
  owned_by: string;
}

export class ModelListDto {
  object: 'list';
  data: ModelDto[];
}

/** The knowledge base’s files are not counted. */
export class VectorStoreDto {
  @ApiId('kb') id: string;
  object: 'vector_store';
  /** As the id: a key does not tell what its knowledge bases are called. */
  @ApiId('kb') name: string;
  /** In seconds since 1970. */
  @ApiCount() created_at: number;
  status: 'completed';
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: {} })
  metadata: Record<string, string>;
}

export class VectorStoreListDto {
  object: 'list';
  data: VectorStoreDto[];
  @ApiId('kb') first_id: string | null;
  @ApiId('kb') last_id: string | null;
  /** @example false */
  has_more: boolean;
}

export class VectorStoreContentDto {
  type: 'text';
  /** @example 'Customers may return any order within 30 days of delivery.' */
  text: string;
}

export class VectorStoreResultDto extends PickType(FoundPassageDto, [
  'original_url',
  'expires_at',
]) {
  @ApiId('doc') file_id: string;
  /** @example 'Returns policy' */
  filename: string;
  /**
   * 0 to 1.
   * @example 0.87
   */
  score: number;
  /** The document’s metadata; lists and objects as JSON text. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    example: { department: 'support' },
  })
  attributes: Record<string, string | number | boolean>;
  content: VectorStoreContentDto[];
}

export class VectorStoreResultsDto {
  object: 'vector_store.search_results.page';
  search_query: string[];
  /** Best first. */
  data: VectorStoreResultDto[];
  /** @example false */
  has_more: boolean;
  @ApiProperty({ type: 'string', nullable: true }) next_page: null;
}

export class OpenAiErrorDetailDto {
  /** What is wrong, and what to do about it. */
  message: string;
  /** @example 'invalid_request_error' */
  type: string;
  /** The parameter that is wrong, or null. */
  param: string | null;
  /** Stable and meant for programs: the codes of all operations. */
  @ApiProperty({ enum: Object.keys(PROBLEMS), enumName: 'ProblemCode' }) code: string;
  /** Also in the header X-Request-Id; quote it when you ask for help. */
  request_id: string;
}

/** A problem as OpenAI’s clients read it. */
export class OpenAiErrorDto {
  error: OpenAiErrorDetailDto;
}
