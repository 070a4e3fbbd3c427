import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsInteger, IsNested, IsOptionalNotNull } from '../../platform/http/fields.js';
import { IsText, Trim } from '../../platform/http/text.js';
import { IsMetadata } from '../../documents/metadata.js';
import { SOURCE_TYPES, type SourceType } from './source-kinds.js';

const YEAR_MINUTES = 366 * 24 * 60;

/** Either `every_minutes`, or `cron`. */
export class ScheduleDto {
  /** @example 60 */
  @IsOptionalNotNull() @IsInteger(1, YEAR_MINUTES) every_minutes?: number;

  /** Five fields: minute, hour, day, month, day of the week. */
  @IsOptionalNotNull() @IsText(1, 100) cron?: string;

  /** Of `cron`, such as `Europe/Berlin`; `UTC` unless given. */
  @IsOptionalNotNull() @IsText(1, 100) timezone?: string;
}

/** Where a source is. */
export class SourceAddressDto {
  /** @example 'folder' */
  @ApiProperty({ enum: SOURCE_TYPES }) @IsIn(SOURCE_TYPES) type: SourceType;

  /**
   * Of `website`: `start_urls`, `sitemap_url`, `max_depth`, `include`, `exclude`; of `s3`: `endpoint`,
   * `region`, `bucket`, `prefix`; of `git`: `url`, `branch`, `folder`; of `folder`: `path`; of
   * `confluence`: `base_url`, `space`; of `webdav`: `url`, `include`, `exclude`; of `imap`: `url`,
   * `folders`, `since`; of `oikb`: `links`, such as `https://wiki.example.com/{path}`, and `account`. `access` of `s3`, `git`, `folder`, `webdav` and `imap` has for a path who may read
   * what is below it: `{"hr": {"allow": ["group:hr"], "deny": []}}`; the longest path decides. Paths have
   * no wildcards, and are kept in one form: `./hr/` is `hr`.
   * @example { "path": "/srv/docs" }
   */
  @IsMetadata() config: Record<string, unknown>;

  /**
   * Of `s3`: `access_key_id`, `secret_access_key`; of `git`: `token`; of `confluence`: `email`, `token`;
   * of `webdav` and `imap`: `username` and `password`, or `token`. Stored encrypted and never answered.
   */
  @IsOptional() @IsMetadata() credentials?: Record<string, unknown> | null;
}

export class CreateSourceDto extends SourceAddressDto {
  /** @example 'Documentation' */
  @Trim() @IsText(1, 200) name: string;

  /** When it is run; never by itself unless given. */
  @IsOptional() @IsNested(() => ScheduleDto) schedule?: ScheduleDto | null;

  /** What becomes of a document that is gone at the source; `delete` unless given. */
  @IsOptionalNotNull() @IsIn(['delete', 'keep']) on_delete?: 'delete' | 'keep';
}

export class UpdateSourceDto extends PartialType(OmitType(CreateSourceDto, ['type']), {
  skipNullProperties: false,
}) {
  /** `paused` ends a running run, too. */
  @IsOptionalNotNull() @IsIn(['active', 'paused']) state?: 'active' | 'paused';
}

export class RunSourceDto {
  /** Only counts what the run would do. */
  @IsOptionalNotNull() @IsBoolean() preview?: boolean;

  /**
   * Lets the run delete more than a tenth of the documents, and open what is held back since a path of
   * `config.access` matches nothing.
   */
  @IsOptionalNotNull() @IsBoolean() confirm?: boolean;
}

export class DeleteSourceDto {
  /** What becomes of its documents; `keep` unless given. */
  @IsOptional() @IsIn(['delete', 'keep']) documents?: 'delete' | 'keep';
}
