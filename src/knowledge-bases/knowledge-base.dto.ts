import { PartialType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { ApiCount, ApiId, ApiInstant } from '../platform/openapi/api-fields.js';
import { IsText, Trim } from '../platform/http/text.js';
import type { MemberRole } from './knowledge-base-member.entity.js';
import type { KnowledgeBase } from './knowledge-base.entity.js';

export class CreateKnowledgeBaseDto {
  /**
   * 1 to 100 characters; white space around it is cut off.
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
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
}

export function toKnowledgeBaseDto(kb: KnowledgeBase, role: MemberRole): KnowledgeBaseDto {
  return {
    id: kb.id,
    name: kb.name,
    description: kb.description,
    role,
    document_count: kb.documentCount,
    chunk_count: kb.chunkCount,
    created_at: kb.createdAt.toISOString(),
    updated_at: kb.updatedAt.toISOString(),
  };
}
