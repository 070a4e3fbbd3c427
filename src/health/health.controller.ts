import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Operation } from '../openapi/operation.js';
import { HealthDto } from './health.dto.js';

const OK: HealthDto = { status: 'ok' };

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

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
   * @remarks Checks the database.
   */
  @Get('ready')
  @Operation({ problems: ['database_unavailable'] })
  async getReadiness(): Promise<HealthDto> {
    await this.dataSource.query('SELECT 1');
    return OK;
  }
}
