import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Operation } from '../openapi/operation.js';
import { HealthDto } from './health.dto.js';

const OK: HealthDto = { status: 'ok' };

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Is the process alive?
   * @remarks Does not check the database: restarting the process would not repair that.
   */
  @Get('live')
  getLiveness(): HealthDto {
    return OK;
  }

  /**
   * Can it serve requests?
   * @remarks Checks the database. While commits wait for a synchronous standby, it is ready for
   * requests that write nothing, and says so in `writes`.
   */
  @Get('ready')
  @Operation({ problems: ['database_unavailable'] })
  async getReadiness(): Promise<HealthDto> {
    await this.dataSource.query('SELECT 1');
    return (await this.unitOfWork.canCommit()) ? OK : { ...OK, writes: 'unavailable' };
  }
}
