import { IsBoolean, IsIn, IsNumber, IsOptional, IsString } from 'class-validator';
import { AreKnowledgeBaseIds } from '../api-keys/knowledge-base-ids.js';
import { CredentialDto } from '../api-keys/credential.dto.js';
import { ApiId } from '../platform/openapi/api-fields.js';
import { IsInteger, IsOptionalNotNull } from '../platform/http/fields.js';
import { HasLength, IsNotBlank, IsText, ReplaceUnstorable } from '../platform/http/text.js';
import { type Effort, EFFORTS } from './effort.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { ApiFilterModels, IsFilter } from '../knowledge-bases/metadata-filter/filter.dto.js';

/** The common fields of /query and /chat. */
@ApiFilterModels()
export class QuestionDto extends CredentialDto {
  /**
   * The question: 1 to 8000 characters, not only white space.
   * @example 'How long may customers return an order?'
   */
  @ReplaceUnstorable() @HasLength(1, 8000) @IsNotBlank() message: string;

  /**
   * The maximum number of passages; by default the knowledge base’s setting, which is 5 unless changed.
   * @example 5
   */
  @IsOptionalNotNull() @IsInteger(1, 50) top_k?: number;

  /**
   * `documents` (the default) puts passages of different documents first where their scores are near; `none`
   * orders by score alone.
   */
  @IsOptionalNotNull() @IsIn(['documents', 'none']) diversity?: 'documents' | 'none';

  /**
   * Only passages of documents whose metadata matches: at most 20 conditions, 3 levels deep. A missing key
   * matches only `ne` and `nin`; a list matches if one of its entries does; values of different types are
   * neither equal nor greater nor less.
   */
  @IsOptionalNotNull() @IsFilter() filter?: MetadataFilter;

  /** The knowledge bases to ask, if the key has several; all of them by default. */
  @AreKnowledgeBaseIds() kb_ids?: string[];
}

export class QueryDto extends QuestionDto {
  /** Only passages with at least this score, 0 to 1; by default the knowledge base’s setting. */
  @IsOptional() @IsNumber() min_score?: number;

  /** Whether to return the rows of tables besides their text: see `table` in the results. */
  @IsOptionalNotNull() @IsBoolean() tables?: boolean;
}

export class ChatDto extends QuestionDto {
  /** Continues a conversation; omit it to begin one. */
  @IsOptional()
  @IsString()
  @ApiId('conv', null)
  conversation_id?: string | null;

  /**
   * The end user for whom you ask. It groups conversations and grants nothing. A conversation belongs to
   * the first end user named and cannot be continued for another one. A client token already has one.
   * @example 'customer-4711'
   */
  @IsOptional() @IsText(1, 255) end_user_id?: string | null;

  /**
   * How much a language model may do for the answer: `low` (the default) searches once; with `medium` and
   * `high` the model splits and rewrites the question, and what is missing is searched for again, in at most 3
   * or 6 rounds. They take longer and use more tokens. Without a language model all are `low`.
   */
  @IsOptionalNotNull() @IsIn(EFFORTS) effort?: Effort;

  /** Whether the answer is streamed while it is written, by server-sent events. */
  @IsOptionalNotNull() @IsBoolean() stream?: boolean = false;
}
