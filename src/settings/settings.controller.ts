import { Body, Controller, Get, Patch, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { DashboardAuthGuard } from '../dashboard-auth/dashboard-auth.guard.js';
import { ApiDashboardProblems, BODY_PROBLEMS } from '../openapi/api-docs.js';
import { DASHBOARD_SECURITY } from '../openapi/open-api.js';
import { IdParam } from '../http/type-id.js';
import { SettingsDto, UpdateSettingsDto } from './settings.dto.js';
import { SettingsService } from './settings.service.js';

@ApiTags('Settings')
@ApiSecurity(DASHBOARD_SECURITY)
@UseGuards(DashboardAuthGuard)
@Controller('kbs/:kb_id/settings')
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  /**
   * Get the settings
   * @remarks All of them as they hold now, set or by default.
   */
  @Get()
  @ApiDashboardProblems('not_found')
  getSettings(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
  ): Promise<SettingsDto> {
    return this.settings.get(user, kbId);
  }

  /**
   * Change settings
   * @remarks They hold from the next request on. Null brings back the default.
   */
  @Patch()
  @ApiDashboardProblems(...BODY_PROBLEMS, 'not_found')
  updateSettings(
    @CurrentUser() user: DashboardUser,
    @IdParam('kb') kbId: string,
    @Body() dto: UpdateSettingsDto,
  ): Promise<SettingsDto> {
    return this.settings.update(user, kbId, dto);
  }
}
