import { ApiProperty } from '@nestjs/swagger';
import { ApiCount, ApiId, ApiInstant, ApiInteger } from '../platform/openapi/api-fields.js';
import { AccessRuleDto } from '../knowledge-bases/access-rules/access-rule.dto.js';
import type { AccessSet } from '../knowledge-bases/access-rules/access-set.entity.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { DocumentDateDto } from './search/passage.dto.js';
import { toDocumentDate } from './document-date.js';
import type { Document, DocumentStatus } from './document.entity.js';
import type { UnreadableCode } from '@latchkey/extraction/unreadable';

/** Something that was left out of a document, or may be wrong in it. */
export class DocumentWarningDto {
  /**
   * `hidden_left_out` (rows, columns, slides), `values_missing` (formulas without a stored value), `not_read` (charts,
   * embedded files and the like), `encoding_guessed`, and further ones.
   * @example 'page_unreadable'
   */
  code: string;
  /** @example 'Page 12 could not be read.' */
  message: string;
  /** Page numbers from 1, with `recognised` and `recognition_pending`. */
  @ApiProperty({ type: 'array', items: { type: 'integer', format: 'int32', minimum: 1 } })
  pages?: readonly number[];
  /** With `recognised`: the confidence of the recognition, from 0 to 100. */
  confidence?: number;
}

/** The reason why indexing failed. */
export class DocumentErrorDto {
  code: UnreadableCode;
  /** @example 'The document has no text.' */
  message: string;
}

export class DocumentDto {
  @ApiId('doc') id: string;
  @ApiId('kb') kb_id: string;
  /** @example 'Returns policy' */
  title: string;
  /** @example 'https://shop.example.com/returns' */
  source_url: string | null;
  /** The source of the document. */
  @ApiId('src', null) source_id: string | null;
  /** When the document was last loaded from its source. */
  @ApiInstant(null) synced_at: string | null;
  /** @example 'policies/returns' */
  external_id: string | null;
  /** @example 'text/markdown' */
  mime_type: string;
  /** @example 2048 */
  @ApiCount() size_bytes: number;
  /** The number of the content: 1, and one more each time that it is replaced. */
  @ApiInteger({ minimum: 1 }) version: number;
  /** SHA-256 of the content, in lower-case hexadecimal. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' }) sha256: string;
  /** @example { "department": "support" } */
  metadata: Record<string, unknown>;
  /**
   * A BCP 47 tag, given at upload or detected; null while unknown.
   * @example 'en'
   */
  language: string | null;
  /**
   * Documents can be found once they are `ready`.
   * @example 'ready'
   */
  status: DocumentStatus;
  error: DocumentErrorDto | null;
  /** What was left out, such as unreadable pages; the rest can be found. */
  warnings: DocumentWarningDto[];
  /** @example 1 */
  @ApiCount() attempts: number;
  /** @example 7 */
  @ApiCount() chunk_count: number;
  /**
   * The number of its passages; the same as `chunk_count`.
   * @example 7
   */
  @ApiCount() passages: number;
  /**
   * The number of its passages that can be found by meaning: those with a vector of the current model.
   * Vectors are computed in the background; 0 while search uses words only.
   * @example 5
   */
  @ApiCount() vectors: number;
  /** Of when the document is; null if nothing says it. */
  date: DocumentDateDto | null;
  /** From when, and until when, answers use the document; null for no limit. */
  @ApiInstant(null) valid_from: string | null;
  @ApiInstant(null) valid_until: string | null;
  /** The older document whose place this one takes. */
  @ApiId('doc', null) supersedes: string | null;
  /** The newer document that takes its place, and from when on. */
  @ApiId('doc', null) superseded_by: string | null;
  @ApiInstant(null) superseded_at: string | null;
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
  @ApiInstant('2026-11-20T09:30:01.000Z') indexed_at: string | null;
  /**
   * Whether its chunks were made with a different `chunk_size` or `chunk_overlap` than the current
   * settings.
   */
  needs_reindex: boolean;
  /** Its own access rule; null for none. Only for callers who may change it. */
  access?: AccessRuleDto | null;
  /** The access set used instead of a rule of its own. */
  @ApiId('as', null) access_set?: string | null;
}

/** The documents being indexed again. */
export class ReindexDto {
  /** @example 12 */
  @ApiCount() documents: number;
}

/** The settings that decide whether a document needs to be indexed again. */
export type ChunkSettings = Pick<Settings, 'chunkSize' | 'chunkOverlap'>;

/** @param vectors the number of its searchable passages with a vector */
export function toDocumentDto(
  document: Document,
  { chunkSize, chunkOverlap }: ChunkSettings,
  vectors: number,
): DocumentDto {
  return {
    id: document.id,
    kb_id: document.kbId,
    title: document.title,
    source_url: document.sourceUrl,
    source_id: document.sourceId,
    synced_at: document.syncedAt?.toISOString() ?? null,
    external_id: document.externalId,
    mime_type: document.mimeType,
    size_bytes: document.sizeBytes,
    version: document.contentNumber,
    sha256: document.sha256,
    metadata: { ...document.metadata },
    language: document.language,
    status: document.status,
    error: document.errorCode
      ? { code: document.errorCode as UnreadableCode, message: document.errorMessage ?? '' }
      : null,
    warnings: document.warnings ?? [],
    attempts: document.attempts,
    chunk_count: document.passageCount,
    passages: document.passageCount,
    vectors: Math.min(vectors, document.passageCount),
    date: toDocumentDate(document),
    valid_from: document.validFrom?.toISOString() ?? null,
    valid_until: document.validUntil?.toISOString() ?? null,
    supersedes: document.supersedes,
    superseded_by: document.supersededBy,
    superseded_at: document.supersededAt?.toISOString() ?? null,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    indexed_at: document.indexedAt?.toISOString() ?? null,
    needs_reindex:
      document.version !== null &&
      (document.chunkSize !== chunkSize || document.chunkOverlap !== chunkOverlap),
    ...(document.accessSet !== undefined && toAccessFields(document.accessSet)),
  };
}

const toAccessFields = (set: AccessSet | null) => ({
  access: set?.name === null ? set.rule : null,
  access_set: typeof set?.name === 'string' ? set.id : null,
});
