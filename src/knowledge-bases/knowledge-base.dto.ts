import { PartialType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ApiCount, ApiId, ApiInstant } from '../platform/openapi/api-fields.js';
import { IsText, Trim } from '../platform/http/text.js';
import type { MemberRole } from './knowledge-base-member.entity.js';
import type { KnowledgeBase } from './knowledge-base.entity.js';

export class CreateKnowledgeBaseDto {
  /**
   * 1 to 100 characters; surrounding white space is removed.
   * @example 'Product handbook'
   */
  @Trim() @IsText(1, 100) name: string;

  /**
   * At most 1000 characters; null for none.
   * @example 'Everything support needs to know'
   */
  @IsOptional() @IsText(0, 1000) description?: string | null;
}

export class UpdateKnowledgeBaseDto extends PartialType(CreateKnowledgeBaseDto, {
  skipNullProperties: false,
}) {}

export class KnowledgeBaseDto {
  @ApiId('kb') id: string;
  /** @example 'Product handbook' */
  name: string;
  /** @example 'Everything support needs to know' */
  description: string | null;
  /**
   * The role of the calling user.
   * @example 'owner'
   */
  role: MemberRole;
  /** @example 12 */
  @ApiCount() document_count: number;
  /** @example 340 */
  @ApiCount() chunk_count: number;
  /**
   * The number of passages of its documents; the same as `chunk_count`.
   * @example 340
   */
  @ApiCount() passages: number;
  /**
   * The number of passages that can be found by meaning: those with a vector of the current model. Vectors
   * are computed in the background; 0 while search uses words only.
   * @example 338
   */
  @ApiCount() vectors: number;
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
}

/** @param vectors how many of its passages have one, those of deleted documents among them */
export function toKnowledgeBaseDto(
  kb: KnowledgeBase,
  role: MemberRole,
  vectors: number,
): KnowledgeBaseDto {
  return {
    id: kb.id,
    name: kb.name,
    description: kb.description,
    role,
    document_count: kb.documentCount,
    chunk_count: kb.passageCount,
    passages: kb.passageCount,
    // The vectors of deleted documents are removed in the background.
    vectors: Math.min(vectors, kb.passageCount),
    created_at: kb.createdAt.toISOString(),
    updated_at: kb.updatedAt.toISOString(),
  };
}
