import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow, IsBoolean, IsIn, IsOptional, IsUrl, ValidateBy, ValidateIf } from 'class-validator';
import { MAX_UPLOAD_BYTES } from '../config/environment.js';
import { ApiCount, ApiId, ApiInstant, ApiInteger } from '../openapi/api-fields.js';
import { FreeForm } from '../http/free-form.js';
import { MAX_JSON_BYTES } from '../http/json-body.js';
import { PageQueryDto } from '../http/page.dto.js';
import { IsText, isStorableText, Trim } from '../http/text.js';
import type { Settings } from '../settings/settings.service.js';
import type { Chunk } from './chunk.entity.js';
import type { Document } from './document.entity.js';

export const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/html'] as const;

const ON_DUPLICATE = ['reject', 'skip', 'replace'] as const;
const DOCUMENT_STATUSES = ['pending', 'processing', 'ready', 'failed'] as const;
const MAX_METADATA_BYTES = 16 * 1024;

/** A JSON object of at most 16 KiB whose every key and string can be stored. */
const IsMetadata = () =>
  applyDecorators(
    FreeForm(),
    ValidateBy({
      name: 'isMetadata',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES &&
          stringsOf(value).every(isStorableText),
        defaultMessage: () =>
          '$property must be a JSON object of at most 16 KiB, of well-formed Unicode without NUL',
      },
    }),
  );

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [key, ...stringsOf(child)]);
}

/**
 * What is told about a document beside its text, in whatever form it comes. Fields whose example
 * would be wrong for somebody's own file have none here: Swagger UI prefills forms with them.
 */
export class DocumentFieldsDto {
  /** What the text is: `text/plain` unless given, or for a file what its content and name tell. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(TEXT_TYPES)
  mime_type?: 'text/plain' | 'text/markdown' | 'text/html';

  /** Your own id of the document, unique in the knowledge base. */
  @IsOptional()
  @IsText(1, 255)
  external_id?: string | null;

  /**
   * Your own facts about the document, given back with every result.
   * @example { "department": "support", "year": 2026 }
   */
  @ValidateIf((_, value) => value !== undefined)
  @IsMetadata()
  metadata?: Record<string, unknown>;

  /** Where people can read it: an http or https address. */
  @IsOptional()
  @ApiProperty({ format: 'uri', pattern: '^https?://' })
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @IsText(1, 2048)
  source_url?: string | null;

  /**
   * What to do when the knowledge base has a document with this `external_id` or this content:
   * refuse, answer with that one, or replace it under its id.
   * @example 'replace'
   */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(ON_DUPLICATE)
  on_duplicate?: 'reject' | 'skip' | 'replace' = 'reject';
}

/** A whole document, as Swagger UI prefills it; sent again it takes its own place. */
export const DOCUMENT_EXAMPLE = {
  title: 'Returns policy',
  text: '# Returns\n\nCustomers may return any order within 30 days of delivery. Refunds are paid within five working days.',
  mime_type: 'text/markdown',
  external_id: 'policies/returns',
  metadata: { department: 'support', year: 2026 },
  source_url: 'https://shop.example.com/returns',
  on_duplicate: 'replace',
};

export class CreateDocumentDto extends DocumentFieldsDto {
  /**
   * 1 to 500 characters; white space around it is cut off.
   * @example 'Returns policy'
   */
  @Trim()
  @IsText(1, 500)
  title: string;

  /** The whole document, of the type `mime_type`. */
  @IsText(1, MAX_JSON_BYTES)
  // A comment would be taken for it with its backslashes.
  @ApiProperty({ example: DOCUMENT_EXAMPLE.text })
  text: string;
}

export class UploadDocumentDto extends DocumentFieldsDto {
  /** PDF, DOCX, HTML, Markdown or text, told by its content; 20 MiB unless the operator says otherwise. */
  @Allow()
  @ApiProperty({ type: 'string', format: 'binary', maxLength: MAX_UPLOAD_BYTES })
  file: unknown;

  /** The file’s name unless given. */
  @ValidateIf((_, value) => value !== undefined)
  @Trim()
  @IsText(1, 500)
  title?: string;
}

export class UpdateDocumentDto {
  /**
   * 1 to 500 characters; white space around it is cut off. Questions search it too: the document
   * is indexed again.
   * @example 'Returns policy 2027'
   */
  @ValidateIf((_, value) => value !== undefined)
  @Trim()
  @IsText(1, 500)
  title?: string;

  /**
   * All of it anew.
   * @example { "department": "support", "year": 2027 }
   */
  @ValidateIf((_, value) => value !== undefined)
  @IsMetadata()
  metadata?: Record<string, unknown>;

