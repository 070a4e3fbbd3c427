import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMinSize, IsBoolean, IsOptional } from 'class-validator';
import { IsNested, IsNestedList, IsOptionalNotNull } from '../../platform/http/fields.js';
import {
  HasLength,
  IsNotBlank,
  IsText,
  ReplaceUnstorable,
  Trim,
} from '../../platform/http/text.js';
import { ArePrincipals } from '../../knowledge-bases/access-rules/access-rule.dto.js';
import { AnswerSettingsDto } from '../../knowledge-bases/settings/update-settings.dto.js';
import { IsListOfTextLists, IsTextList } from './text-list.js';

const MAX_QUESTIONS = 2000;

export class EvaluationQuestionDto {
  /**
   * 1 to 8000 characters.
   * @example 'How long may customers return an order?'
   */
  @ReplaceUnstorable() @HasLength(1, 8000) @IsNotBlank() question: string;

  /**
   * The questions that are asked before it in the same conversation, oldest first.
   * @example ["May customers return an order?"]
   */
  @IsOptional()
  @IsTextList(5, 8000)
  @ApiProperty({
    type: 'array',
    maxItems: 5,
    items: { type: 'string', minLength: 1, maxLength: 8000 },
  })
  history?: string[] | null;

  /** Of the documents that answer it: one of them should be found. */
  @IsOptional()
  @IsTextList(100, 255)
  @ApiProperty({
    type: 'array',
    maxItems: 100,
    items: { type: 'string', minLength: 1, maxLength: 255, example: 'policies/returns' },
  })
  external_ids?: string[] | null;

  /**
   * A text, or several, of which a right answer contains one; case, accents and punctuation do not
   * matter. Without it, a right answer cites one of the documents in `external_ids`.
   */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @IsTextList(100, 2000)
  @ApiProperty({
    oneOf: [
      { type: 'string', minLength: 1, maxLength: 2000 },
      {
        type: 'array',
        maxItems: 100,
        items: { type: 'string', minLength: 1, maxLength: 2000 },
      },
    ],
    example: '30 days',
  })
  answer_contains?: string | string[] | null;

  /**
   * Lists of texts, for a question that asks several things: a right answer contains one of each list.
   * @example [["30 days"], ["free of charge", "at no cost"]]
   */
  @IsOptional()
  @IsListOfTextLists(20, 100, 2000)
  @ApiProperty({
    type: 'array',
    maxItems: 20,
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: { type: 'string', minLength: 1, maxLength: 2000 },
    },
  })
  answer_contains_all?: string[][] | null;

  /** False for a question that the documents do not answer: it should be refused. */
  @IsOptionalNotNull() @IsBoolean() answerable?: boolean = true;
}

export class CreateEvaluationDto {
  /** @example 'Shop questions, November' */
  @IsOptional()
  @Trim()
  @IsText(1, 200)
  name?: string | null;

  /** Settings to evaluate; the knowledge base’s own stay as they are. */
  @IsOptionalNotNull()
  @IsNested(() => AnswerSettingsDto)
  settings?: AnswerSettingsDto;

  /** In whose name it asks, instead of your own; for owners, and in the audit. */
  @IsOptionalNotNull() @ArePrincipals() principals?: string[];

  /**
   * 1 to 2,000 questions.
   * @example [{ "question": "How long may customers return an order?" }]
   */
  @ArrayMinSize(1)
  @IsNestedList(() => EvaluationQuestionDto, MAX_QUESTIONS)
  questions: EvaluationQuestionDto[];
}
