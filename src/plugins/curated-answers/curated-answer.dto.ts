import { applyDecorators } from '@nestjs/common';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsOptional,
  Matches,
} from 'class-validator';
import { AccessRuleDto } from '../../knowledge-bases/access-rules/access-rule.dto.js';
import { IsInstant } from '../../platform/http/instant.js';
import { IsNested } from '../../platform/http/fields.js';
import { IsText } from '../../platform/http/text.js';
import { ApiId, ApiInstant, idSchema } from '../../platform/openapi/api-fields.js';
import type { CuratedAnswer } from './curated-answer.entity.js';

const MAX_QUESTIONS = 20;
export const MAX_QUESTION_LENGTH = 1000;
const MAX_SOURCES = 20;
const EXAMPLE = ['How long may customers return an order?', 'What is the return period?'];

const AreQuestions = () =>
  applyDecorators(
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_QUESTIONS),
    IsText(1, MAX_QUESTION_LENGTH, { each: true }),
    Matches(/\S/, { each: true, message: 'each of questions must not be blank' }),
    ApiProperty({
      type: 'array',
      minItems: 1,
      maxItems: MAX_QUESTIONS,
      items: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_QUESTION_LENGTH,
        pattern: '\\S',
      },
      example: EXAMPLE,
    }),
  );

const AreDocuments = () =>
  applyDecorators(
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_SOURCES),
    ArrayUnique(),
    Matches(new RegExp(idSchema('doc').pattern), {
      each: true,
      message: 'each of sources must be the id of a document',
    }),
    ApiProperty({ type: 'array', maxItems: MAX_SOURCES, items: idSchema('doc'), example: [] }),
  );

export class CreateCuratedAnswerDto {
  /** 1 to 20 questions that it answers: each in the words in which it is asked. */
  @AreQuestions() questions: string[];

  /**
   * 1 to 8000 characters; it is answered as it stands. `[n]` refers to the document in that place of `sources`.
   * @example 'Customers may return any order within 30 days of delivery.'
   */
  @IsText(1, 8000) answer: string;

  /**
   * Documents of the knowledge base that say the same, at most 20. Without `access`, who may read all of them is
   * given the answer, and nobody once one is deleted.
   */
  @AreDocuments() sources?: string[] | null;

  /** Who may be given it, instead of the rules of `sources`, or without any of `default_access`. Null brings these back. */
  @IsOptional() @IsNested(() => AccessRuleDto) access?: AccessRuleDto | null;

  /** When somebody should look whether it is still right; it is answered after that as well. */
  @IsOptional()
  @IsInstant()
  @ApiProperty({ example: '2027-06-01T00:00:00.000Z' })
  review_at?: string | null;
}

export class UpdateCuratedAnswerDto extends PartialType(CreateCuratedAnswerDto, {
  skipNullProperties: false,
}) {}

export class CuratedAnswerDto {
  @ApiId('cur') id: string;
  @ApiId('kb') kb_id: string;
  /** @example ['How long may customers return an order?'] */
  questions: string[];
  /** @example 'Customers may return any order within 30 days of delivery.' */
  answer: string;
  /** Those of the documents that are still there and that you may see. */
  @ApiProperty({ items: idSchema('doc') }) sources: string[];
  /** Null where `sources` or `default_access` decide. Only for those who may change it. */
  access?: AccessRuleDto | null;
  @ApiInstant() review_at: string | null;
  /**
   * Who wrote it.
   * @example 'alice'
   */
  owner: string;
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
}

/** @param shown the ids of documents that may be told */
export const toCuratedAnswerDto = (
  { id, kbId, questions, answer, sourceIds, owner, ...row }: CuratedAnswer,
  shown: ReadonlySet<string>,
): CuratedAnswerDto => ({
  id,
  kb_id: kbId,
  questions,
  answer,
  sources: sourceIds.filter((documentId) => shown.has(documentId)),
  ...(row.accessSet !== undefined && { access: row.accessSet?.rule ?? null }),
  review_at: row.reviewAt?.toISOString() ?? null,
  owner,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
