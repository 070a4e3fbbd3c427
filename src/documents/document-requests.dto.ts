import { applyDecorators } from '@nestjs/common';
import { ApiProperty, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow, ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, IsUrl } from 'class-validator';
import { AccessRuleDto } from '../knowledge-bases/access-rules/access-rule.dto.js';
import { MAX_UPLOAD_BYTES } from '../platform/config/environment.js';
import { IsNested, IsOptionalNotNull, IsQueryBoolean } from '../platform/http/fields.js';
import { MAX_JSON_BYTES } from '../platform/http/json-body.js';
import { PageQueryDto } from '../platform/http/page.dto.js';
import { ApiId } from '../platform/openapi/api-fields.js';
import { IsInstant, IsPartialDate } from '../platform/http/instant.js';
import { IsText, Trim } from '../platform/http/text.js';
import { IsCharset, MAX_CHARSET } from './charset.js';
import type { DocumentStatus } from './document.entity.js';
import { IsLanguageTag, MAX_LANGUAGE_TAG } from './language-tag.js';
import { IsMetadata } from './metadata.js';

const trim = (text: string) => text.trim();

/** At most 5 tags; in a form, a text with commas. */
const AreLanguages = () =>
  applyDecorators(
    IsOptionalNotNull(),
    Transform(({ value }) =>
      typeof value === 'string' ? value.split(',').map(trim) : (value as unknown),
    ),
    IsArray(),
    ArrayMaxSize(5),
    IsLanguageTag({ each: true }),
  );

const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/html'] as const;

const ON_DUPLICATE = ['reject', 'skip', 'replace'] as const;
const DOCUMENT_STATUSES = ['pending', 'processing', 'ready', 'failed'] as const;

/**
 * A document without its text, sent as JSON or as a file. Swagger UI prefills forms with examples, so
 * fields have none where it would be wrong for a user's own file.
 */
export class DocumentFieldsDto {
  /** The type of the text. By default it is `text/plain`, or detected for a file. */
  @IsOptionalNotNull() @IsIn(TEXT_TYPES) mime_type?: (typeof TEXT_TYPES)[number];

  /** Your own id of the document, unique in the knowledge base. */
  @IsOptional() @IsText(1, 255) external_id?: string | null;

  /**
   * Your own data about the document, returned with every result; a change replaces all of it.
   * @example { "department": "support", "year": 2026 }
   */
  @IsOptionalNotNull() @IsMetadata() metadata?: Record<string, unknown>;

  /**
   * The language of the document as a BCP 47 tag; detected unless given.
   * @example 'en'
   */
  @IsOptional()
  @ApiProperty({ format: 'bcp-47', maxLength: MAX_LANGUAGE_TAG })
  @IsLanguageTag()
  language?: string | null;

  /** The languages of scanned pages and pictures as BCP 47 tags, at most 5; detected unless given. */
  @AreLanguages()
  @ApiProperty({
    type: 'array',
    maxItems: 5,
    items: { type: 'string', format: 'bcp-47', maxLength: MAX_LANGUAGE_TAG, example: 'en' },
  })
  languages?: string[];

  /**
   * Who may read the document, instead of the knowledge base’s `default_access`; null restores that. In
   * a form, send JSON. A replaced document keeps its rule unless a new one is given.
   */
  @IsOptional() @IsNested(() => AccessRuleDto) access?: AccessRuleDto | null;

  /** An access set that defines who may read the document, instead of `access`. */
  @IsOptional() @IsString() @ApiId('as', null) access_set?: string | null;

  /** The http or https URL where people can read the document. */
  @IsOptional()
  @ApiProperty({ format: 'uri', pattern: '^https?://' })
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @IsText(1, 2048)
  source_url?: string | null;

  /**
   * Of when the document is: `2025`, `2025-03` or `2025-03-01`. By default what its source, its file, its title or
   * its headings say, in this order. Null takes a given date back.
   */
  @IsOptional() @IsPartialDate() date?: string | null;

  /** From when on answers use the document; a date means its midnight (UTC). Null for no limit. */
  @IsOptional() @IsInstant() valid_from?: string | null;

  /** Until when answers use the document: later than `valid_from`. Null for no limit. */
  @IsOptional() @IsInstant() valid_until?: string | null;

  /**
   * The id of an older document of the knowledge base: answers use this one instead as soon as it is `ready`
   * and valid. Null takes that back.
   */
  @IsOptional() @IsString() @ApiId('doc', null) supersedes?: string | null;

