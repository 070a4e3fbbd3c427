import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { GithubSigningKeys } from './github-signing-keys.js';
import { LeakReportController } from './leak-report.controller.js';
import { LeakReportService } from './leak-report.service.js';

@Module({
  imports: [ApiKeysModule],
  controllers: [LeakReportController],
  providers: [GithubSigningKeys, LeakReportService],
})
export class LeakReportsModule {}
