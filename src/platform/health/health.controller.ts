import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { WaitingCommits } from '../database/topology/waiting-commits.js';
import { WorkerStarts } from '../jobs/worker-starts.js';
import { Operation } from '../openapi/operation.js';
import { RunningPlugins } from '../plugins/plugin.js';
import { Problem } from '../problems/problem.js';
import { HealthDto } from './health.dto.js';
import { SearchStatus } from './search-status.js';

const OK: HealthDto = { status: 'ok' };

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly waitingCommits: WaitingCommits,
    private readonly plugins: RunningPlugins,
    private readonly searchStatus: SearchStatus,
  ) {}

  /**
   * Is the process alive?
   * @remarks Does not check the database, since restarting the process would not repair it.
   */
  @Get('live')
  getLiveness(): HealthDto {
    return OK;
  }

  /**
   * Can it serve requests?
   * @remarks Checks the database. While commits wait for a synchronous standby, it is ready for
   * requests that write nothing, and reports so in `writes`. While threads or processes of the service
   * persistently fail to start, it is not ready, and the problem has `"workers": "failing"`; while
   * search has been starting for longer than questions wait, `"workers": "starting"`.
   */
  @Get('ready')
  @Operation({ problems: ['database_unavailable', 'worker_unavailable'] })
  async getReadiness(): Promise<HealthDto> {
    await this.dataSource.query('SELECT 1');
    const { failing } = WorkerStarts;
    if (failing.length > 0) {
      throw new Problem('worker_unavailable', {
        detail: `Cannot start: ${failing.join(', ')}.`,
        extensions: { workers: 'failing' },
      });
    }
    const { late } = WorkerStarts;
    if (late.length > 0) {
      throw new Problem('worker_unavailable', {
        detail: `Still starting: ${late.join(', ')}.`,
        extensions: { workers: 'starting' },
      });
    }
    const { embeddings, findEngineState } = this.searchStatus;
    const installing = embeddings?.installing;
    const search = await findEngineState?.();
    const ready = {
      ...OK,
      plugins: [...this.plugins.names],
      meaning: embeddings?.description ?? 'off',
      ...(search && { search }),
      ...(installing && { installing }),
      ...(WorkerStarts.areStarting && { workers: 'starting' as const }),
    };
    return (await this.waitingCommits.exist()) ? { ...ready, writes: 'unavailable' } : ready;
  }
}
