import { IsBoolean, IsNumber, IsOptional, IsString } from 'class-validator';
import { AreKnowledgeBaseIds } from '../api-keys/knowledge-base-ids.js';
import { CredentialDto } from '../api-keys/credential.dto.js';
import { ApiId } from '../platform/openapi/api-fields.js';
import { IsInteger, IsOptionalNotNull } from '../platform/http/fields.js';
import { HasLength, IsNotBlank, IsText, ReplaceUnstorable } from '../platform/http/text.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { ApiFilterModels, IsFilter } from '../knowledge-bases/metadata-filter/filter.dto.js';

/** What /query and /chat have in common. */
@ApiFilterModels()
export class QuestionDto extends CredentialDto {
  /**
   * The question: 1 to 8000 characters, not white space alone.
   * @example 'How long may customers return an order?'
   */
  @ReplaceUnstorable() @HasLength(1, 8000) @IsNotBlank() message: string;

  /**
   * How many passages at most; the knowledge base’s setting where it is left out, 5 by default.
   * @example 5
   */
  @IsOptionalNotNull() @IsInteger(1, 50) top_k?: number;

  /**
   * Only passages of documents whose metadata meets it: at most 20 conditions, 3 deep. A key that
   * is missing meets `ne` and `nin` and nothing else; a list meets what one of its entries meets;
   * values of different types are neither equal nor greater nor less.
   */
  @IsOptionalNotNull() @IsFilter() filter?: MetadataFilter;

  /** Of a key for several knowledge bases, those that are asked; all of them where it is left out. */
  @AreKnowledgeBaseIds() kb_ids?: string[];
}

export class QueryDto extends QuestionDto {
  /**
   * Only passages with at least this score, 0 to 1; the knowledge base’s setting where it is left out.
   */
  @IsOptional() @IsNumber() min_score?: number;

  /** Answers the rows of tables beside their text: see `table` of the results. */
  @IsOptionalNotNull() @IsBoolean() tables?: boolean;
}

export class ChatDto extends QuestionDto {
  /** Goes on with a conversation; leave it out to begin one. */
  @IsOptional()
  @IsString()
  @ApiId('conv', null)
  conversation_id?: string | null;

  /**
   * Whom you ask for: groups conversations, grants nothing. A conversation stays that of the one
   * who was named first, and is not continued in another one's name. A client token has it already.
   * @example 'customer-4711'
   */
  @IsOptional() @IsText(1, 255) end_user_id?: string | null;

  /** Answers as it is written, by server-sent events. */
  @IsOptionalNotNull() @IsBoolean() stream?: boolean = false;
}