  /**
   * Where people can read it: an http or https address; null removes it.
   * @example 'https://shop.example.com/returns'
   */
  @IsOptional()
  @ApiProperty({ format: 'uri', pattern: '^https?://' })
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @IsText(1, 2048)
  source_url?: string | null;

  /** Your own id of the document, unique in the knowledge base; null removes it. */
  @IsOptional()
  @IsText(1, 255)
  external_id?: string | null;
}

export class ListDocumentsDto extends PageQueryDto {
  /** Only documents that have come this far. */
  @IsOptional()
  @IsIn(DOCUMENT_STATUSES)
  status?: 'pending' | 'processing' | 'ready' | 'failed';

  /** Only the document with this id of yours. */
  @IsOptional()
  @IsText(1, 255)
  external_id?: string;

  /** Only documents whose title contains this, in any case. */
  @IsOptional()
  @IsText(1, 255)
  q?: string;

  /** Only documents that were, or were not, cut otherwise than the settings say now. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) =>
    value === 'true' || value === 'false' ? value === 'true' : value,
  )
  @IsBoolean()
  needs_reindex?: boolean;
}

/** Why indexing failed. */
export class DocumentErrorDto {
  code:
    | 'no_text_extracted'
    | 'unsupported_type'
    | 'too_large'
    | 'too_many_chunks'
    | 'parse_failed'
    | 'parse_timeout';
  /** @example 'The document has no text.' */
  message: string;
}

export class DocumentDto {
  @ApiId('doc')
  id: string;
  @ApiId('kb')
  kb_id: string;
  /** @example 'Returns policy' */
  title: string;
  /** @example 'https://shop.example.com/returns' */
  source_url: string | null;
  /** @example 'policies/returns' */
  external_id: string | null;
  /** @example 'text/markdown' */
  mime_type: string;
  /** @example 2048 */
  @ApiCount()
  size_bytes: number;
  /** Of the content, lower-case hexadecimal. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  sha256: string;
  /** @example { "department": "support" } */
  metadata: Record<string, unknown>;
  /**
   * `ready` documents are findable.
   * @example 'ready'
   */
  status: 'pending' | 'processing' | 'ready' | 'failed';
  error: DocumentErrorDto | null;
  /** @example 1 */
  @ApiCount()
  attempts: number;
  /** @example 7 */
  @ApiCount()
  chunk_count: number;
  @ApiInstant()
  created_at: string;
  @ApiInstant()
  updated_at: string;
  @ApiInstant('2026-11-20T09:30:01.000Z')
  indexed_at: string | null;
  /** Its chunks were cut with another `chunk_size` or `chunk_overlap` than the settings have. */
  needs_reindex: boolean;
}

/** What is being indexed again. */
export class ReindexDto {
  /** @example 12 */
  @ApiCount()
  documents: number;
}

export class ChunkDto {
  @ApiId('chunk')
  id: string;
  @ApiId('doc')
  document_id: string;
  /** From 0, in the order of the document. */
  @ApiCount()
  index: number;
  /** @example 'Customers may return any order within 30 days of delivery.' */
  text: string;
  /** @example 'Returns' */
  heading: string | null;
  /** From 1 for paged formats, else null. */
  @ApiInteger({ minimum: 1 })
  page: number | null;
}

export function toDocumentDto(
  document: Document,
  { chunkSize, chunkOverlap }: Pick<Settings, 'chunkSize' | 'chunkOverlap'>,
): DocumentDto {
  return {
    id: document.id,
    kb_id: document.kbId,
    title: document.title,
    source_url: document.sourceUrl,
    external_id: document.externalId,
    mime_type: document.mimeType,
    size_bytes: document.sizeBytes,
    sha256: document.sha256,
    metadata: { ...document.metadata },
    status: document.status,
    error: document.errorCode
      ? {
          code: document.errorCode as DocumentErrorDto['code'],
          message: document.errorMessage ?? '',
        }
      : null,
    attempts: document.attempts,
    chunk_count: document.chunkCount,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    indexed_at: document.indexedAt?.toISOString() ?? null,
    needs_reindex:
      document.version !== null &&
      (document.chunkSize !== chunkSize || document.chunkOverlap !== chunkOverlap),
  };
}

export const toChunkDto = (chunk: Chunk): ChunkDto => ({
  id: chunk.id,
  document_id: chunk.documentId,
  index: chunk.position,
  text: chunk.text,
  heading: chunk.heading,
  page: chunk.page,
});
