import { ApiProperty } from '@nestjs/swagger';
import { ApiCount, ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import { ScheduleDto } from './source-requests.dto.js';
import type { SourceRun } from './source-run.entity.js';
import type { Source, SourceState } from './source.entity.js';

export class RunCountsDto {
  /** @example 12 */
  @ApiCount() added: number;
  /** @example 3 */
  @ApiCount() changed: number;
  /** @example 1 */
  @ApiCount() deleted: number;
  /** @example 984 */
  @ApiCount() unchanged: number;
  /** @example 0 */
  @ApiCount() failed: number;
}

export class RunErrorDto {
  /**
   * What names the document at the source, or a path of `config.access`; null where it is about the whole
   * run.
   */
  key: string | null;
  /** @example 'unreachable' */
  code: string;
  /** @example 'The server cannot be reached.' */
  message: string;
}

export class SourceRunDto {
  @ApiId('run') id: string;
  @ApiId('src') source_id: string;
  /** @example 'complete' */
  status: 'running' | 'complete' | 'failed' | 'cancelled' | 'needs_confirmation';
  preview: boolean;
  /** Of a preview, and of a run that needs confirmation: what it would do. */
  counts: RunCountsDto;
  /**
   * How many documents the source has listed so far.
   * @example 1000
   */
  @ApiCount() listed: number;
  /** At most 100, and what a run that needs confirmation asks. */
  errors: RunErrorDto[];
  @ApiInstant() started_at: string;
  @ApiInstant() ended_at: string | null;
}

export class ConnectedSourceDto {
  @ApiId('src') id: string;
  @ApiId('kb') kb_id: string;
  /** @example 'website' */
  type: string;
  /** @example 'Documentation' */
  name: string;
  /** @example { "start_urls": ["https://docs.example.com/"] } */
  @ApiProperty({ type: 'object', additionalProperties: true }) config: object;
  has_credentials: boolean;
  schedule: ScheduleDto | null;
  on_delete: 'delete' | 'keep';
  /** @example 'active' */
  state: SourceState;
  @ApiInstant() next_run_at: string | null;
  /** The end of the last run that was complete. */
  @ApiInstant() last_synced_at: string | null;
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
}

/** Whether a source can be reached. */
export class SourceTestDto {
  ok: boolean;
  /** Left out when it can. */
  error?: SourceTestErrorDto;
}

export class SourceTestErrorDto {
  /** @example 'unauthorized' */
  code: string;
  /** @example 'The server refuses the credentials.' */
  message: string;
}

export const toConnectedSourceDto = (source: Source): ConnectedSourceDto => ({
  id: source.id,
  kb_id: source.kbId,
  type: source.type,
  name: source.name,
  config: source.config,
  has_credentials: source.credentials !== null,
  schedule: source.schedule,
  on_delete: source.onDelete,
  state: source.state,
  next_run_at: source.nextRunAt?.toISOString() ?? null,
  last_synced_at: source.lastSyncedAt?.toISOString() ?? null,
  created_at: source.createdAt.toISOString(),
  updated_at: source.updatedAt.toISOString(),
});

export const toRunDto = ({
  counts: { listed = 0, planned: _planned, ...counts },
  ...run
}: SourceRun): SourceRunDto => ({
  id: run.id,
  source_id: run.sourceId,
  status: run.status,
  preview: run.isPreview,
  ...{ counts, listed },
  errors: run.errors,
  started_at: run.createdAt.toISOString(),
  ended_at: run.endedAt?.toISOString() ?? null,
});
