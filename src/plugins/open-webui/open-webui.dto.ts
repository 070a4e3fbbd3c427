import { ApiProperty } from '@nestjs/swagger';
import { Allow, ArrayMaxSize, IsArray, IsOptional, IsString } from 'class-validator';
import { MAX_UPLOAD_BYTES } from '../../platform/config/environment.js';
import { IsText } from '../../platform/http/text.js';
import { ApiCount, COUNT_SCHEMA } from '../../platform/openapi/api-fields.js';
import { MAX_FILES, MAX_KEY as MAX_NAME } from './manifest.js';

export class ManifestFileDto {
  /** @example 'returns.md' */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME }) filename: string;
  /** @example 'policies' */
  @ApiProperty({ maxLength: MAX_NAME }) path: string;
  /** @example '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' */
  @ApiProperty({ maxLength: 1000 }) checksum: string;
  @ApiProperty({ ...COUNT_SCHEMA, maximum: Number.MAX_SAFE_INTEGER }) size: number;
}

export class ManifestDto {
  @ApiProperty({
    ...{ type: [ManifestFileDto], maxItems: MAX_FILES },
    example: [{ filename: 'returns.md', path: 'policies', checksum: '9f86d081', size: 42 }],
  })
  manifest: ManifestFileDto[];
}

export class AddedFileDto {
  filename: string;
  path: string;
}

export class ChangedFileDto extends AddedFileDto {
  stale_file_id: string;
}

export class DeletedFileDto extends AddedFileDto {
  file_id: string;
}

export class DiffDto {
  added: AddedFileDto[];
  modified: ChangedFileDto[];
  /** Also files that were moved: `sync/cleanup` gives their documents the new place. */
  deleted: DeletedFileDto[];
  @ApiCount() unmodified_count: number;
  /** Always empty. */
  mkdir: string[];
  /** Always empty. */
  rmdir: string[];
  /** The ids of all directories by their paths. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  directory_map: Record<string, string>;
}

export class CleanupDto {
  /** As `sync/diff` answered them. */
  @IsArray()
  @ArrayMaxSize(MAX_FILES)
  @IsString({ each: true })
  @ApiProperty({
    ...{ maxItems: MAX_FILES, items: { type: 'string', maxLength: 2 * MAX_NAME } },
    example: ['gone:doc_01kafdp6ygf4rs4s2cr5cvzwkc:run_01kafdp6ygf4rs4s2cr5cvzwkc'],
  })
  file_ids: string[];

  /** Ignored. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_FILES)
  @IsString({ each: true })
  @ApiProperty({ maxItems: MAX_FILES, items: { type: 'string', maxLength: MAX_NAME } })
  dir_ids?: string[] | null;
}

export class CleanupResultDto {
  status: boolean;
  @ApiCount() deleted: number;
}

export class UploadFileDto {
  @Allow()
  @ApiProperty({ type: 'string', format: 'binary', maxLength: MAX_UPLOAD_BYTES })
  file: unknown;

  /** JSON: `knowledge_id`, `file_hash` (the checksum of the manifest), `directory_id`. */
  @ApiProperty({
    ...{ type: 'object', additionalProperties: true },
    example: { knowledge_id: 'kb_01kafdp6ygf4rs4s2cr5cvzwkc', file_hash: '9f86d081' },
  })
  metadata: Record<string, unknown>;
}

export class FileMetaDto {
  name: string;
  @ApiCount() size: number;
  file_hash: string;
}

export class UploadedFileDto {
  id: string;
  filename: string;
  /** SHA-256 of the content. */
  hash: string;
  meta: FileMetaDto;
}

export class KnowledgeFileDto extends UploadedFileDto {
  /** In seconds. */
  @ApiCount() updated_at: number;
}

export class KnowledgeFilesDto {
  /** At most 1,000. */
  items: KnowledgeFileDto[];
  @ApiCount() total: number;
}

export class CreateDirectoryDto {
  /** @example 'policies' */
  @IsText(1, MAX_NAME) name: string;
  @IsOptional() @IsString() @ApiProperty({ maxLength: MAX_NAME * 2 }) parent_id?: string | null;
}

export class DirectoryDto {
  id: string;
  name: string;
  parent_id: string | null;
}

export class KnowledgeDto {
  id: string;
  name: string;
  description: string;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null })
  files: null;
}

/** A problem as Open WebUI writes it. */
export class OpenWebUiErrorDto {
  detail: string;
  /** Our code. */
  code: string;
}
