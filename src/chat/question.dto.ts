import { Transform } from 'class-transformer';
import { IsInt, IsNumber, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { ApiInteger } from '../http/api-fields.js';
import { HasLength, IsText } from '../http/text.js';

/** NUL and halves of surrogate pairs cannot be stored; no question depends on them. */
const ReplaceUnstorable = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
  );

/** What /query and /chat have in common. */
export class QuestionDto {
  /**
   * The secret of an API key of the knowledge base.
   * @example 'rag_live_8fJ2kQ9xZaP0mW4vT7cR1yB6nH3sD5gL2jK8qF9eX1uVaBcDe'
   */
  @IsString()
  api_key: string;

  /**
   * The question: 1 to 8000 characters of any text at all.
   * @example 'How long may customers return an order?'
   */
  @ReplaceUnstorable()
  @HasLength(1, 8000)
  message: string;

  /** How many passages at most. */
  @ValidateIf((_, value) => value !== undefined)
  @IsInt()
  @ApiInteger()
  @Min(1)
  @Max(50)
  top_k?: number = 5;
}

export class QueryDto extends QuestionDto {
  /** Only passages with at least this score. */
  @IsOptional()
  @IsNumber()
  min_score?: number;
}

export class ChatDto extends QuestionDto {
  /**
   * Goes on with a conversation; leave it out to begin one.
   * @example null
   */
  @IsOptional()
  @IsString()
  conversation_id?: string | null;

  /**
   * Whom you ask for: groups conversations, grants nothing.
   * @example 'customer-4711'
   */
  @IsOptional()
  @IsText(1, 255)
  end_user_id?: string | null;
}
