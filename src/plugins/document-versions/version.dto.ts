import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { ChunkDto, toChunkDto } from '../../documents/chunk.dto.js';
import type { Document } from '../../documents/document.entity.js';
import type { Passage } from '../../documents/passage.entity.js';
import { IsQueryInteger } from '../../platform/http/fields.js';
import { type Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { ApiCount, ApiId, ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';

/** The greatest number that a version can have. */
export const MAX_VERSION = 2 ** 31 - 1;

/** A content of a document, with what described it. */
export class DocumentVersionDto {
  @ApiId('doc') document_id: string;
  /** 1, and one more each time that the content was replaced. */
  @ApiInteger({ minimum: 1 }) version: number;
  /** Whether it is the content of the document now. */
  current: boolean;
  /** @example 'Returns policy' */
  title: string;
  /** @example 'https://shop.example.com/returns' */
  source_url: string | null;
  /** @example 'text/markdown' */
  mime_type: string;
  /** @example 2048 */
  @ApiCount() size_bytes: number;
  /** SHA-256 of the content, in lower-case hexadecimal. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' }) sha256: string;
  /** @example { "department": "support" } */
  metadata: Record<string, unknown>;
  /** @example 'en' */
  language: string | null;
  /**
   * The number of its passages; 0 if it was replaced before it was indexed.
   * @example 7
   */
  @ApiCount() passages: number;
  @ApiInstant(null) valid_from: string | null;
  @ApiInstant(null) valid_until: string | null;
  /** When the document got this content. */
  @ApiInstant() created_at: string;
  /** When it was replaced; null for the current one. */
  @ApiInstant() replaced_at: string | null;
  /**
   * The user, key or source that replaced it.
   * @example 'user-42'
   */
  replaced_by: string | null;
  /**
   * The path of its original.
   * @example '/api/v1/documents/doc_01kafdp6ygf4rs4s2cr5cvzwkc/versions/3/original'
   */
  original: string;
}

/** A version with its passages, in document order. */
export class DocumentVersionPageDto extends DocumentVersionDto implements Page<ChunkDto> {
  @ApiProperty({ maxItems: 100 }) data: ChunkDto[];
  next_cursor: string | null;
  has_more: boolean;
  /** The number of passages on all pages. */
  @ApiCount() total: number;
}

export class VersionPassagesDto extends PageQueryDto {
  /** The id of a passage: only it and its neighbours. */
  @IsOptional()
  @IsString()
  @MaxLength(40)
  around?: string;
}

export class CompareVersionsDto {
  /** The version to compare with; by default the current one. */
  @IsOptional()
  @IsQueryInteger(1, MAX_VERSION)
  to?: number;
}

/** A difference between two versions. */
export class PassageChangeDto {
  /** @example 'changed' */
  kind: 'added' | 'removed' | 'changed';
  /** The passage as it was; null if it was added. */
  before: ChunkDto | null;
  /** The passage as it became; null if it was removed. */
  after: ChunkDto | null;
}

/** What distinguishes two versions of a document, passage by passage. */
export class VersionDiffDto {
  @ApiId('doc') document_id: string;
  @ApiInteger({ minimum: 1 }) from: number;
  @ApiInteger({ minimum: 1 }) to: number;
  @ApiCount() added: number;
  @ApiCount() removed: number;
  @ApiCount() changed: number;
  @ApiCount() unchanged: number;
  /** The differences in document order, at most 200. */
  @ApiProperty({ maxItems: 200 }) changes: PassageChangeDto[];
  /** Whether there are more differences, or more than the 5,000 passages of a version that are compared. */
  truncated: boolean;
}

export function toVersionDto(documentId: string, row: Document): DocumentVersionDto {
  const isCurrent = row.versionOf === null;
  const isIndexed = row.searchableNumber === row.contentNumber && row.version !== null;
  const since = isCurrent
    ? (row.replacedAt ?? row.contentSince ?? row.createdAt)
    : row.contentSince;
  return {
    document_id: documentId,
    version: row.contentNumber,
    current: isCurrent,
    title: row.title,
    source_url: row.sourceUrl,
    mime_type: row.mimeType,
    size_bytes: row.sizeBytes,
    sha256: row.sha256,
    metadata: { ...row.metadata },
    language: row.language,
    passages: isIndexed ? row.passageCount : 0,
    valid_from: row.validFrom?.toISOString() ?? null,
    valid_until: row.validUntil?.toISOString() ?? null,
    created_at: (since ?? row.createdAt).toISOString(),
    replaced_at: isCurrent ? null : (row.replacedAt?.toISOString() ?? null),
    replaced_by: row.replacedBy,
    original: `/api/v1/documents/${documentId}/versions/${row.contentNumber}/original`,
  };
}

/** Passages of a version may belong to its own row or still to that of its document. */
export const toPassageDto = (documentId: string, passage: Passage): ChunkDto => ({
  ...toChunkDto(passage),
  document_id: documentId,
});
