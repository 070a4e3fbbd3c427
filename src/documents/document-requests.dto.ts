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
 * A document without its text, whether it comes as JSON or as a file. Swagger UI prefills forms with
 * examples, so fields have none where it would be wrong for somebody's own file.
 */
export class DocumentFieldsDto {
  /** The type of the text: by default `text/plain`, or for a file the one that is detected. */
  @IsOptionalNotNull() @IsIn(TEXT_TYPES) mime_type?: (typeof TEXT_TYPES)[number];

  /** Your own id of the document, unique in the knowledge base. */
  @IsOptional() @IsText(1, 255) external_id?: string | null;

  /**
   * Your own facts about the document, given back with every result; a change replaces all of them.
   * @example { "department": "support", "year": 2026 }
   */
  @IsOptionalNotNull() @IsMetadata() metadata?: Record<string, unknown>;

  /**
   * In which language it is, as BCP 47; detected unless given.
   * @example 'en'
   */
  @IsOptional()
  @ApiProperty({ format: 'bcp-47', maxLength: MAX_LANGUAGE_TAG })
  @IsLanguageTag()
  language?: string | null;

  /**
   * In which languages its scanned pages and pictures are, as BCP 47, at most 5; found out unless given.
   */
  @AreLanguages()
  @ApiProperty({
    type: 'array',
    maxItems: 5,
    items: { type: 'string', format: 'bcp-47', maxLength: MAX_LANGUAGE_TAG, example: 'en' },
  })
  languages?: string[];

  /**
   * Who may read it, instead of the knowledge base’s `default_access`, which null brings back; in a form,
   * as JSON. A replaced document keeps its rule unless another one is given.
   */
  @IsOptional() @IsNested(() => AccessRuleDto) access?: AccessRuleDto | null;

  /** The access set that says who may read it, instead of `access`. */
  @IsOptional() @IsString() @ApiId('as', null) access_set?: string | null;

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
  @IsOptionalNotNull()
  @IsIn(ON_DUPLICATE)
  on_duplicate?: (typeof ON_DUPLICATE)[number] = 'reject';
}

/** Swagger UI prefills it; sent again, it replaces itself. */
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
   * 1 to 500 characters; white space around it is cut off. Questions search it too.
   * @example 'Returns policy'
   */
  @Trim() @IsText(1, 500) title: string;

  /** The whole document, of the type `mime_type`. */
  @IsText(1, MAX_JSON_BYTES)
  // As a comment, the line breaks would be kept as backslashes.
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
   * In which language its scanned pages and pictures are, as BCP 47; several are separated by commas, or
   * the field is repeated. Found out unless given.
   */
  // As a list, Swagger UI would fail to show the form.
  @ApiProperty({ type: 'string', format: 'bcp-47', maxLength: MAX_LANGUAGE_TAG })
  @AreLanguages()
  languages?: string[];

  /**
   * The encoding of a text file, such as `windows-1250`; unless given that of the file’s media type, or found out.
   */
  @IsOptionalNotNull() @ApiProperty({ maxLength: MAX_CHARSET }) @IsCharset() charset?: string;

  /** The file’s name unless given. */
  @IsOptionalNotNull()
  @Trim()
  @IsText(1, 500)
  title?: string;
}

/** Where the path has the external id. */
export class PutDocumentDto extends OmitType(CreateDocumentDto, ['external_id', 'on_duplicate']) {}

export class PutUploadDto extends OmitType(UploadDocumentDto, ['external_id', 'on_duplicate']) {}

export class UpdateDocumentDto extends PartialType(
  PickType(CreateDocumentDto, [
    'title',
    'metadata',
    'source_url',
    'external_id',
    'access',
    'access_set',
  ]),
  { skipNullProperties: false },
) {}

export class IngestQueryDto {
  /** Needed where the key has the scope in several knowledge bases. */
  @IsOptional() @IsString() @ApiId('kb') kb_id?: string;
}

export class ListIngestedDocumentsDto extends PageQueryDto {
  /** Only documents with this status. */
  @IsOptional() @IsIn(DOCUMENT_STATUSES) status?: DocumentStatus;
}

export class ListOfKeyDto extends ListIngestedDocumentsDto {
  /** Needed where the key has the scope in several knowledge bases. */
  @IsOptional() @IsString() @ApiId('kb') kb_id?: string;
}

export class ListDocumentsDto extends ListIngestedDocumentsDto {
  /** Only the document with this id of yours. */
  @IsOptional() @IsText(1, 255) external_id?: string;

  /** Only documents that come from this source. */
  @IsOptional() @IsText(1, 100) source_id?: string;

  /** Only documents that refer to this access set. */
  @IsOptional() @IsText(1, 100) access_set?: string;

  /** Only documents whose title contains this, in any case. */
  @IsOptional() @IsText(1, 255) q?: string;

  /** Only documents whose chunks do, or do not, differ from the chunk settings of now. */
  @IsOptional() @IsQueryBoolean() needs_reindex?: boolean;
}

export class ListChunksDto extends PageQueryDto {
  /** The id of a chunk: only this one, and those before and after it. */
  @IsOptional() @IsText(1, 100) around?: string;
}
