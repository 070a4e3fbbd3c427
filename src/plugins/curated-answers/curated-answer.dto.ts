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
  /** 1 to 20 questions that it answers, each in the words in which people ask it. */
  @AreQuestions() questions: string[];

  /**
   * 1 to 8000 characters, which are returned unchanged. `[n]` refers to the n-th document in `sources`.
   * @example 'Customers may return any order within 30 days of delivery.'
   */
  @IsText(1, 8000) answer: string;

  /**
   * Documents of the knowledge base that say the same, at most 20. Without `access`, only those who can
   * read all of them get the answer, and nobody gets it once one of them is deleted.
   */
  @AreDocuments() sources?: string[] | null;

  /**
   * Who may get the answer, in place of the rules of `sources`, or of `default_access` if there are none.
   * Null to return to these.
   */
  @IsOptional() @IsNested(() => AccessRuleDto) access?: AccessRuleDto | null;

  /** When the answer should be reviewed. It is still given after that. */
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
  /** The documents that still exist and that you may see. */
  @ApiProperty({ items: idSchema('doc') }) sources: string[];
  /**
   * Who may get the answer; null if `sources` or `default_access` decide. Only shown to those who may
   * change it.
   */
  access?: AccessRuleDto | null;
  @ApiInstant() review_at: string | null;
  /**
   * The user who wrote it.
   * @example 'alice'
   */
  owner: string;
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
}

/** @param shown the ids of documents that may be named */
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