  /**
   * What to do when the knowledge base has a document with this `external_id` or this content:
   * refuse, answer with that one, or replace it under its id.
   * @example 'replace'
   */
  @IsOptionalNotNull()
  @IsIn(ON_DUPLICATE)
  on_duplicate?: (typeof ON_DUPLICATE)[number] = 'reject';
}

/** The example that Swagger UI prefills; sent again, it replaces itself. */
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
   * 1 to 500 characters; surrounding white space is removed. The title is searched too.
   * @example 'Returns policy'
   */
  @Trim() @IsText(1, 500) title: string;

  /** The whole document, of the type `mime_type`. */
  @IsText(1, MAX_JSON_BYTES)
  // In a comment, the line breaks would appear as backslashes.
  @ApiProperty({ example: DOCUMENT_EXAMPLE.text })
  text: string;
}

export class UploadDocumentDto extends OmitType(DocumentFieldsDto, ['languages']) {
  /**
   * PDF, Office (DOC, XLS and PPT where LibreOffice is installed), OpenDocument, RTF, EPUB, EML, MSG,
   * HTML, Markdown, AsciiDoc, reStructuredText, Org, LaTeX, CSV, JSON, XML, notebooks, VTT, SRT or text, detected
   * by its content, or a ZIP archive of such files; by default at most 20 MiB.
   */
  @Allow()
  @ApiProperty({ type: 'string', format: 'binary', maxLength: MAX_UPLOAD_BYTES })
  file: unknown;

  /**
   * The languages of scanned pages and pictures as BCP 47 tags; separate several by commas, or repeat
   * the field. Detected unless given.
   */
  // Swagger UI cannot show the form if this is a list.
  @ApiProperty({ type: 'string', format: 'bcp-47', maxLength: MAX_LANGUAGE_TAG })
  @AreLanguages()
  languages?: string[];

  /**
   * The encoding of a text file, such as `windows-1250`. By default it is taken from the file’s media
   * type, or detected.
   */
  @IsOptionalNotNull() @ApiProperty({ maxLength: MAX_CHARSET }) @IsCharset() charset?: string;

  /** By default the file’s name. */
  @IsOptionalNotNull()
  @Trim()
  @IsText(1, 500)
  title?: string;
}

/** The body where the path contains the external id. */
export class PutDocumentDto extends OmitType(CreateDocumentDto, ['external_id', 'on_duplicate']) {}

export class PutUploadDto extends OmitType(UploadDocumentDto, ['external_id', 'on_duplicate']) {}

/** The new content of a document. What describes it stays. */
export class ReplaceTextDto extends PickType(CreateDocumentDto, ['text', 'mime_type']) {}

export class ReplaceFileDto extends PickType(UploadDocumentDto, ['file', 'mime_type', 'charset']) {}

export class UpdateDocumentDto extends PartialType(
  PickType(CreateDocumentDto, [
    'title',
    'metadata',
    'source_url',
    'external_id',
    'access',
    'access_set',
    'date',
    'valid_from',
    'valid_until',
    'supersedes',
  ]),
  { skipNullProperties: false },
) {}

export class IngestQueryDto {
  /** Required if the key has the scope in several knowledge bases. */
  @IsOptional() @IsString() @ApiId('kb') kb_id?: string;
}

export class ListIngestedDocumentsDto extends PageQueryDto {
  /** Only documents with this status. */
  @IsOptional() @IsIn(DOCUMENT_STATUSES) status?: DocumentStatus;
}

export class ListOfKeyDto extends ListIngestedDocumentsDto {
  /** Required if the key has the scope in several knowledge bases. */
  @IsOptional() @IsString() @ApiId('kb') kb_id?: string;
}

export class ListDocumentsDto extends ListIngestedDocumentsDto {
  /** Only the document with your own id. */
  @IsOptional() @IsText(1, 255) external_id?: string;

  /** Only documents of this source. */
  @IsOptional() @IsText(1, 100) source_id?: string;

  /** Only documents that use this access set. */
  @IsOptional() @IsText(1, 100) access_set?: string;

  /** Only documents whose title contains this text, ignoring case. */
  @IsOptional() @IsText(1, 255) q?: string;

  /** Only documents whose chunks do, or do not, differ from the current chunk settings. */
  @IsOptional() @IsQueryBoolean() needs_reindex?: boolean;
}

export class ListChunksDto extends PageQueryDto {
  /** The id of a chunk: returns only this one and its neighbours. */
  @IsOptional() @IsText(1, 100) around?: string;
}
